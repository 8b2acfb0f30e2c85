import { type PlanNode, walkParts } from './parts.ts';
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

/** How many reads of tables a query has; those in a CTE count for each time that it is used. */
export function countTableReads(plan: ResolvedScan): number {
  const readsOfCtes = new Map<number, number>();
  let reads = 0;
  const visit = (part: PlanNode): void => {
    if (part.kind === 'table') reads++;
    if (part.kind !== 'cte') {
      walkParts(part, visit);
      return;
    }
    const known = readsOfCtes.get(part.cte.id);
    const before = reads;
    if (known === undefined) visit(part.cte.scan);
    else reads += known;
    readsOfCtes.set(part.cte.id, reads - before);
  };
  visit(plan);
  return reads;
}
