import { conjuncts } from '../../../../../sql/resolved/conjuncts.ts';
import type { ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import { allOf, either, FALSE } from '../../../../../sql/resolved/make-expression.ts';
import type { RecordRewriter } from './record-rewriter.ts';
import { existsConditions } from './rewrite-subquery.ts';

/** Calls that answer for any arguments, so that it does not matter whether they run for a record that is not there. */
const SAFE_CALLS: ReadonlySet<string> = new Set([
  '$AND',
  '$OR',
  '$NOT',
  '$EQUAL',
  '$NOT_EQUAL',
  '$LESS',
  '$LESS_OR_EQUAL',
  '$GREATER',
  '$GREATER_OR_EQUAL',
  '$BETWEEN',
  '$IN',
  '$IS_NULL',
  '$IS_TRUE',
  '$IS_FALSE',
  'IFNULL',
  'COALESCE',
  'IF',
  'STARTS_WITH',
  'ENDS_WITH',
  'LOWER',
  'UPPER',
]);

/** Whether an expression never raises an error, as far as that is easily seen. */
export function neverRaises(expression: ResolvedExpression): boolean {
  switch (expression.kind) {
    case 'literal':
    case 'column':
    case 'parameter':
      return true;
    case 'field':
      return neverRaises(expression.base);
    case 'call': {
      const { name, arguments: parts } = expression;
      if (name === 'REGEXP_CONTAINS' || name === '$LIKE') {
        return parts[1]?.kind === 'literal' && parts.every(neverRaises);
      }
      return SAFE_CALLS.has(name) && parts.every(neverRaises);
    }
    case 'case': {
      const branches = expression.branches.flatMap(({ when, result }) => [when, result]);
      return [...branches, expression.otherwise].every(neverRaises);
    }
    default:
      return false;
  }
}

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
