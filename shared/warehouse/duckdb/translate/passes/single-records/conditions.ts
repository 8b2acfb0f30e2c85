import { conjuncts } from '../../../../../sql/resolved/conjuncts.ts';
import type { ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import { allOf, either, FALSE } from '../../../../../sql/resolved/make-expression.ts';
import { neverRaises } from '../../never-raises.ts';
import type { RecordRewriter } from './record-rewriter.ts';
import { existsConditions } from './rewrite-subquery.ts';

/** Conditions of which those that may raise an error are looked at only where all guards hold. */
export function guardedConditions(
  guards: readonly ResolvedExpression[],
  conditions: readonly ResolvedExpression[],
): readonly ResolvedExpression[] {
  if (guards.length === 0) return conditions;
  const guard = allOf(guards);
  return conditions.map((one) => (neverRaises(one) ? one : either(guard, one, FALSE)));
}

/** The parts of a condition over the columns that there are, EXISTS as what it asks for; null where nothing changes. */
export function rewrittenConjuncts(
  rewriter: RecordRewriter,
  condition: ResolvedExpression,
): readonly ResolvedExpression[] | null {
  let isChanged = false;
  const rewritten = conjuncts(condition).flatMap((one) => {
    const isExists = one.kind === 'subquery' && one.mode === 'exists';
    const parts = isExists ? existsConditions(rewriter, one).conditions : [rewriter.expression(one)];
    isChanged ||= parts.length !== 1 || parts[0] !== one;
    return parts;
  });
  return isChanged ? rewritten : null;
}
