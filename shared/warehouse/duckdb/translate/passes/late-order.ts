import { mapPlan } from '../../../../sql/resolved/map-plan.ts';
import type { OrderScan, ProjectScan, ResolvedScan } from '../../../../sql/resolved/scan.ts';
import { hasRowSubquery } from '../unnest-chain.ts';
import type { Pass } from './pass.ts';

/**
 * Rows of an ORDER BY with LIMIT are sorted once more where subqueries are computed for them afterwards: DuckDB runs
 * such a subquery as a join, which keeps no order.
 */
export const LATE_ORDER: Pass = {
  name: 'late order',
  stage: 'page',
  isCandidate: (scan) => lateRows(scan) !== null,
  run: (plan, { outputs }) => {
    const sorted = new Set<ResolvedScan>();
    return mapPlan(plan, outputs, (scan) => {
      const rows = sorted.has(scan) ? null : lateRows(scan);
      if (rows === null) return scan;
      for (const project of rows.projects) sorted.add(project);
      return { kind: 'order', input: scan, keys: rows.order.keys };
    });
  },
};

interface LateRows {
  readonly projects: readonly ProjectScan[];
  readonly order: OrderScan;
}

/** The projections above an ORDER BY with LIMIT, if one of them has a subquery that needs rows. */
function lateRows(scan: ResolvedScan): LateRows | null {
  const projects: ProjectScan[] = [];
  let below = scan;
  while (below.kind === 'project') {
    projects.push(below);
    below = below.input;
  }
  if (below.kind !== 'limit' || below.input.kind !== 'order') return null;
  const isJoined = projects.some(({ computed }) =>
    computed.some(({ expression }) => hasRowSubquery(expression)),
  );
  return isJoined ? { projects, order: below.input } : null;
}
