import type { DuckDBConnection } from '@duckdb/node-api';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { columnAt } from '../loading/column-tree.ts';
import { joinPlainRows, type PackedRows, SEPARATOR } from '../loading/packed-columns.ts';
import { TableInserter, tableInput } from '../loading/table-input.ts';
import { quoteIdentifier } from '../quote.ts';
import { repeatedTable } from '../store/layout.ts';
import { tableName } from '../store/log-tables.ts';
import { shapeColumns } from './part-columns.ts';
import { createTail, insertRows, rowsByTable } from './record-tables.ts';
import type { SealedRecords } from './segment-messages.ts';
import type { FillTable, SegmentSource } from './segment-tables.ts';
import { type TableShape, treeOf } from './table-shape.ts';

/** The entries in records by source. */
export function sealedSources(
  connection: DuckDBConnection,
  records: readonly Buffer[],
  shapes: SealedRecords['shapes'],
): readonly SegmentSource[] {
  const rows = rowsByTable(records);
  return [...shapes].map(([source, shape]) => {
    const fill = (isRepeated: boolean): FillTable | null => {
      const table = isRepeated ? repeatedTable(source) : source;
      const packed = rows.get(table);
      if (packed === undefined) return null;
      return (target) =>
        canBeJoined(packed)
          ? insertAtOnce(connection, { target, shape, isRepeated }, joinPlainRows(packed))
          : insertThrough(connection, tableName(table, 'memory'), { target, shape, isRepeated }, packed);
    };
    return { source, shape, plain: fill(false), repeated: fill(true) };
  });
}

interface Target {
  readonly target: string;
  readonly shape: TableShape;
  readonly isRepeated: boolean;
}

/** Most pieces of columns that are joined: DuckDB has all of them in memory. */
const MOST_PIECES = 8_000_000;

function canBeJoined(packed: readonly PackedRows[]): boolean {
  const slots = new Set(packed.flatMap(({ columns }) => [...columns.keys()]));
  const count = packed.reduce((sum, one) => sum + one.count, 0);
  return slots.size * count <= MOST_PIECES && packed.every(({ form }) => form === 'plain');
}

/** Puts all rows into the target as they are, or by one statement that sorts them. */
async function insertAtOnce(
  connection: DuckDBConnection,
  { target, shape, isRepeated }: Target,
  rows: PackedRows,
): Promise<void> {
  const columns = shapeColumns(shape, isRepeated);
  const tree = treeOf(shape);
  const times = rows.columns.get(columnAt(tree, [TIME_COLUMN]).slot);
  const order = isAscending(times) ? null : TIME_COLUMN;
  const inserter = new TableInserter(connection, target, tableInput(columns, tree), order);
  try {
    await inserter.insert(rows);
  } finally {
    inserter.destroy();
  }
}

/** Collects rows in a table in memory, from where they are sorted. */
async function insertThrough(
  connection: DuckDBConnection,
  collected: string,
  { target, shape, isRepeated }: Target,
  packed: readonly PackedRows[],
): Promise<void> {
  const inserter = await createTail(connection, collected, shape, isRepeated);
  try {
    await insertRows(inserter, packed);
  } finally {
    inserter.destroy();
  }
  await connection.run(
    `INSERT INTO ${target} SELECT * FROM ${collected} ORDER BY ${quoteIdentifier(TIME_COLUMN)}`,
  );
  await connection.run(`DROP TABLE ${collected}`);
}

/** Whether times, whole microseconds as text, are each not before the one before it. */
function isAscending(times: Uint8Array | undefined): boolean {
  if (times === undefined) return false;
  let last: bigint | null = null;
  for (const text of Buffer.from(times).toString('latin1').split(String.fromCharCode(SEPARATOR))) {
    const time = BigInt(text);
    if (last !== null && time < last) return false;
    last = time;
  }
  return true;
}
