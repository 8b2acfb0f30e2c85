import type { ResolvedScan } from '../../../../sql/resolved/scan.ts';
import { walkPlan } from '../../../../sql/resolved/walk.ts';
import { ARRAY_ORDER } from './array-order.ts';
import { COMMON_ARRAY_WORK } from './common-array-work.ts';
import { CORRELATED_COLUMNS } from './correlated-columns.ts';
import { IMPLIED_PRESENCE } from './implied-presence.ts';
import { LATE_MATERIALIZATION } from './late-materialization.ts';
import { LATE_ORDER } from './late-order.ts';
import type { Pass, PassContext } from './pass.ts';
import { PREDICATE_PUSHDOWN } from './predicate-pushdown.ts';
import { REDUNDANT_TIME_BOUNDS } from './redundant-time-bounds.ts';
import { REPEATED_ENTRIES } from './repeated-entries.ts';
import { SINGLE_RECORDS } from './single-records/single-records.ts';
import { SOURCE_ORDER } from './source-order.ts';
import { TOP_N_BY_TIME } from './top-n-by-time.ts';

/** All passes between analysis and generation, in their order. */
export const PASSES: readonly Pass[] = [
  SOURCE_ORDER,
  REDUNDANT_TIME_BOUNDS,
  PREDICATE_PUSHDOWN,
  LATE_MATERIALIZATION,
  ARRAY_ORDER,
  REPEATED_ENTRIES,
  SINGLE_RECORDS,
  IMPLIED_PRESENCE,
  TOP_N_BY_TIME,
  COMMON_ARRAY_WORK,
  CORRELATED_COLUMNS,
  LATE_ORDER,
];

const BY_STAGE = {
  query: PASSES.filter(({ stage }) => stage === 'query'),
  page: PASSES.filter(({ stage }) => stage === 'page'),
} as const;

/** The plan after all passes of a stage; `onChange` is called after each that changed it. */
export function runPasses(
  plan: ResolvedScan,
  stage: Pass['stage'],
  context: PassContext,
  onChange?: (pass: Pass) => void,
): ResolvedScan {
  let current = plan;
  let scans = scansOf(plan);
  for (const pass of BY_STAGE[stage]) {
    if (!scans.some((scan) => pass.isCandidate(scan, context))) continue;
    const next = pass.run(current, context);
    if (next === current) continue;
    current = next;
    scans = scansOf(next);
    onChange?.(pass);
  }
  return current;
}

function scansOf(plan: ResolvedScan): readonly ResolvedScan[] {
  const scans: ResolvedScan[] = [];
  walkPlan(plan, (scan) => scans.push(scan));
  return scans;
}
