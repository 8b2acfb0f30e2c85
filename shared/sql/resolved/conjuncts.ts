import type { ResolvedExpression } from './expression.ts';

/** The conditions that AND joins, in order; one that is no AND is the only one. */
export function conjuncts(condition: ResolvedExpression): readonly ResolvedExpression[] {
  if (condition.kind !== 'call' || condition.name !== '$AND') return [condition];
  return condition.arguments.flatMap(conjuncts);
}
