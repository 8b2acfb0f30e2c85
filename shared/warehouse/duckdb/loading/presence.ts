import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier } from '../quote.ts';
import { type Presence, presenceColumn, type TableLayout } from '../store/layout.ts';
import { tableName } from '../store/log-tables.ts';

/** Finds out of each flat record whether all entries of a source's own table have it, none, or some. */
export async function readPresence(
  connection: DuckDBConnection,
  source: string,
  flat: TableLayout['flat'],
): Promise<TableLayout['flat']> {
  const paths = [...flat.keys()];
  if (paths.length === 0) return flat;
  const bounds = paths.map((path) => {
    const column = quoteIdentifier(presenceColumn(path.split('.')));
    return `[coalesce(bool_or(${column}), FALSE), coalesce(bool_and(${column}), FALSE)]`;
  });
  const reader = await connection.runAndReadAll(`SELECT [${bounds.join(', ')}] FROM ${tableName(source)}`);
  const [[found] = []] = reader.getRowsJson() as unknown as [[[boolean, boolean][]]];
  return new Map(
    paths.map((path, index): [string, Presence] => {
      const [some, all] = found?.[index] ?? [true, false];
      return [path, all ? 'always' : some ? 'sometimes' : 'never'];
    }),
  );
}
