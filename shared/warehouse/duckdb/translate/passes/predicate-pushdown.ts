import { conjunction, conjuncts } from '../../../../sql/resolved/conjuncts.ts';
import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { mapPlan } from '../../../../sql/resolved/map-plan.ts';
import { referencedColumns } from '../../../../sql/resolved/references.ts';
import type { ResolvedScan } from '../../../../sql/resolved/scan.ts';
import type { Pass } from './pass.ts';

/** Filters that do not look at unnested elements move below the unnesting. */
export const PREDICATE_PUSHDOWN: Pass = {
  name: 'predicate pushdown',
  stage: 'page',
  isCandidate: (scan) => pushFilters(scan) !== scan,
  run: (plan, { outputs }) => mapPlan(plan, outputs, pushFilters),
};

/**
 * Moves those parts of a filter that do not look at unnested elements below the unnesting, where they can skip whole
 * row groups of the table instead of looking at every element.
 */
function pushFilters(scan: ResolvedScan): ResolvedScan {
  if (scan.kind !== 'filter') return scan;
  let input = scan.input;
  const kept: ResolvedExpression[] = [];
  for (const condition of conjuncts(scan.condition)) {
    const pushed = pushCondition(input, condition);
    if (pushed === null) kept.push(condition);
    else input = pushed;
  }
  const condition = conjunction(kept);
  if (input === scan.input) return scan;
  return condition === null ? input : { kind: 'filter', input, condition };
}

/** The scan with the condition inside, or null if there is no unnesting that it can pass. */
function pushCondition(scan: ResolvedScan, condition: ResolvedExpression): ResolvedScan | null {
  if (scan.kind === 'filter') {
    const input = pushCondition(scan.input, condition);
    return input === null ? null : { ...scan, input };
  }
  if (scan.kind !== 'unnest' || scan.input.kind === 'single-row') return null;
  const used = referencedColumns(condition);
  if (used.has(scan.element.id) || (scan.offset !== null && used.has(scan.offset.id))) return null;
  const input =
    pushCondition(scan.input, condition) ?? ({ kind: 'filter', input: scan.input, condition } as const);
  return { ...scan, input };
}
