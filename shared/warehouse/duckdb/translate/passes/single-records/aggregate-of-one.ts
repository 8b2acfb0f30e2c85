import type { ResolvedAggregate, ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import { allOf, callOf, either, integer, nullOf } from '../../../../../sql/resolved/make-expression.ts';
import { BOOL, sameType } from '../../../../../sql/types/sql-type.ts';

/** Aggregates that answer the value itself where there is one. */
const SAME: ReadonlySet<string> = new Set(['SUM', 'MIN', 'MAX', 'ANY_VALUE', 'LOGICAL_AND', 'LOGICAL_OR']);

/** What an aggregate answers of one row that is there where a condition holds; null for one that this does not know. */
export function aggregateOfOne(
  aggregate: ResolvedAggregate,
  condition: ResolvedExpression,
  resolve: (expression: ResolvedExpression) => ResolvedExpression,
): ResolvedExpression | null {
  const { name, arguments: parts, column, having, limit } = aggregate;
  const [first, ...others] = parts;
  if (having !== null || limit !== null || others.length > 0) return null;
  const count = (...conditions: readonly ResolvedExpression[]) =>
    either(allOf([condition, ...conditions]), integer(1n), integer(0n));
  if (first === undefined) return name === 'COUNT' ? count() : null;
  const value = resolve(first);
  if (name === 'COUNTIF') return count(value);
  if (name === 'COUNT') return count(callOf('$NOT', BOOL, callOf('$IS_NULL', BOOL, value)));
  if (!SAME.has(name) || !sameType(value.type, column.type)) return null;
  return either(condition, value, nullOf(column.type));
}
