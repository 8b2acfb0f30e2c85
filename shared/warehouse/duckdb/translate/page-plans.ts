import type { ResolvedColumn, ResolvedExpression } from '../../../sql/resolved/expression.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';
import { INT64 } from '../../../sql/types/sql-type.ts';
import { sliceByTime } from './time-slices.ts';

/** How the rows of a query are read page by page. */
export type Paging<Search> =
  /** There is one page: the query asks for no more rows. */
  | { readonly kind: 'one-page' }
  /** As one stream, which ends one row after the `maxRows` that can be read. */
  | { readonly kind: 'stream'; readonly maxRows: number }
  /** Slice by slice: the rows take the bounds of one. */
  | {
      readonly kind: 'slices';
      readonly isNewestFirst: boolean;
      /** Answers the instant up to which a slice has to reach, as the one column of a row. */
      readonly search: Search;
      /** The most rows of a slice that can be read; a slice answers one more. */
      readonly sliceRows: number;
      /** The most rows that the query asks for itself; null for all. */
      readonly mostRows: number | null;
    };

/** The plans that the pages of a query are read with. */
export interface PagePlans {
  readonly rows: ResolvedScan;
  readonly paging: Paging<{ readonly scan: ResolvedScan; readonly column: ResolvedColumn }>;
}

/**
 * How many pages of a result can be read, where they come from one stream. DuckDB sorts for all of them before the
 * first: it keeps the first rows of the order while it reads up to 5,000 of them, and sorts all rows for more.
 */
export const MAX_PAGES = 4;

/** How many pages of rows a slice may have, which goes on to the end of an instant. */
const SLICE_PAGES = 10;

/** Plans how a query's rows are read in pages of `pageRows` rows. */
export function planPages(plan: ResolvedScan, pageRows: number): PagePlans {
  if (hasOnePage(plan, pageRows)) return { rows: plan, paging: { kind: 'one-page' } };
  const sliceRows = SLICE_PAGES * pageRows;
  const slices = sliceByTime(plan, { soughtRows: pageRows + 1, mostRows: sliceRows + 1 });
  if (slices === null) {
    const maxRows = MAX_PAGES * pageRows;
    return { rows: capRows(plan, maxRows + 1), paging: { kind: 'stream', maxRows } };
  }
  const { isNewestFirst, search, column, rows, limit } = slices;
  const mostRows = limit === null ? null : Number(limit);
  return {
    rows,
    paging: { kind: 'slices', isNewestFirst, search: { scan: search, column }, sliceRows, mostRows },
  };
}

function hasOnePage(scan: ResolvedScan, pageRows: number): boolean {
  const limit = ownLimit(scan);
  return limit !== null && limit <= BigInt(pageRows);
}

function ownLimit(scan: ResolvedScan): bigint | null {
  if (scan.kind !== 'limit' || scan.limit.kind !== 'literal') return null;
  return typeof scan.limit.value === 'bigint' ? scan.limit.value : null;
}

/** Puts the cap where the query's own LIMIT stands, so that sorting and cutting stay one step. */
function capRows(scan: ResolvedScan, maxRows: number): ResolvedScan {
  const cap: ResolvedExpression = { kind: 'literal', type: INT64, value: BigInt(maxRows) };
  const limit = ownLimit(scan);
  if (scan.kind === 'limit' && limit !== null)
    return limit <= BigInt(maxRows) ? scan : { ...scan, limit: cap };
  return { kind: 'limit', input: scan, limit: cap, offset: null };
}
