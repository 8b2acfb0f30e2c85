import { mapPlan } from '../../../../sql/resolved/map-plan.ts';
import { referencedColumns } from '../../../../sql/resolved/references.ts';
import type { ResolvedScan } from '../../../../sql/resolved/scan.ts';
import type { Pass } from './pass.ts';

/** Columns that only the result needs are computed after LIMIT, for the rows that are left. */
export const LATE_MATERIALIZATION: Pass = {
  name: 'late materialization',
  stage: 'page',
  isCandidate: (scan) => computeLate(scan) !== scan,
  run: (plan, { outputs }) => mapPlan(plan, outputs, computeLate),
};

function computeLate(scan: ResolvedScan): ResolvedScan {
  if (scan.kind !== 'limit') return scan;
  const { input } = scan;
  if (input.kind === 'project') return { ...input, input: { ...scan, input: input.input } };
  if (input.kind !== 'order' || input.input.kind !== 'project') return scan;
  const project = input.input;
  const used = referencedColumns(input.keys);
  if (project.computed.some(({ column }) => used.has(column.id))) return scan;
  return { ...project, input: { ...scan, input: { ...input, input: project.input } } };
}
