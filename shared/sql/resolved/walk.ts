import { isExpression, type PlanNode, walkParts } from './parts.ts';
import type { ResolvedScan } from './scan.ts';

/** Visits all scans of a plan, from the top: those in subqueries too, and the query of each CTE once. */
export function walkPlan(plan: ResolvedScan, visit: (scan: ResolvedScan) => void): void {
  const ctes = new Set<number>();
  const visitPart = (part: PlanNode): void => {
    if (!isExpression(part)) visit(part);
    walkParts(part, visitPart);
    if (part.kind !== 'cte' || ctes.has(part.cte.id)) return;
    ctes.add(part.cte.id);
    visitPart(part.cte.scan);
  };
  visitPart(plan);
}
