import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';

/** A query written by hand for DuckDB, prepared once; values stand for `$1`, `$2`, … */
export interface RawQuery {
  /** The one column of its rows, as text. */
  rows(): Promise<readonly string[]>;
  close(): void;
}

export async function rawQuery(
  connection: DuckDBConnection,
  sql: string,
  values: readonly string[] = [],
): Promise<RawQuery> {
  const statement: DuckDBPreparedStatement = await connection.prepare(sql);
  for (const [index, value] of values.entries()) statement.bindVarchar(index + 1, value);
  return {
    rows: async () => {
      const reader = await statement.runAndReadAll();
      return reader.getRows().map(([row]) => String(row));
    },
    close: () => statement.destroySync(),
  };
}
