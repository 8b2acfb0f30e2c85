import { DATE, TIMESTAMP } from '../../../../sql/types/sql-type.ts';
import { MAX_TIMESTAMP_MICROS, MIN_TIMESTAMP_MICROS } from '../../../../time/units.ts';
import { duck, EMPTY, type Sql, word } from '../duck/sql.ts';
import { inCalendar } from './date-shift.ts';
import { argument, argumentType, type Emission, type Emitter, type Emitters } from './emitter.ts';
import { bind, raise, raiseText } from './fragments.ts';
import { stringFromJson } from './json-conversions.ts';
import { timestampFromText } from './parse-text.ts';
import { fromLocal, toLocal, zoneArgument } from './time-zones.ts';
import { textOf } from './value-text.ts';

/** DATE(…), DATETIME(…) and TIME(…): from fields, or from another date or time. */
const date: Emitter = (emission) => {
  const value = argument(emission, 0);
  const from = argumentType(emission, 0);
  if (from.kind === 'DATE') return value;
  if (from.kind === 'INT64') return calendarDay(emission.sql);
  return duck`CAST(${localValue(emission)} AS DATE)`;
};

const datetime: Emitter = (emission) => {
  const value = argument(emission, 0);
  const from = argumentType(emission, 0);
  if (from.kind === 'INT64') {
    const [year = EMPTY, month = EMPTY, day = EMPTY, hour = EMPTY, minute = EMPTY, second = EMPTY] =
      emission.sql;
    const shown = duck`${calendarDay([year, month, day])} + ${clockTime(hour, minute, second)}`;
    return inCalendar(duck`(${shown} + ${leapSecond(second)})`, emission.type);
  }
  if (from.kind === 'DATE' && emission.sql.length === 2) return duck`(${value} + ${argument(emission, 1)})`;
  return from.kind === 'DATE' ? duck`CAST(${value} AS TIMESTAMP)` : localValue(emission);
};

const time: Emitter = (emission) => {
  const from = argumentType(emission, 0);
  if (from.kind === 'TIME') return argument(emission, 0);
  if (from.kind !== 'INT64') return duck`CAST(${localValue(emission)} AS TIME)`;
  const [hour = EMPTY, minute = EMPTY, second = EMPTY] = emission.sql;
  return duck`(${clockTime(hour, minute, second)} + ${leapSecond(second)})`;
};

function calendarDay(fields: readonly Sql[]): Sql {
  return bind(fields, (year = EMPTY, month = EMPTY, day = EMPTY) => {
    const made = duck`TRY(gsql_day(${year}, ${month}, ${day}))`;
    const isGiven = duck`${year} IS NOT NULL AND ${month} IS NOT NULL AND ${day} IS NOT NULL`;
    const error = raise(
      duck`'Input calculates to invalid date: ' || ${year} || '-' || ${month} || '-' || ${day}`,
      DATE,
    );
    return duck`CASE WHEN ${isGiven} AND ${made} IS NULL THEN ${error} ELSE ${made} END`;
  });
}

/** make_time() takes 24:00:00 and the like, which GoogleSQL's TIME does not. Second 60 gives the one before. */
function clockTime(...fields: readonly Sql[]): Sql {
  return bind(fields, (hour = EMPTY, minute = EMPTY, second = EMPTY) => {
    const fits = duck`${hour} BETWEEN 0 AND 23 AND ${minute} BETWEEN 0 AND 59 AND ${second} BETWEEN 0 AND 60`;
    const made = duck`make_time(${hour}, ${minute}, CASE WHEN ${second} = 60 THEN 59 ELSE ${second} END)`;
    return duck`CASE WHEN NOT (${fits}) THEN ${raiseText('Input calculates to invalid time', { kind: 'TIME' })} ELSE ${made} END`;
  });
}

/** From what clockTime() gives to the time that is meant, which may be on the next day. */
function leapSecond(second: Sql): Sql {
  return duck`to_seconds(CASE WHEN ${second} = 60 THEN 1 ELSE 0 END)`;
}

