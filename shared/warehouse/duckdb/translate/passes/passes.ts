import type { ResolvedScan } from '../../../../sql/resolved/scan.ts';
import { walkPlan } from '../../../../sql/resolved/walk.ts';
import { ARRAY_ORDER } from './array-order.ts';
import { COMMON_ARRAY_WORK } from './common-array-work.ts';
import { LATE_MATERIALIZATION } from './late-materialization.ts';
import type { Pass, PassContext } from './pass.ts';
import { PREDICATE_PUSHDOWN } from './predicate-pushdown.ts';
import { REDUNDANT_TIME_BOUNDS } from './redundant-time-bounds.ts';
import { TOP_N_BY_TIME } from './top-n-by-time.ts';

/** All passes between analysis and generation, in their order. */
export const PASSES: readonly Pass[] = [
  REDUNDANT_TIME_BOUNDS,
  PREDICATE_PUSHDOWN,
  LATE_MATERIALIZATION,
  TOP_N_BY_TIME,
  COMMON_ARRAY_WORK,
  ARRAY_ORDER,
];

/** The plan after all passes. */
export function runPasses(plan: ResolvedScan, context: PassContext, passes = PASSES): ResolvedScan {
  let current = plan;
  let scans = scansOf(plan);
  for (const { isCandidate, run } of passes) {
    if (!scans.some((scan) => isCandidate(scan, context))) continue;
    const next = run(current, context);
    if (next !== current) scans = scansOf(next);
    current = next;
  }
  return current;
}

function scansOf(plan: ResolvedScan): readonly ResolvedScan[] {
  const scans: ResolvedScan[] = [];
  walkPlan(plan, (scan) => scans.push(scan));
  return scans;
}
