import type { OrderItem } from '../ast/expression.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import type { SortKey } from '../resolved/scan.ts';
import { typeText } from '../types/sql-type.ts';
import { analysisError, type Environment } from './environment.ts';
import { isOrderable } from './groupable.ts';

/** An item of ORDER BY over an expression that is resolved already. NULLs are first ascending, last descending. */
export function sortKey(
  environment: Environment,
  item: Omit<OrderItem, 'expression'>,
  expression: ResolvedExpression,
): SortKey {
  if (!isOrderable(expression.type)) {
    const found = typeText(expression.type);
    throw analysisError(environment, item.at, `ORDER BY does not support expressions of type ${found}`);
  }
  return { expression, descending: item.descending, nullsFirst: item.nullsFirst ?? !item.descending };
}
