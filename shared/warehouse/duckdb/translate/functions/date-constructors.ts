import { DATE, DATETIME, TIMESTAMP } from '../../../../sql/types/sql-type.ts';
import {
  MAX_TIMESTAMP_MICROS,
  MICROS_PER_MS,
  MICROS_PER_SECOND,
  MIN_TIMESTAMP_MICROS,
} from '../../../../time/units.ts';
import { duck, EMPTY, joined, type Sql, word } from '../duck/sql.ts';
import { argument, argumentType, type CallTranslator, type CallTranslators } from './call-site.ts';
import { inCalendar } from './date-shift.ts';
import { raise, raiseText, withLocals } from './fragments.ts';
import { stringFromJson } from './json-conversions.ts';
import { localDate, localValue } from './local-value.ts';
import { parseText, timestampFromText } from './parse-text.ts';
import { fromLocal, toLocal, UTC, zoneArgument } from './time-zones.ts';
import { textOf } from './value-text.ts';

/** DATE(…), DATETIME(…) and TIME(…): from fields, or from another date or time. */
const date: CallTranslator = (site) => {
  const value = argument(site, 0);
  const from = argumentType(site, 0);
  if (from.kind === 'DATE') return value;
  if (from.kind === 'INT64') return calendarDay(site.sql);
  if (from.kind === 'STRING') return duck`CAST(${timestampFromText(value, UTC)} AS DATE)`;
  return duck`CAST(${localDate(site)} AS DATE)`;
};

const datetime: CallTranslator = (site) => {
  const value = argument(site, 0);
  const from = argumentType(site, 0);
  if (from.kind === 'INT64') {
    const [year = EMPTY, month = EMPTY, day = EMPTY, hour = EMPTY, minute = EMPTY, second = EMPTY] = site.sql;
    const date = duck`CASE WHEN ${areGiven([hour, minute, second])} THEN ${calendarDay([year, month, day])} END`;
    const clock = duck`CASE WHEN ${areGiven([year, month, day])} THEN ${clockTime(hour, minute, second)} END`;
    return inCalendar(duck`((${date}) + (${clock}) + ${leapSecond(second)})`, site.type);
  }
  if (from.kind === 'STRING') return parseText(value, DATETIME);
  if (from.kind === 'DATE' && site.sql.length === 2) return duck`(${value} + ${argument(site, 1)})`;
  return from.kind === 'DATE' ? duck`CAST(${value} AS TIMESTAMP)` : localDate(site);
};

const time: CallTranslator = (site) => {
  const from = argumentType(site, 0);
  if (from.kind === 'TIME') return argument(site, 0);
  if (from.kind !== 'INT64') return duck`CAST(${localValue(site)} AS TIME)`;
  const [hour = EMPTY, minute = EMPTY, second = EMPTY] = site.sql;
  return duck`(${clockTime(hour, minute, second)} + ${leapSecond(second)})`;
};

/** Whether no field is NULL: with one that is, the others may be anything. */
function areGiven(fields: readonly Sql[]): Sql {
  return joined(
    fields.map((field) => duck`${field} IS NOT NULL`),
    ' AND ',
  );
}

function calendarDay(fields: readonly Sql[]): Sql {
  return withLocals(fields, (year = EMPTY, month = EMPTY, day = EMPTY) => {
    const made = duck`TRY(gsql_day(${year}, ${month}, ${day}))`;
    const isGiven = areGiven([year, month, day]);
    const error = raise(
      duck`'Input calculates to invalid date: ' || ${year} || '-' || ${month} || '-' || ${day}`,
      DATE,
    );
    return duck`CASE WHEN ${isGiven} AND ${made} IS NULL THEN ${error} ELSE ${made} END`;
  });
}

/** make_time() takes 24:00:00 and the like, which GoogleSQL's TIME does not. Second 60 gives the one before. */
function clockTime(...fields: readonly Sql[]): Sql {
  return withLocals(fields, (hour = EMPTY, minute = EMPTY, second = EMPTY) => {
    const fits = duck`${hour} BETWEEN 0 AND 23 AND ${minute} BETWEEN 0 AND 59 AND ${second} BETWEEN 0 AND 60`;
    const made = duck`make_time(${hour}, ${minute}, CASE WHEN ${second} = 60 THEN 59 ELSE ${second} END)`;
    const isGiven = areGiven([hour, minute, second]);
    const error = raiseText('Input calculates to invalid time', { kind: 'TIME' });
    return duck`CASE WHEN NOT (${fits}) AND ${isGiven} THEN ${error} ELSE ${made} END`;
  });
}

