import type { DuckDBConnection } from '@duckdb/node-api';
import { joinPlainRows, type PackedRows } from '../loading/packed-columns.ts';
import { TableInserter, tableInput } from '../loading/table-input.ts';
import { quoteIdentifier } from '../quote.ts';
import { repeatedTable } from '../store/layout.ts';
import { decodeRecord } from './entry-records.ts';
import { shapeColumns } from './part-columns.ts';
import { type TableShape, treeOf } from './table-shape.ts';

/** The rows in records by the table that they go to. */
export function rowsByTable(records: readonly Buffer[]): ReadonlyMap<string, readonly PackedRows[]> {
  const rows = new Map<string, PackedRows[]>();
  const add = (table: string, packed: PackedRows | null) => {
    if (packed === null) return;
    const known = rows.get(table);
    if (known === undefined) rows.set(table, [packed]);
    else known.push(packed);
  };
  for (const bytes of records) {
    const record = decodeRecord(bytes);
    if (record.kind !== 'batch') continue;
    add(record.source, record.rows);
    add(repeatedTable(record.source), record.repeated);
  }
  return rows;
}

/** Rows that DuckDB takes at once: enough to make a statement's cost small. */
const ROWS_AT_ONCE = 4_096;

/** Puts packed rows into a table, many at once. */
export async function insertRows(inserter: TableInserter, all: readonly PackedRows[]): Promise<void> {
  const { slots } = inserter;
  let plain: PackedRows[] = [];
  let count = 0;
  const flush = async () => {
    if (plain.length > 0) await inserter.insert(joinPlainRows(plain, slots));
    plain = [];
    count = 0;
  };
  for (const rows of all) {
    if (rows.form === 'json') {
      await flush();
      await inserter.insert(rows);
      continue;
    }
    plain.push(rows);
    count += rows.count;
    if (count >= ROWS_AT_ONCE) await flush();
  }
  await flush();
}

/** Makes a table for rows as they are in records, and answers what puts them into it. */
export async function createTail(
  connection: DuckDBConnection,
  table: string,
  shape: TableShape,
  isRepeated: boolean,
  columns = shapeColumns(shape, isRepeated),
): Promise<TableInserter> {
  const definitions = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
  await connection.run(`CREATE TABLE ${table} (${definitions.join(', ')})`);
  return new TableInserter(connection, table, tableInput(columns, treeOf(shape)));
}
