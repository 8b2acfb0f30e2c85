import { TIME_COLUMN } from '../../stored-dataset.ts';
import { quoteIdentifier } from '../quote.ts';
import { repeatedTable } from '../store/layout.ts';
import { tableName } from '../store/log-tables.ts';
import type { TablePart, TableSource } from '../translate/passes/known-data.ts';
import type { LiveTable, StoredPart } from './live-view.ts';
import { isReadAsIs, selectAs } from './part-columns.ts';
import { type PartTable, partTable } from './part-table.ts';

/** The schema that holds the tables which files of records are read into. */
export const LIVE_SCHEMA = 'memory.live';

/** The table with a source's entries of a file of records. */
export const tailTable = (table: string, file: number): string =>
  `${LIVE_SCHEMA}.${quoteIdentifier(`${table}$tail${file}`)}`;

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
  const stored = bySize.map((part) =>
    partTable(namesIn(source, segmentCatalog(part.file), part.repeatedRows > 0), part.shape, isRepeated),
  );
  const unsealed = tails
    .filter(({ hasRepeated }) => hasRepeated || !isRepeated)
    .map(({ file, shape: own, hasRepeated }) => {
      const beside = hasRepeated ? tailTable(repeatedTable(source), file) : null;
      return partTable({ own: tailTable(source, file), beside }, own, isRepeated);
    });
  const names = namesIn(source, undefined, base.repeatedRows > 0);
  const loaded = rowsOf(base) === 0 ? [] : [partTable(names, base.shape, isRepeated, base.flatRepeated)];
  const sorted = [...loaded, ...stored].slice(0, MOST_SORTED);
  const rest = [...[...loaded, ...stored].slice(MOST_SORTED), ...unsealed];
  const where =
    oldestMicros === null ? null : `${quoteIdentifier(TIME_COLUMN)} >= make_timestamp(${oldestMicros})`;
  const sourceOf = (part: PartTable): TableSource => ({
    from: isReadAsIs(part, shape) ? part.name : `(${selectAs(part, shape)})`,
    where,
  });
  return [...sorted.map((part) => [part]), ...(rest.length === 0 ? [] : [rest])].map((parts, index) => ({
    name: `${table}$part${index}`,
    sources: parts.map(sourceOf),
  }));
}

/** SQL of a relation with a column of all entries of a source. */
export function columnRelation(source: string, column: string, table: LiveTable | undefined): string {
  if (table === undefined) return tableName(source);
  const sources = liveParts(source, table, { isRepeated: false, oldestMicros: null }).flatMap(
    (part) => part.sources,
  );
  return `(${sources.map(({ from }) => `SELECT ${quoteIdentifier(column)} FROM ${from}`).join(' UNION ALL ')})`;
}

function namesIn(source: string, catalog: string | undefined, hasRepeated: boolean) {
  const beside = hasRepeated ? tableName(repeatedTable(source), catalog) : null;
  return { own: tableName(source, catalog), beside };
}