/** From what clockTime() gives to the time that is meant, which may be on the next day. */
function leapSecond(second: Sql): Sql {
  return duck`to_seconds(CASE WHEN ${second} = 60 THEN 1 ELSE 0 END)`;
}

const timestamp: CallTranslator = (site) => {
  const value = argument(site, 0);
  const from = argumentType(site, 0);
  if (from.kind === 'TIMESTAMP') return value;
  const zone = zoneArgument(site, 1);
  if (from.kind === 'STRING') return timestampFromText(value, zone, site.sql.length > 1);
  const local = from.kind === 'DATE' ? duck`CAST(${value} AS TIMESTAMP)` : value;
  return zone === UTC ? local : inCalendar(fromLocal(local, zone), TIMESTAMP);
};

/** TIMESTAMP_SECONDS and its siblings; `unit` is how many microseconds one is. */
function fromUnix(unit: bigint): CallTranslator {
  return (site) => {
    if (argumentType(site, 0).kind === 'TIMESTAMP') return argument(site, 0);
    return withLocals([argument(site, 0)], (count) => {
      const isOutside = duck`${count} < ${-(-MIN_TIMESTAMP_MICROS / unit)} OR ${count} > ${MAX_TIMESTAMP_MICROS / unit}`;
      const error = raiseText(`${site.name}: the result is not between the years 1 and 9999`, TIMESTAMP);
      const micros = unit === 1n ? count : duck`${count} * ${unit}`;
      return duck`CASE WHEN ${isOutside} THEN ${error} ELSE make_timestamp(${micros}) END`;
    });
  };
}

/** UNIX_SECONDS and its siblings round towards the past, so that times before 1970 fall into their own second. */
function toUnix(unit: bigint): CallTranslator {
  return (site) => {
    const micros = duck`epoch_us(${argument(site, 0)})`;
    return unit === 1n
      ? micros
      : withLocals(
          [micros],
          (value) => duck`((${value} - (${value} % ${unit} + ${unit}) % ${unit}) // ${unit})`,
        );
  };
}

const now =
  (type: 'TIMESTAMP' | 'DATE' | 'TIME'): CallTranslator =>
  (site) => {
    const local = toLocal(site.context.now(), zoneArgument(site, 0));
    return type === 'TIMESTAMP' ? local : duck`CAST(${local} AS ${word(type)})`;
  };

const dateFromUnix: CallTranslator = (site) =>
  inCalendar(duck`(DATE '1970-01-01' + CAST(${argument(site, 0)} AS INTEGER))`, site.type);

/** Making dates and times from other values. */
export const DATE_CONSTRUCTORS: CallTranslators = {
  DATE: date,
  DATETIME: datetime,
  TIME: time,
  TIMESTAMP: timestamp,
  STRING: (site) => {
    const type = argumentType(site, 0);
    if (type.kind === 'JSON') return stringFromJson(site);
    return textOf(argument(site, 0), type, type.kind === 'TIMESTAMP' ? zoneArgument(site, 1) : undefined);
  },
  UNIX_DATE: (site) => duck`(${argument(site, 0)} - DATE '1970-01-01')`,
  DATE_FROM_UNIX_DATE: dateFromUnix,
  TIMESTAMP_MICROS: fromUnix(1n),
  TIMESTAMP_MILLIS: fromUnix(MICROS_PER_MS),
  TIMESTAMP_SECONDS: fromUnix(MICROS_PER_SECOND),
  TIMESTAMP_FROM_UNIX_MICROS: fromUnix(1n),
  TIMESTAMP_FROM_UNIX_MILLIS: fromUnix(MICROS_PER_MS),
  TIMESTAMP_FROM_UNIX_SECONDS: fromUnix(MICROS_PER_SECOND),
  UNIX_MICROS: toUnix(1n),
  UNIX_MILLIS: toUnix(MICROS_PER_MS),
  UNIX_SECONDS: toUnix(MICROS_PER_SECOND),
  CURRENT_TIMESTAMP: now('TIMESTAMP'),
  CURRENT_DATETIME: now('TIMESTAMP'),
  CURRENT_DATE: now('DATE'),
  CURRENT_TIME: now('TIME'),
};
