import type { TableSchemas } from '../../../schema/table-schema.ts';
import { repeatedTable, type TableLayout } from '../store/layout.ts';
import type { KnownTables, RecentEntries, TablePart } from '../translate/passes/known-data.ts';
import { liveParts } from './live-parts.ts';
import type { LiveSnapshot, LiveTable, LoadedPart } from './live-view.ts';
import type { TableShape } from './table-shape.ts';

/** What is known of the tables as they are loaded. */
export interface LoadedTables extends KnownTables {
  readonly tables: TableSchemas;
}

/** What is known of the tables with the entries that arrived, but for where these lie. */
export function knownWith(loaded: LoadedTables, { tables: live }: LiveSnapshot): LoadedTables {
  if (live.size === 0) return loaded;
  const tables = new Map(loaded.tables);
  const timeRanges = new Map(loaded.timeRanges);
  const layouts = new Map(loaded.layouts);
  for (const [source, { shape, hasRepeated }] of live) {
    tables.set(source, shape.schema);
    // An entry of any time may be the next.
    timeRanges.delete(source);
    layouts.set(source, liveLayout(shape, hasRepeated));
  }
  return { tables, timeRanges, layouts };
}

/** Where the entries of the sources lie that have more than the loaded ones. */
export function partsOf({ tables, oldestMicros }: LiveSnapshot): NonNullable<KnownTables['parts']> {
  return new Map([...tables].flatMap(([source, table]) => [...partsOfSource(source, table, oldestMicros)]));
}

function partsOfSource(
  source: string,
  table: LiveTable,
  oldestMicros: bigint | null,
): ReadonlyMap<string, readonly TablePart[]> {
  const parts = new Map([[source, liveParts(source, table, { isRepeated: false, oldestMicros })]]);
  if (table.hasRepeated)
    parts.set(repeatedTable(source), liveParts(source, table, { isRepeated: true, oldestMicros }));
  return parts;
}

/** The parts with the newest entries, of the sources of which not all are needed for them. */
export function recentOf(
  { tables, oldestMicros }: LiveSnapshot,
  timeRanges: KnownTables['timeRanges'],
): NonNullable<KnownTables['recent']> {
  const recent = new Map<string, RecentEntries>();
  for (const [source, table] of tables) {
    const newest = newestOf(table, timeRanges.get(source)?.lastMicros ?? null);
    if (newest === null) continue;
    const { afterMicros } = newest;
    const parts = partsOfSource(source, newest.table, oldestMicros);
    recent.set(source, { afterMicros, parts, hasRepeated: newest.table.hasRepeated });
  }
  return recent;
}

/**
 * A table without the parts whose entries are all from an instant or before: what is not in a segment yet is kept, the newest segment, and what
 * was loaded where its times are not known. Null where no part is left out, or none has anything newer.
 */
function newestOf(
  table: LiveTable,
  loadedMicros: bigint | null,
): { readonly table: LiveTable; readonly afterMicros: bigint } | null {
  const { base, segments, tails } = table;
  const [last, ...others] = segments.toSorted((a, b) => Number(b.lastMicros - a.lastMicros));
  const older = [
    ...others.map(({ lastMicros }) => lastMicros),
    ...(loadedMicros === null ? [] : [loadedMicros]),
  ];
  const latest = (times: readonly bigint[]) => times.reduce((a, b) => (a > b ? a : b));
  const kept = loadedMicros === null ? base : { ...base, rows: 0, repeatedRows: 0 };
  if (last !== undefined && older.length > 0 && last.lastMicros > latest(older))
    return { table: withParts(table, kept, [last]), afterMicros: latest(older) };
  const left = [...older, ...(last === undefined ? [] : [last.lastMicros])];
  if (left.length === 0 || tails.length === 0) return null;
  return { table: withParts(table, kept, []), afterMicros: latest(left) };
}

function withParts(table: LiveTable, base: LoadedPart, segments: LiveTable['segments']): LiveTable {
  const hasRepeated =
    [base, ...segments].some(({ repeatedRows }) => repeatedRows > 0) ||
    table.tails.some((tail) => tail.hasRepeated);
  return { ...table, base, segments, hasRepeated };
}

function liveLayout({ flat }: TableShape, hasRepeated: boolean): TableLayout {
  return { flat: new Map(flat.map((path) => [path, 'sometimes'])), hasRepeated };
}
