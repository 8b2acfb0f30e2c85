import type { DuckDBConnection } from '@duckdb/node-api';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { quoteIdentifier } from '../quote.ts';
import { repeatedTable } from '../store/layout.ts';
import { createTable, tableName } from '../store/log-tables.ts';
import type { SegmentTable } from './manifest.ts';
import { shapeColumns } from './part-columns.ts';
import type { TableShape } from './table-shape.ts';

/** Puts entries, sorted by time, into a new table of this full name. */
export type FillTable = (table: string) => Promise<void>;

/** A source's entries on their way into a segment: those of its own table and of the one beside it; null for none. */
export interface SegmentSource {
  readonly source: string;
  readonly shape: TableShape;
  readonly plain: FillTable | null;
  readonly repeated: FillTable | null;
}

/** Makes a source's tables in a catalog, and has them filled. */
export async function writeSource(
  connection: DuckDBConnection,
  { source, shape, plain, repeated }: SegmentSource,
  catalog: string,
): Promise<SegmentTable> {
  const written = { plain: 0, repeated: 0 };
  let bounds: readonly [bigint, bigint] | null = null;
  for (const isRepeated of [false, true]) {
    const fill = isRepeated ? repeated : plain;
    if (fill === null) continue;
    const table = tableName(isRepeated ? repeatedTable(source) : source, catalog);
    await createTable(connection, table, shapeColumns(shape, isRepeated));
    await fill(table);
    const { rows, first, last } = await extentOf(connection, table);
    written[isRepeated ? 'repeated' : 'plain'] = rows;
    if (first === null || last === null) continue;
    bounds =
      bounds === null
        ? [first, last]
        : [bounds[0] < first ? bounds[0] : first, bounds[1] > last ? bounds[1] : last];
  }
  const [firstMicros, lastMicros] = bounds ?? [0n, 0n];
  return { source, shape, rows: written.plain, repeatedRows: written.repeated, firstMicros, lastMicros };
}

async function extentOf(
  connection: DuckDBConnection,
  table: string,
): Promise<{ readonly rows: number; readonly first: bigint | null; readonly last: bigint | null }> {
  const time = quoteIdentifier(TIME_COLUMN);
  const reader = await connection.runAndReadAll(
    `SELECT count(*), epoch_us(min(${time})), epoch_us(max(${time})) FROM ${table}`,
  );
  const [[count = 0n, first = null, last = null] = []] = reader.getRowsJS() as [
    bigint,
    bigint | null,
    bigint | null,
  ][];
  return { rows: Number(count), first, last };
}
