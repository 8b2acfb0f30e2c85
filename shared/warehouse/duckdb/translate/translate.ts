import type { AnalyzedQuery } from '../../../sql/analyzer/analyze.ts';
import type { ParameterName, ResolvedExpression } from '../../../sql/resolved/expression.ts';
import type { OutputColumn, ResolvedScan } from '../../../sql/resolved/scan.ts';
import { INT64 } from '../../../sql/types/sql-type.ts';
import { inheritOrder } from '../../source-order.ts';
import type { RawNumbers } from '../exact-numbers.ts';
import { columnIds } from './column-ids.ts';
import { column, duck, EMPTY, joined, word } from './duck/sql.ts';
import { encodeRow } from './encode-row.ts';
import { runPasses } from './passes/passes.ts';
import type { KnownData } from './passes/redundant-time-bounds.ts';
import { Printer, TOP_LEVEL } from './printer.ts';
import { columnName, selectText } from './relation.ts';
import { sliceByTime } from './time-slices.ts';

/** DuckDB SQL whose one column is each row as JSON text. */
export interface Translation {
  readonly sql: string;
  /** What `$1`, `$2`, … are: names of query parameters, or own ones. */
  readonly parameters: readonly ParameterName[];
  /** What exactNumbers() needs to mend the rows' numbers; null where there is nothing to mend. */
  readonly rawNumbers: RawNumbers | null;
}

/** How the rows of a query are read page by page. */
export type Paging =
  /** There is one page: the query asks for no more rows. */
  | { readonly kind: 'one-page' }
  /** As one stream, which ends one row behind the `keptRows` that can be read. */
  | { readonly kind: 'stream'; readonly keptRows: number }
  /** Slice by slice: the translation takes the bounds of one. */
  | {
      readonly kind: 'slices';
      readonly isNewestFirst: boolean;
      /** Answers the instant up to which a slice has to reach, as the one column of a row. */
      readonly search: Translation;
      /** The most rows of a slice that can be read; the translation answers one more. */
      readonly sliceRows: number;
      /** The most rows that the query asks for itself; null for all. */
      readonly mostRows: number | null;
    };

export interface PagedTranslation extends Translation {
  readonly paging: Paging;
}

/**
 * How many pages of a result can be read, where they come from one stream. DuckDB sorts for all of them before the
 * first: it keeps the first rows of the order while it reads up to 5,000 of them, and sorts all rows for more.
 */
export const KEPT_PAGES = 4;

/** How many pages of rows a slice may have, which goes on to the end of an instant. */
const SLICE_PAGES = 10;

/** Translates an analyzed GoogleSQL query for data and values that are `known`, to be read in pages of `pageRows` rows. */
export function translate(
  { query, columns }: AnalyzedQuery,
  pageRows: number,
  known: KnownData,
): PagedTranslation {
  const { scan, columns: outputs } = inheritOrder(query);
  const print = (rows: ResolvedScan) => printRows(rows, columns, outputs, known);
  if (hasOnePage(scan, pageRows)) return { ...print(scan), paging: { kind: 'one-page' } };
  const sliceRows = SLICE_PAGES * pageRows;
  const slices = sliceByTime(scan, { soughtRows: pageRows + 1, mostRows: sliceRows + 1 });
  if (slices !== null) {
    const { isNewestFirst, search, column, rows, limit } = slices;
    const found = printRows(search, [{ name: 't', type: column.type }], [{ name: 't', column }], known);
    const mostRows = limit === null ? null : Number(limit);
    return {
      ...print(rows),
      paging: { kind: 'slices', isNewestFirst, search: found, sliceRows, mostRows },
    };
  }
  const keptRows = KEPT_PAGES * pageRows;
  return { ...print(capRows(scan, keptRows + 1)), paging: { kind: 'stream', keptRows } };
}

function printRows(
  scan: ResolvedScan,
  columns: AnalyzedQuery['columns'],
  outputs: readonly OutputColumn[],
  known: KnownData,
): Translation {
  const newColumnId = columnIds();
  const plan = runPasses(scan, { known, newColumnId });
  const printer = new Printer(plan, newColumnId);
  const ids = outputs.map(({ column }) => column.id);
  const relation = printer.scan(plan, new Set(ids), TOP_LEVEL);
  const row = encodeRow(
    columns.map(({ name, type }, index) => ({
      name,
      type,
      sql: column(word('r'), columnName(ids[index] ?? 0)),
    })),
  );
  const ctes = printer.ctes.length === 0 ? EMPTY : duck`WITH ${joined(printer.ctes, ', ')} `;
  const rows = selectText(relation, new Set(ids));
  return {
    sql: duck`${ctes}SELECT ${row.sql} FROM (${rows}) AS r`.text(),
    parameters: printer.parameters,
    rawNumbers: row.rawNumbers,
  };
}

function hasOnePage(scan: ResolvedScan, pageRows: number): boolean {
  const own = ownLimit(scan);
  return own !== null && own <= BigInt(pageRows);
}

function ownLimit(scan: ResolvedScan): bigint | null {
  if (scan.kind !== 'limit' || scan.limit.kind !== 'literal') return null;
  return typeof scan.limit.value === 'bigint' ? scan.limit.value : null;
}

/** Puts the cap where the query's own LIMIT stands, so that sorting and cutting stay one step. */
function capRows(scan: ResolvedScan, maxRows: number): ResolvedScan {
  const cap: ResolvedExpression = { kind: 'literal', type: INT64, value: BigInt(maxRows) };
  const own = ownLimit(scan);
  if (scan.kind === 'limit' && own !== null) return own <= BigInt(maxRows) ? scan : { ...scan, limit: cap };
  return { kind: 'limit', input: scan, limit: cap, offset: null };
}
