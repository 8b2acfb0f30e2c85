import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier } from '../quote.ts';
import { type Presence, presenceColumn, REPEATED_COLUMN, type TableLayout } from '../store/layout.ts';
import { tableName } from '../store/log-tables.ts';

/**
 * Finds out of each flat record of a table whether all entries have it, none, or some. A record that lies beside a source's own
 * table where an entry has it twice is looked for in the other entries.
 */
export async function readPresence(
  connection: DuckDBConnection,
  table: string,
  flat: TableLayout['flat'],
  neverTwice: TableLayout['flat'] = flat,
): Promise<TableLayout['flat']> {
  const paths = [...flat.keys()];
  if (paths.length === 0) return flat;
  const bounds = paths.map((path) => {
    const column = quoteIdentifier(presenceColumn(path.split('.')));
    const others = neverTwice.has(path) ? '' : ` FILTER (NOT ${quoteIdentifier(REPEATED_COLUMN)})`;
    return `[coalesce(bool_or(${column})${others}, FALSE), coalesce(bool_and(${column})${others}, FALSE)]`;
  });
  const reader = await connection.runAndReadAll(`SELECT [${bounds.join(', ')}] FROM ${tableName(table)}`);
  const [[found] = []] = reader.getRowsJson() as unknown as [[[boolean, boolean][]]];
  return new Map(
    paths.map((path, index): [string, Presence] => {
      const [some, all] = found?.[index] ?? [true, false];
      return [path, all ? 'always' : some ? 'sometimes' : 'never'];
    }),
  );
}
