import { DuckDBInstance } from '@duckdb/node-api';
import { type RawQuery, rawQuery } from './raw-query.ts';

/** A database of tables that were made flat by hand, opened as DuckDB does by itself. */
export interface FlatTables {
  /** A query whose rows are JSON, with the values of `$1`, `$2`, …. */
  query(sql: string, values: readonly string[]): Promise<RawQuery>;
  close(): void;
}

export async function openFlatTables(file: string): Promise<FlatTables> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  return {
    query: (sql, values) => rawQuery(connection, sql, values),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
