import { findFunction } from '../../../../../sql/functions/catalog.ts';
import { conjuncts } from '../../../../../sql/resolved/conjuncts.ts';
import type { ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import { allOf, either, FALSE } from '../../../../../sql/resolved/make-expression.ts';
import type { RecordRewriter } from './record-rewriter.ts';
import { existsConditions } from './rewrite-subquery.ts';

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
      return isTotal(name, parts) && parts.every(neverRaises);
    }
    case 'case': {
      const branches = expression.branches.flatMap(({ when, result }) => [when, result]);
      return [...branches, expression.otherwise].every(neverRaises);
    }
    default:
      return false;
  }
}

/**
 * Whether a call answers whatever the values of its arguments are. DuckDB reads a pattern that is the same for all rows before
 * it reads these: one that is not valid is an error without any row.
 */
function isTotal(name: string, parts: readonly ResolvedExpression[]): boolean {
  const spec = findFunction(name);
  const pattern = name === '$LIKE' ? 1 : spec?.patternArgument;
  const kind = pattern === undefined ? 'literal' : parts[pattern]?.kind;
  if (kind !== 'literal' && (kind !== 'parameter' || name === '$LIKE')) return false;
  return name === '$LIKE' || spec?.isTotal === true;
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
