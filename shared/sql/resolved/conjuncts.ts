import { BOOL } from '../types/sql-type.ts';
import type { ResolvedExpression } from './expression.ts';

/** The conditions that AND joins, in order; one that is no AND is the only one. */
export function conjuncts(condition: ResolvedExpression): readonly ResolvedExpression[] {
  if (condition.kind !== 'call' || condition.name !== '$AND') return [condition];
  return condition.arguments.flatMap(conjuncts);
}

/** The condition that all of these make together; null for none. */
export function conjunction(conditions: readonly ResolvedExpression[]): ResolvedExpression | null {
  const [first = null, ...rest] = conditions;
  if (rest.length === 0) return first;
  return { kind: 'call', type: BOOL, name: '$AND', arguments: conditions, part: null, safe: false };
}
