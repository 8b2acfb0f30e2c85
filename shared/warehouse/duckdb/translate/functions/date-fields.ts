import { DATE, type SqlType } from '../../../../sql/types/sql-type.ts';
import { PART_MICROS } from '../../../../sql/values/part-micros.ts';
import { duck, type Sql, textLiteral, word } from '../duck/sql.ts';
import { argument, argumentType, type CallTranslator, type CallTranslators } from './call-site.ts';
import { weekdayIndex } from './date-parts.ts';
import { type Part, truncate } from './date-trunc.ts';
import { withLocals } from './fragments.ts';
import { intervalField } from './intervals.ts';
import { localDate, localValue } from './local-value.ts';

/** DuckDB's functions for fields that it counts as GoogleSQL does. */
const FIELDS: Readonly<Record<string, string>> = {
  SECOND: 'second',
  MINUTE: 'minute',
  HOUR: 'hour',
  DAY: 'day',
  DAYOFYEAR: 'dayofyear',
  ISOWEEK: 'weekofyear',
  MONTH: 'month',
  QUARTER: 'quarter',
  YEAR: 'year',
  ISOYEAR: 'isoyear',
};

/** A field of a date or local time: EXTRACT(part FROM value). */
export function field(sql: Sql, part: Part): Sql {
  const name = FIELDS[part.name];
  if (name !== undefined) return duck`${word(name)}(${sql})`;
  if (part.name === 'DAYOFWEEK') return duck`(dayofweek(${sql}) + 1)`;
  if (part.name === 'MICROSECOND') return duck`(microsecond(${sql}) % 1000000)`;
  if (part.name === 'MILLISECOND') return duck`(millisecond(${sql}) % 1000)`;
  // Days before the year's first such weekday are in week 0.
  const first = weekdayIndex(part.weekday);
  return withLocals(
    [sql],
    (value) => duck`((dayofyear(${value}) + 6 - (dayofweek(${value}) - ${first} + 7) % 7) // 7)`,
  );
}

const extract: CallTranslator = (site) => {
  if (site.part === null) throw new TypeError('EXTRACT has a part');
  if (argumentType(site, 0).kind === 'INTERVAL') return intervalField(argument(site, 0), site.part.name);
  return field(localValue(site), site.part);
};

/** Whole parts between two values: of TIMESTAMPs the full ones, of other types how many beginnings lie between. */
const difference: CallTranslator = (site) => {
  const { part } = site;
  if (part === null) throw new TypeError(`${site.name} has a date part`);
  const [later, earlier] = [argument(site, 0), argument(site, 1)];
  const type = argumentType(site, 0);
  const micros = PART_MICROS[part.name];
  if (type.kind === 'TIMESTAMP') return fullParts(later, earlier, micros ?? 1n);
  if (type.kind === 'TIME')
    return duck`(epoch_us(${later}) // ${micros ?? 1n} - epoch_us(${earlier}) // ${micros ?? 1n})`;
  if (type.kind === 'DATE' && part.name === 'DAY') return duck`(${later} - ${earlier})`;
  return beginnings(later, earlier, part, type);
};

function fullParts(later: Sql, earlier: Sql, micros: bigint): Sql {
  const difference = duck`(epoch_us(${later}) - epoch_us(${earlier}))`;
  return micros === 1n ? difference : duck`(${difference} // ${micros})`;
}

function beginnings(later: Sql, earlier: Sql, part: Part, type: SqlType): Sql {
  const day = (sql: Sql) => (type.kind === 'DATE' ? sql : duck`CAST(${sql} AS DATE)`);
  switch (part.name) {
    case 'MICROSECOND':
      return fullParts(later, earlier, 1n);
    case 'WEEK':
    case 'ISOWEEK':
      return duck`((${truncate(day(later), part, DATE)} - ${truncate(day(earlier), part, DATE)}) // 7)`;
    case 'ISOYEAR':
      return duck`(isoyear(${later}) - isoyear(${earlier}))`;
    default:
      return duck`date_diff(${textLiteral(part.name.toLowerCase())}, ${earlier}, ${later})`;
  }
}

/** Reading fields and measuring distances. */
export const DATE_FIELDS: CallTranslators = {
  $EXTRACT: extract,
  $EXTRACT_DATE: (site) => duck`CAST(${localDate(site)} AS DATE)`,
  $EXTRACT_DATETIME: localDate,
  $EXTRACT_TIME: (site) => duck`CAST(${localValue(site)} AS TIME)`,
  DATE_DIFF: difference,
  DATETIME_DIFF: difference,
  TIMESTAMP_DIFF: difference,
  TIME_DIFF: difference,
};
