import type { ResolvedScan } from '../../sql/resolved/scan.ts';

interface Parts {
  /** Reads of tables; a CTE counts for each time that it is used. */
  readonly tables: number;
  /** Places where the parameter stands. */
  readonly uses: number;
}

/** More parts than a query of this kind has; one that has them is no such query. */
const MAX_PARTS = 20_000;

/** What of a tree describes and holds no parts. */
const DESCRIPTIONS: ReadonlySet<string> = new Set(['type', 'columns', 'column', 'element', 'offset']);

/** Counts in everything that a scan holds, subqueries and CTEs too. */
export function countParts(scan: ResolvedScan, parameter: string): Parts {
  const name = parameter.toLowerCase();
  let tables = 0;
  let uses = 0;
  let seen = 0;
  const open: unknown[] = [scan];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== 'object' || part === null) continue;
    if (++seen > MAX_PARTS) return { tables: Number.POSITIVE_INFINITY, uses };
    if ('kind' in part && part.kind === 'table') tables++;
    if (
      'kind' in part &&
      part.kind === 'parameter' &&
      'name' in part &&
      String(part.name).toLowerCase() === name
    )
      uses++;
    for (const [key, value] of Object.entries(part)) if (!DESCRIPTIONS.has(key)) open.push(value);
  }
  return { tables, uses };
}
