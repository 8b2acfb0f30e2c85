import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier } from '../quote.ts';
import { columnsSql, type PhysicalColumn } from './layout.ts';

/** The name that the database with the log tables is attached under. */
export const LOGS_CATALOG = 'logs';

/** A source's table by its full name in DuckDB. */
export function tableName(source: string, catalog: string = LOGS_CATALOG): string {
  return `${quoteIdentifier(catalog)}.main.${quoteIdentifier(source)}`;
}

/** Makes a table, empty; a table of that name is dropped first. */
export async function createTable(
  connection: DuckDBConnection,
  table: string,
  columns: readonly PhysicalColumn[],
): Promise<void> {
  await connection.run(`DROP TABLE IF EXISTS ${table}`);
  await connection.run(`CREATE TABLE ${table} (${columnsSql(columns)})`);
}

/** The names of all tables in the database with the logs, sorted. */
export async function listTables(connection: DuckDBConnection): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll(
    'SELECT table_name FROM duckdb_tables() WHERE database_name = $1 ORDER BY table_name',
    [LOGS_CATALOG],
  );
  return reader.getRowsJS().map(([name]) => String(name));
}
