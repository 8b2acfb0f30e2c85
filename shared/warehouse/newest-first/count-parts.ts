import { countNodes } from '../../sql/resolved/count-nodes.ts';
import type { ResolvedScan } from '../../sql/resolved/scan.ts';

interface Parts {
  /** Reads of tables; a CTE counts for each time that it is used. */
  readonly tables: number;
  /** Places where the parameter stands. */
  readonly uses: number;
}

/** Counts in everything that a scan holds, subqueries and CTEs too. */
export function countParts(scan: ResolvedScan, parameter: string): Parts {
  const name = parameter.toLowerCase();
  return {
    tables: countNodes(scan, ({ kind }) => kind === 'table'),
    uses: countNodes(scan, (node) => node.kind === 'parameter' && String(node.name).toLowerCase() === name),
  };
}
