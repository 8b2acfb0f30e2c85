import { TIME_COLUMN } from '../../stored-dataset.ts';
import { quoteIdentifier } from '../quote.ts';
import { repeatedTable } from '../store/layout.ts';
import { tableName } from '../store/log-tables.ts';
import { type LiveTable, SLOTS, type StoredPart, slotRelation } from './live-view.ts';
import { type PartTable, partTable, selectAs, shapeColumns } from './part-columns.ts';

/** The schema that holds the relations which live sources are read through. */
export const LIVE_SCHEMA = 'memory.live';

export const liveRelation = (name: string): string => `${LIVE_SCHEMA}.${quoteIdentifier(name)}`;

/** The table with a source's entries of a file of records. */
export const tailTable = (table: string, file: number): string => liveRelation(`${table}$tail${file}`);

/** The catalog that a segment is attached under. */
export const segmentCatalog = (file: string): string => file.replace(/[^a-z0-9]/gi, '_');

/**
 * The statements that make a source's relations, by their names: of its own table and of the one beside it: one for each of the
 * largest parts, one for all others, and their union. Each has the columns of the source's shape.
 */
export function unionViews(
  source: string,
  table: LiveTable,
  oldestMicros: bigint | null,
): ReadonlyMap<string, string> {
  const views = [false, true].flatMap((isRepeated) => {
    const name = isRepeated ? repeatedTable(source) : source;
    const slots = slotParts(source, table, isRepeated);
    const empty = emptyRows(table, isRepeated);
    const ofSlots = slots.map((parts, slot) => {
      const selects = parts.map((part) => within(selectAs(part, table.shape), oldestMicros));
      return viewOf(slotRelation(name, slot), selects.length === 0 ? [empty] : selects);
    });
    const filled = slots.flatMap((parts, slot) =>
      parts.length === 0 ? [] : [`FROM ${liveRelation(slotRelation(name, slot))}`],
    );
    return [...ofSlots, viewOf(name, filled.length === 0 ? [empty] : filled)];
  });
  return new Map(views);
}

function viewOf(name: string, selects: readonly string[]): readonly [string, string] {
  return [name, `CREATE OR REPLACE VIEW ${liveRelation(name)} AS ${selects.join(' UNION ALL ')}`];
}

function within(select: string, oldestMicros: bigint | null): string {
  if (oldestMicros === null) return select;
  return `SELECT * FROM (${select}) WHERE ${quoteIdentifier(TIME_COLUMN)} >= make_timestamp(${oldestMicros})`;
}

/** The parts of each slot: what was loaded, the largest segments, and in the last one all that is small. */
function slotParts(
  source: string,
  { base, segments, tails }: LiveTable,
  isRepeated: boolean,
): readonly (readonly PartTable[])[] {
  const rowsOf = (part: StoredPart) => (isRepeated ? part.repeatedRows : part.rows);
  const bySize = segments.filter((part) => rowsOf(part) > 0).toSorted((a, b) => rowsOf(b) - rowsOf(a));
  const stored = bySize.map(({ file, shape, repeatedRows }) =>
    partTable(namesIn(source, segmentCatalog(file), repeatedRows > 0), shape, isRepeated),
  );
  const unsealed = tails.map(({ file, shape }) => {
    const names = { own: tailTable(source, file), beside: tailTable(repeatedTable(source), file) };
    return partTable(names, shape, isRepeated);
  });
  const names = namesIn(source, undefined, base.repeatedRows > 0);
  const loaded = rowsOf(base) === 0 ? [] : [partTable(names, base.shape, isRepeated, base.flatRepeated)];
  const large = stored.slice(0, SLOTS - 2);
  const rest = [...stored.slice(SLOTS - 2), ...unsealed];
  return Array.from({ length: SLOTS }, (_, slot) => {
    if (slot === 0) return loaded;
    if (slot === SLOTS - 1) return rest;
    const part = large[slot - 1];
    return part === undefined ? [] : [part];
  });
}

function namesIn(source: string, catalog: string | undefined, hasRepeated: boolean) {
  const beside = hasRepeated ? tableName(repeatedTable(source), catalog) : null;
  return { own: tableName(source, catalog), beside };
}

function emptyRows({ shape }: LiveTable, isRepeated: boolean): string {
  const columns = shapeColumns(shape, isRepeated).map(
    ({ name, type }) => `CAST(NULL AS ${type}) AS ${quoteIdentifier(name)}`,
  );
  return `SELECT ${columns.join(', ')} WHERE FALSE`;
}
