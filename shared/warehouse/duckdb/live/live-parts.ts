import { TIME_COLUMN } from '../../stored-dataset.ts';
import { quoteIdentifier } from '../quote.ts';
import { OFFSET_COLUMN, repeatedTable } from '../store/layout.ts';
import { tableName } from '../store/log-tables.ts';
import type { NarrowSource, TablePart, TableSource } from '../translate/passes/known-data.ts';
import type { LiveTable, LoadedPart, StoredPart } from './live-view.ts';
import { isReadAsIs, narrowColumns, selectAs } from './part-columns.ts';
import { type PartTable, partTable } from './part-table.ts';
import type { TableShape } from './table-shape.ts';

/** The schema that holds the tables which files of records are read into. */
export const LIVE_SCHEMA = 'memory.live';

/** The table with a source's entries of a file of records. */
export const tailTable = (table: string, file: number): string =>
  `${LIVE_SCHEMA}.${quoteIdentifier(`${table}$tail${file}`)}`;

/** The same with few columns. */
export const narrowTailTable = (source: string, file: number): string => tailTable(`${source}$narrow`, file);

/** The name of what is filled at once: a source's entries of a file of records, with all columns or with few. */
export const tailUnit = (source: string, file: number, isNarrow: boolean): string =>
  `${file} ${isNarrow ? 'narrow' : 'whole'} ${source}`;

/** The same for all files. */
export const unitKind = (unit: string): string => unit.slice(unit.indexOf(' ') + 1);

/** The catalog that a segment is attached under. */
export const segmentCatalog = (file: string): string => file.replace(/[^a-z0-9]/gi, '_');

/** Parts of a source that are each looked through by their order; all that are smaller are one more. */
const MOST_SORTED = 7;

/**
 * Where a source's entries lie, with the columns of the source's shape: its own table, or the one beside it. What was loaded comes
 * first, then the largest segments, each a part by itself, then all that is small. Entries before `oldestMicros` are left out.
 */
export function liveParts(
  source: string,
  { shape, base, segments, tails }: LiveTable,
  { isRepeated, oldestMicros }: { readonly isRepeated: boolean; readonly oldestMicros: bigint | null },
): readonly TablePart[] {
  const table = isRepeated ? repeatedTable(source) : source;
  const rowsOf = (part: StoredPart) => (isRepeated ? part.repeatedRows : part.rows);
  const bySize = segments.filter((part) => rowsOf(part) > 0).toSorted((a, b) => rowsOf(b) - rowsOf(a));
  const where =
    oldestMicros === null ? null : `${quoteIdentifier(TIME_COLUMN)} >= make_timestamp(${oldestMicros})`;
  const sourceOf = (part: PartTable): TableSource => ({
    from: isReadAsIs(part, shape) ? part.name : `(${selectAs(part, shape)})`,
    where,
  });
  const stored = bySize.map(({ file, shape: own, repeatedRows }) =>
    sourceOf(partTable(namesIn(source, segmentCatalog(file), repeatedRows > 0), own, isRepeated)),
  );
  const unsealed = tails
    .filter(({ hasRepeated }) => hasRepeated || !isRepeated)
    .map(({ file, shape: own, hasRepeated }): TableSource => {
      const beside = hasRepeated ? tailTable(repeatedTable(source), file) : null;
      const part = partTable({ own: tailTable(source, file), beside }, own, isRepeated);
      const narrow = isRepeated || !isReadAsIs(part, shape) ? undefined : narrowSource(source, file, own);
      return { ...sourceOf(part), unit: tailUnit(source, file, false), narrow };
    });
  const names = loadedNames(source, base);
  const loaded =
    rowsOf(base) === 0 ? [] : [sourceOf(partTable(names, base.shape, isRepeated, base.flatRepeated))];
  const sorted = [...loaded, ...stored].slice(0, MOST_SORTED);
  const rest = [...[...loaded, ...stored].slice(MOST_SORTED), ...unsealed];
  return [...sorted.map((part) => [part]), ...(rest.length === 0 ? [] : [rest])].map((sources, index) => ({
    name: `${table}$part${index}`,
    sources,
  }));
}

function narrowSource(source: string, file: number, shape: TableShape): NarrowSource {
  return {
    from: narrowTailTable(source, file),
    unit: tailUnit(source, file, true),
    columns: new Set(narrowColumns(shape).map(({ name }) => name)),
  };
}

/** SQL of a relation with some columns of all entries of a source, and what has to be filled before it is read. */
export function columnsRelation(
  source: string,
  columns: readonly string[],
  table: LiveTable | undefined,
): { readonly relation: string; readonly units: readonly string[] } {
  if (table === undefined) return { relation: tableName(source), units: [] };
  const sources = liveParts(source, table, { isRepeated: false, oldestMicros: null }).flatMap(
    (part) => part.sources,
  );
  const read = sources.map(({ from, unit, narrow }) =>
    narrow !== undefined && columns.every((column) => narrow.columns.has(column))
      ? { from: narrow.from, unit: narrow.unit }
      : { from, unit },
  );
  const list = columns.map(quoteIdentifier).join(', ');
  const selects = read.map(({ from }) => `SELECT ${list} FROM ${from}`);
  return { relation: `(${selects.join(' UNION ALL ')})`, units: read.flatMap(({ unit }) => unit ?? []) };
}

/** Where entries have several rows in the table beside the source's, the first of each counts. */
function loadedNames(source: string, { repeatedRows, sharesElements }: LoadedPart) {
  const names = namesIn(source, undefined, repeatedRows > 0);
  if (names.beside === null || !sharesElements) return names;
  return { ...names, beside: `(SELECT * FROM ${names.beside} WHERE ${quoteIdentifier(OFFSET_COLUMN)} = 0)` };
}

function namesIn(source: string, catalog: string | undefined, hasRepeated: boolean) {
  const beside = hasRepeated ? tableName(repeatedTable(source), catalog) : null;
  return { own: tableName(source, catalog), beside };
}
