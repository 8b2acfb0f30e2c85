import type { TableSchemas } from '../../../schema/table-schema.ts';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import type { EntryTimes } from '../translate/passes/known-data.ts';
import { tableName } from './log-tables.ts';
import type { Store } from './open-store.ts';

/**
 * The times of the first and the last entry of each table, by table; without those that have no entries, or some
 * without a time. They hold as long as nothing is loaded, so ask for them when the store is locked.
 */
export async function readTimeRanges(
  store: Store,
  tables: TableSchemas,
): Promise<ReadonlyMap<string, EntryTimes>> {
  const timed = [...tables].filter(([, columns]) =>
    columns.some(
      ({ name, type, mode }) => name === TIME_COLUMN && type === 'TIMESTAMP' && mode !== 'REPEATED',
    ),
  );
  if (timed.length === 0) return new Map();
  const time = quoteIdentifier(TIME_COLUMN);
  const queries = timed.map(([table]) => {
    return `SELECT ${quoteLiteral(table)}, epoch_us(min(${time})), epoch_us(max(${time})) FROM ${tableName(table)} HAVING count(*) > 0 AND count(*) = count(${time})`;
  });
  const ranges = await store.use((connection) => connection.runAndReadAll(queries.join(' UNION ALL ')));
  return new Map(
    ranges.getRowsJS().map(([table, first, last]) => {
      return [String(table), { firstMicros: BigInt(String(first)), lastMicros: BigInt(String(last)) }];
    }),
  );
}
