import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';

/** The largest absolute value of each type whose values are always finite. */
const TYPE_BOUNDS: Readonly<Record<string, number>> = {
  BOOL: 1,
  INT64: 2 ** 63,
  NUMERIC: 1e29,
  BIGNUMERIC: 1e39,
};

/**
 * A bound on the absolute value of a numeric expression; Infinity where nothing is known. Arithmetic whose bound is
 * finite cannot overflow FLOAT64, so it needs no check for each row.
 */
export function magnitude(expression: ResolvedExpression): number {
  const bound = TYPE_BOUNDS[expression.type.kind];
  if (bound !== undefined) return bound;
  if (expression.kind === 'literal')
    return typeof expression.value === 'number' ? Math.abs(expression.value) : Infinity;
  if (expression.kind === 'cast') return magnitude(expression.operand);
  if (expression.kind !== 'call') return Infinity;
  const [first, second] = expression.arguments;
  if (first === undefined || second === undefined) return Infinity;
  if (expression.name === '$ADD' || expression.name === '$SUBTRACT')
    return magnitude(first) + magnitude(second);
  if (expression.name === '$MULTIPLY') return magnitude(first) * magnitude(second);
  return Infinity;
}
