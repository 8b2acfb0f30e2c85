import type { DuckDBConnection } from '@duckdb/node-api';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { quoteIdentifier } from '../quote.ts';
import { repeatedTable } from '../store/layout.ts';
import { tableName } from '../store/log-tables.ts';
import { segmentCatalog } from './live-parts.ts';
import type { Segment, SegmentTable } from './manifest.ts';
import { isReadAsIs, selectAs } from './part-columns.ts';
import { type PartTable, partTable } from './part-table.ts';
import type { FillTable, SegmentSource } from './segment-tables.ts';
import { mergeShapes, type TableShape } from './table-shape.ts';

/** A part of a source's entries with the times that they are of. */
interface TimedPart extends Pick<SegmentTable, 'firstMicros' | 'lastMicros'> {
  readonly part: PartTable;
}

/** The entries of attached segments by source, those before `oldestMicros` left out. */
export function mergedSources(
  connection: DuckDBConnection,
  segments: readonly Segment[],
  oldestMicros: bigint | null,
): readonly SegmentSource[] {
  return [...partsBySource(segments)].map(([source, { shape, parts }]) => {
    const fill = (isRepeated: boolean): FillTable | null => {
      const inputs = parts.filter(({ part }) => part.isRepeated === isRepeated);
      if (inputs.length === 0) return null;
      const rows = sortedRows(inputs, shape, oldestMicros);
      return async (table) => {
        await connection.run(`INSERT INTO ${table} ${rows}`);
      };
    };
    return { source, shape, plain: fill(false), repeated: fill(true) };
  });
}

function partsBySource(
  segments: readonly Segment[],
): ReadonlyMap<string, { readonly shape: TableShape; readonly parts: readonly TimedPart[] }> {
  const sources = new Map<string, { shape: TableShape; parts: TimedPart[] }>();
  for (const { file, tables } of segments) {
    for (const { source, shape, rows, repeatedRows, firstMicros, lastMicros } of tables) {
      const known = sources.get(source) ?? { shape, parts: [] };
      const catalog = segmentCatalog(file);
      const beside = repeatedRows > 0 ? tableName(repeatedTable(source), catalog) : null;
      const names = { own: tableName(source, catalog), beside };
      const add = (isRepeated: boolean) =>
        known.parts.push({ part: partTable(names, shape, isRepeated), firstMicros, lastMicros });
      if (rows > 0) add(false);
      if (repeatedRows > 0) add(true);
      sources.set(source, { ...known, shape: mergeShapes(known.shape, shape) });
    }
  }
  return sources;
}

/** SQL of the rows of parts in order of time. Most entries arrive in that order, and parts that follow each other need no sorting. */
function sortedRows(inputs: readonly TimedPart[], shape: TableShape, oldestMicros: bigint | null): string {
  const byTime = inputs.toSorted((a, b) => Number(a.firstMicros - b.firstMicros));
  const followEachOther = byTime.every(
    ({ firstMicros }, index) => firstMicros >= (byTime[index - 1]?.lastMicros ?? firstMicros),
  );
  const areSorted = followEachOther && inputs.every(({ part }) => isReadAsIs(part, shape));
  const time = quoteIdentifier(TIME_COLUMN);
  const within = oldestMicros === null ? '' : ` WHERE ${time} >= make_timestamp(${oldestMicros})`;
  const selects = byTime.map(({ part }) => selectAs(part, shape)).join(' UNION ALL ');
  return `SELECT * FROM (${selects})${within}${areSorted ? '' : ` ORDER BY ${time}`}`;
}
