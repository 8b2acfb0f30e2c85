import { BOOL, INT64, type SqlType } from '../types/sql-type.ts';
import { conjunction, conjuncts } from './conjuncts.ts';
import type { ColumnReference, ResolvedColumn, ResolvedExpression } from './expression.ts';

export const TRUE: ResolvedExpression = { kind: 'literal', type: BOOL, value: true };
export const FALSE: ResolvedExpression = { kind: 'literal', type: BOOL, value: false };

/** The expression whose value is that of a column in each row. */
export function columnReference(column: ResolvedColumn): ColumnReference {
  return { kind: 'column', type: column.type, column };
}

/** An INT64 literal. */
export function integer(value: bigint): ResolvedExpression {
  return { kind: 'literal', type: INT64, value };
}

/** The NULL of a type. */
export function nullOf(type: SqlType): ResolvedExpression {
  return { kind: 'literal', type, value: null };
}

/** The call of a function or operator, whose arguments already have the types of its signature. */
export function callOf(
  name: string,
  type: SqlType,
  ...parts: readonly ResolvedExpression[]
): ResolvedExpression {
  return { kind: 'call', type, name, arguments: parts, part: null, safe: false };
}

/** The field of a struct at an index. Throws a TypeError where the base has no such field. */
export function fieldOf(base: ResolvedExpression, index: number): ResolvedExpression {
  const type = base.type.kind === 'STRUCT' ? base.type.fields[index]?.type : undefined;
  if (type === undefined) throw new TypeError(`no field ${index}`);
  return { kind: 'field', type, base, index };
}

/** Whether an expression is the literal of a value. */
export function isLiteral(expression: ResolvedExpression, value: boolean | null): boolean {
  return expression.kind === 'literal' && expression.value === value;
}

/** `CASE WHEN condition THEN result ELSE otherwise END`, or the one of the two where the condition is a constant. */
export function either(
  condition: ResolvedExpression,
  result: ResolvedExpression,
  otherwise: ResolvedExpression,
): ResolvedExpression {
  if (isLiteral(condition, true)) return result;
  if (isLiteral(condition, false)) return otherwise;
  return { kind: 'case', type: result.type, branches: [{ when: condition, result }], otherwise };
}

/** All conditions, each once; TRUE for none, FALSE where one of them is. */
export function allOf(conditions: readonly ResolvedExpression[]): ResolvedExpression {
  const kept: ResolvedExpression[] = [];
  const columns = new Set<number>();
  for (const condition of conditions.flatMap(conjuncts)) {
    if (isLiteral(condition, false)) return FALSE;
    if (isLiteral(condition, true)) continue;
    if (condition.kind === 'column') {
      if (columns.has(condition.column.id)) continue;
      columns.add(condition.column.id);
    }
    kept.push(condition);
  }
  return conjunction(kept) ?? TRUE;
}
