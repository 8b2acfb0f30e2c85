import type { DuckDBConnection } from '@duckdb/node-api';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { quoteIdentifier } from '../quote.ts';
import { repeatedTable } from '../store/layout.ts';
import { createTable, tableName } from '../store/log-tables.ts';
import { segmentCatalog } from './live-parts.ts';
import type { Segment, SegmentTable } from './manifest.ts';
import { selectAs, shapeColumns } from './part-columns.ts';
import { type PartTable, partTable } from './part-table.ts';
import { mergeShapes, type TableShape } from './table-shape.ts';

/** A source's entries on their way into a segment. */
export interface SourceParts {
  readonly source: string;
  readonly shape: TableShape;
  readonly parts: readonly PartTable[];
}

/** Writes a source's entries into tables of a catalog, sorted by time, those before `oldestMicros` left out. */
export async function writeSource(
  connection: DuckDBConnection,
  { source, shape, parts }: SourceParts,
  catalog: string,
  oldestMicros: bigint | null,
): Promise<SegmentTable> {
  const rows = { plain: 0, repeated: 0 };
  let bounds: readonly [bigint, bigint] | null = null;
  for (const isRepeated of [false, true]) {
    const inputs = parts.filter((part) => part.isRepeated === isRepeated);
    if (inputs.length === 0) continue;
    const table = tableName(isRepeated ? repeatedTable(source) : source, catalog);
    const columns = shapeColumns(shape, isRepeated);
    await createTable(connection, table, columns);
    const hasId = shape.schema.some(
      ({ name, type, mode }) => name === 'id' && type !== 'STRUCT' && mode !== 'REPEATED',
    );
    const time = quoteIdentifier(TIME_COLUMN);
    const order = hasId ? `${time}, ${quoteIdentifier('id')}` : time;
    const within = oldestMicros === null ? '' : ` WHERE ${time} >= make_timestamp(${oldestMicros})`;
    const selects = inputs.map((part) => selectAs(part, shape)).join(' UNION ALL ');
    await connection.run(`INSERT INTO ${table} SELECT * FROM (${selects})${within} ORDER BY ${order}`);
    const reader = await connection.runAndReadAll(
      `SELECT count(*), epoch_us(min(${time})), epoch_us(max(${time})) FROM ${table}`,
    );
    const [[count = 0n, first = null, last = null] = []] = reader.getRowsJS() as [
      bigint,
      bigint | null,
      bigint | null,
    ][];
    rows[isRepeated ? 'repeated' : 'plain'] = Number(count);
    if (first === null || last === null) continue;
    bounds =
      bounds === null
        ? [first, last]
        : [bounds[0] < first ? bounds[0] : first, bounds[1] > last ? bounds[1] : last];
  }
  const [firstMicros, lastMicros] = bounds ?? [0n, 0n];
  return { source, shape, rows: rows.plain, repeatedRows: rows.repeated, firstMicros, lastMicros };
}

/** The entries of attached segments by source. */
export function partsBySource(segments: readonly Segment[]): readonly SourceParts[] {
  const sources = new Map<string, { shape: TableShape; parts: PartTable[] }>();
  for (const { file, tables } of segments) {
    for (const { source, shape, rows, repeatedRows } of tables) {
      const known = sources.get(source) ?? { shape, parts: [] };
      const catalog = segmentCatalog(file);
      const beside = repeatedRows > 0 ? tableName(repeatedTable(source), catalog) : null;
      const names = { own: tableName(source, catalog), beside };
      if (rows > 0) known.parts.push(partTable(names, shape, false));
      if (repeatedRows > 0) known.parts.push(partTable(names, shape, true));
      sources.set(source, { ...known, shape: mergeShapes(known.shape, shape) });
    }
  }
  return [...sources].map(([source, { shape, parts }]) => ({ source, shape, parts }));
}
