import { isExpression, type PlanNode, walkParts } from './parts.ts';
import type { ResolvedScan } from './scan.ts';

/** The ids of all columns that expressions, keys, aggregates or windows refer to, inside subqueries too. */
export function referencedColumns(...parts: readonly (object | null)[]): Set<number> {
  const ids = new Set<number>();
  const visit = (part: PlanNode): void => {
    if (part.kind === 'column') ids.add(part.column.id);
    else walkParts(part, visit);
  };
  walkParts(parts, visit);
  return ids;
}

/** The ids of all columns that a scan's own expressions refer to. */
export function referencedByScan(scan: ResolvedScan): Set<number> {
  const own: PlanNode[] = [];
  walkParts(scan, (part) => {
    if (isExpression(part)) own.push(part);
  });
  return referencedColumns(own);
}
