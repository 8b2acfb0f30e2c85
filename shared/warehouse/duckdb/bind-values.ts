import { type DuckDBPreparedStatement, DuckDBTimestampValue } from '@duckdb/node-api';
import type { QueryParameter } from '../../sql/types/query-parameter.ts';

/** Binds a typed value to `$index`; values go to DuckDB as they are and are never part of a query's text. */
export function bindValue(
  statement: DuckDBPreparedStatement,
  index: number,
  { type, value }: QueryParameter,
): void {
  if (value === null) {
    statement.bindNull(index);
  } else if (type === 'STRING' && typeof value === 'string') {
    statement.bindVarchar(index, value);
  } else if (type === 'INT64' && typeof value === 'bigint') {
    statement.bindBigInt(index, value);
  } else if (type === 'FLOAT64' && typeof value === 'number') {
    statement.bindDouble(index, value);
  } else if (type === 'BOOL' && typeof value === 'boolean') {
    statement.bindBoolean(index, value);
  } else if (type === 'TIMESTAMP' && typeof value === 'bigint') {
    statement.bindTimestamp(index, new DuckDBTimestampValue(value));
  } else {
    throw new TypeError(`a ${type} parameter cannot be a ${typeof value}`);
  }
}
