import type { ResolvedScan } from './scan.ts';
import { walkPlan } from './walk.ts';

/** How often each CTE is used in a query, by id; uses inside a CTE count once, however often that one is used. */
export function countCteUses(plan: ResolvedScan): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  walkPlan(plan, (scan) => {
    if (scan.kind === 'cte') uses.set(scan.cte.id, (uses.get(scan.cte.id) ?? 0) + 1);
  });
  return uses;
}
