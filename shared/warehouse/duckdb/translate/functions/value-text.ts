import { type SqlType, STRING, typeText } from '../../../../sql/types/sql-type.ts';
import { duck, type Sql } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { raiseText, withLocals } from './fragments.ts';
import { intervalText } from './intervals.ts';
import { toLocal, UTC, type Zone } from './time-zones.ts';

/** A value as CAST(value AS STRING) shows it; TIMESTAMP with the clock and offset of a zone. */
export function textOf(sql: Sql, type: SqlType, zone: Zone = UTC): Sql {
  switch (type.kind) {
    case 'STRING':
      return sql;
    case 'BOOL':
    case 'INT64':
      return duck`CAST(${sql} AS VARCHAR)`;
    case 'FLOAT64':
      return withLocals([sql], (value) => duck`gsql_float_text(${value})`);
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return duck`rtrim(rtrim(CAST(${sql} AS VARCHAR), '0'), '.')`;
    case 'DATE':
      return duck`strftime(${sql}, '%Y-%m-%d')`;
    case 'DATETIME':
      return withLocals([sql], (value) => duck`gsql_datetime_text(${value})`);
    case 'TIMESTAMP':
      return timestampText(sql, zone);
    case 'TIME':
      return withLocals([sql], (value) => duck`gsql_time_text(${value})`);
    case 'INTERVAL':
      return intervalText(sql);
    case 'BYTES':
      return withLocals([sql], (bytes) => {
        const error = raiseText('Invalid cast of bytes to UTF8 string', STRING);
        return duck`CASE WHEN ${bytes} IS NOT NULL AND TRY(decode(${bytes})) IS NULL THEN ${error} ELSE decode(${bytes}) END`;
      });
    default:
      throw notSupported(`${typeText(type)} as STRING`);
  }
}

function timestampText(sql: Sql, zone: Zone): Sql {
  if (zone === UTC) return withLocals([sql], (value) => duck`(gsql_datetime_text(${value}) || '+00')`);
  return withLocals([sql], (instant) => {
    const local = toLocal(instant, zone);
    // Where a zone's clocks were off by seconds as well, those do not count.
    const whole = duck`${instant} + to_minutes(gsql_offset_minutes(${local}, ${instant}))`;
    return withLocals(
      [zone.kind === 'offset' ? local : whole],
      (shown) => duck`(gsql_datetime_text(${shown}) || gsql_offset_text(${shown}, ${instant}))`,
    );
  });
}
