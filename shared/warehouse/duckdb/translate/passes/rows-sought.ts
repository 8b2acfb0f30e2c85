import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import type { LimitScan } from '../../../../sql/resolved/scan.ts';

/** How many rows of its input a LIMIT looks at, those that OFFSET skips included; null when that is known only later. */
export function rowsSought({ limit, offset }: LimitScan): bigint | null {
  const count = literalCount(limit);
  const skipped = offset === null ? 0n : literalCount(offset);
  return count === null || skipped === null ? null : count + skipped;
}

function literalCount(expression: ResolvedExpression): bigint | null {
  return expression.kind === 'literal' && typeof expression.value === 'bigint' ? expression.value : null;
}
