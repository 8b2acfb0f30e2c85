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

/** Packed rows as a table takes them, many at once. */
export function groupRows(inserter: TableInserter, all: readonly PackedRows[]): readonly PackedRows[] {
  const { slots } = inserter;
  const groups: PackedRows[] = [];
  let plain: PackedRows[] = [];
  let count = 0;
  const flush = () => {
    if (plain.length > 0) groups.push(joinPlainRows(plain, slots));
    plain = [];
    count = 0;
  };
  for (const rows of all) {
    if (rows.form === 'json') {
      flush();
      groups.push(rows);
      continue;
    }
    plain.push(rows);
    count += rows.count;
    if (count >= ROWS_AT_ONCE) flush();
  }
  flush();
  return groups;
}

/** Puts packed rows into a table. */
export async function insertRows(inserter: TableInserter, all: readonly PackedRows[]): Promise<void> {
  for (const rows of groupRows(inserter, all)) await inserter.insert(rows);
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
