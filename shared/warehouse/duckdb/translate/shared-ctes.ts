import type { ResolvedScan } from '../../../sql/resolved/scan.ts';

/** Whether a CTE only filters a table, so that it stands in place wherever it is used; others are written once. */
export function isCheap(scan: ResolvedScan): boolean {
  if (scan.kind === 'table') return true;
  return (scan.kind === 'filter' || scan.kind === 'order' || scan.kind === 'project') && isCheap(scan.input);
}