function localValue(emission: Emission): Sql {
  const value = argument(emission, 0);
  return argumentType(emission, 0).kind === 'TIMESTAMP' ? toLocal(value, zoneArgument(emission, 1)) : value;
}

const timestamp: Emitter = (emission) => {
  const value = argument(emission, 0);
  const from = argumentType(emission, 0);
  if (from.kind === 'TIMESTAMP') return value;
  const zone = zoneArgument(emission, 1);
  if (from.kind === 'STRING') return timestampFromText(value, zone);
  return fromLocal(from.kind === 'DATE' ? duck`CAST(${value} AS TIMESTAMP)` : value, zone);
};

/** TIMESTAMP_SECONDS and its siblings; `unit` is how many microseconds one is. */
function fromUnix(unit: bigint): Emitter {
  return (emission) => {
    if (argumentType(emission, 0).kind === 'TIMESTAMP') return argument(emission, 0);
    return bind([argument(emission, 0)], (count) => {
      const isOutside = duck`${count} < ${-(-MIN_TIMESTAMP_MICROS / unit)} OR ${count} > ${MAX_TIMESTAMP_MICROS / unit}`;
      const error = raiseText(`${emission.name}: the result is not between the years 1 and 9999`, TIMESTAMP);
      const micros = unit === 1n ? count : duck`${count} * ${unit}`;
      return duck`CASE WHEN ${isOutside} THEN ${error} ELSE make_timestamp(${micros}) END`;
    });
  };
}

/** UNIX_SECONDS and its siblings round towards the past, so that times before 1970 fall into their own second. */
function toUnix(unit: bigint): Emitter {
  return (emission) => {
    const micros = duck`epoch_us(${argument(emission, 0)})`;
    return unit === 1n
      ? micros
      : bind([micros], (value) => duck`((${value} - (${value} % ${unit} + ${unit}) % ${unit}) // ${unit})`);
  };
}

const now =
  (type: 'TIMESTAMP' | 'DATE' | 'TIME'): Emitter =>
  (emission) => {
    const local = toLocal(emission.context.now(), zoneArgument(emission, 0));
    return type === 'TIMESTAMP' ? local : duck`CAST(${local} AS ${word(type)})`;
  };

const dateFromUnix: Emitter = (emission) =>
  inCalendar(duck`(DATE '1970-01-01' + CAST(${argument(emission, 0)} AS INTEGER))`, emission.type);

/** Making dates and times from other values. */
export const DATE_CONSTRUCTORS: Emitters = {
  DATE: date,
  DATETIME: datetime,
  TIME: time,
  TIMESTAMP: timestamp,
  STRING: (emission) => {
    const type = argumentType(emission, 0);
    if (type.kind === 'JSON') return stringFromJson(emission);
    return textOf(
      argument(emission, 0),
      type,
      type.kind === 'TIMESTAMP' ? zoneArgument(emission, 1) : undefined,
    );
  },
  UNIX_DATE: (emission) => duck`(${argument(emission, 0)} - DATE '1970-01-01')`,
  DATE_FROM_UNIX_DATE: dateFromUnix,
  TIMESTAMP_MICROS: fromUnix(1n),
  TIMESTAMP_MILLIS: fromUnix(1_000n),
  TIMESTAMP_SECONDS: fromUnix(1_000_000n),
  TIMESTAMP_FROM_UNIX_MICROS: fromUnix(1n),
  TIMESTAMP_FROM_UNIX_MILLIS: fromUnix(1_000n),
  TIMESTAMP_FROM_UNIX_SECONDS: fromUnix(1_000_000n),
  UNIX_MICROS: toUnix(1n),
  UNIX_MILLIS: toUnix(1_000n),
  UNIX_SECONDS: toUnix(1_000_000n),
  CURRENT_TIMESTAMP: now('TIMESTAMP'),
  CURRENT_DATETIME: now('TIMESTAMP'),
  CURRENT_DATE: now('DATE'),
  CURRENT_TIME: now('TIME'),
};
