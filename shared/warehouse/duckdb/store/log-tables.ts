import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableSchema } from '../../../schema/table-schema.ts';
import { quoteIdentifier } from '../quote.ts';
import { columnDefinitions } from './column-type.ts';

/** The name that the database with the log tables is attached under. */
export const LOGS_CATALOG = 'logs';

/** A source's table by its full name in DuckDB. */
export function tableName(source: string, catalog: string = LOGS_CATALOG): string {
  return `${quoteIdentifier(catalog)}.main.${quoteIdentifier(source)}`;
}

/** Makes a source's table, empty; a table of that name is dropped first. */
export async function createTable(
  connection: DuckDBConnection,
  table: string,
  schema: TableSchema,
): Promise<void> {
  await connection.run(`DROP TABLE IF EXISTS ${table}`);
  await connection.run(`CREATE TABLE ${table} (${columnDefinitions(schema)})`);
}

/** The names of all tables in the database with the logs, sorted. */
export async function listTables(connection: DuckDBConnection): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll(
    'SELECT table_name FROM duckdb_tables() WHERE database_name = $1 ORDER BY table_name',
    [LOGS_CATALOG],
  );
  return reader.getRowsJS().map(([name]) => String(name));
}
