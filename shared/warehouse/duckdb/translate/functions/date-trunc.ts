import type { ResolvedCall } from '../../../../sql/resolved/expression.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { DATE, DATETIME } from '../../../../sql/types/sql-type.ts';
import { PART_MICROS } from '../../../../sql/values/part-micros.ts';
import { bigint, duck, EMPTY, filtered, mapped, type Sql, textLiteral, word } from '../duck/sql.ts';
import { LONG_SERIES } from './arrays.ts';
import { argument, argumentType, type CallTranslator, type CallTranslators } from './call-site.ts';
import { PART_MONTHS, weekShift } from './date-parts.ts';
import { inCalendar, shiftBy } from './date-shift.ts';
import { raiseText, unfolded, withLocals } from './fragments.ts';
import { MAX_ELEMENTS } from './sizes.ts';
import { fromLocal, toLocal, UTC, zoneArgument } from './time-zones.ts';

/** The date part of a resolved call. */
export type Part = NonNullable<ResolvedCall['part']>;

/** DuckDB's names of the parts that it begins where GoogleSQL does. */
const UNITS: Readonly<Record<string, string>> = {
  MILLISECOND: 'milliseconds',
  SECOND: 'second',
  MINUTE: 'minute',
  HOUR: 'hour',
  DAY: 'day',
  ISOWEEK: 'week',
  MONTH: 'month',
  QUARTER: 'quarter',
  YEAR: 'year',
  ISOYEAR: 'isoyear',
};

/** The beginning of the part that a date or local time lies in. */
export function truncate(sql: Sql, part: Part, type: SqlType): Sql {
  const isDate = type.kind === 'DATE';
  if (part.name === 'MICROSECOND' || (isDate && part.name === 'DAY')) return sql;
  const whole = (text: Sql) => (isDate ? duck`CAST(${text} AS DATE)` : text);
  if (part.name === 'WEEK') {
    const shift = weekShift(part.weekday);
    if (shift === 0) return whole(duck`date_trunc('week', ${sql})`);
    const days = isDate ? duck`${shift}` : duck`to_days(${shift})`;
    return duck`(${whole(duck`date_trunc('week', ${sql} + ${days})`)} - ${days})`;
  }
  const unit = UNITS[part.name];
  if (unit === undefined) throw new TypeError(`no such date part: ${part.name}`);
  if (type.kind === 'TIME') {
    const size = PART_MICROS[part.name] ?? 1n;
    return withLocals([sql], (value) => duck`(${value} - to_microseconds(epoch_us(${value}) % ${size}))`);
  }
  return whole(duck`date_trunc(${textLiteral(unit)}, ${sql})`);
}

/** Weeks, and years made of weeks, may begin before the calendar does. */
function truncateInCalendar(sql: Sql, part: Part, type: SqlType): Sql {
  const start = truncate(sql, part, type);
  return part.name === 'WEEK' || part.name.startsWith('ISO') ? inCalendar(start, type) : start;
}

const translateTruncate: CallTranslator = (site) => {
  const { part, type } = site;
  if (part === null) throw new TypeError(`${site.name} has a date part`);
  const value = argument(site, 0);
  const zone = type.kind === 'TIMESTAMP' ? zoneArgument(site, 1) : UTC;
  if (zone === UTC) return truncateInCalendar(value, part, type);
  const local = toLocal(value, zone);
  if (part.name === 'MINUTE' || part.name === 'HOUR') {
    // Within an hour clocks do not change, so what is cut off locally is cut off from the instant.
    return withLocals([value, local], (instant, shown) =>
      inCalendar(duck`(${instant} - (${shown} - ${truncate(shown, part, type)}))`, type),
    );
  }
  if (PART_MICROS[part.name] !== undefined && part.name !== 'DAY') {
    const start = truncate(value, part, type);
    // The zone changes nothing, unless there is no such zone.
    return zone.kind === 'offset' ? start : duck`CASE WHEN ${local} IS NOT NULL THEN ${start} END`;
  }
  // The year of weeks is that of the local date, which has to be one.
  const day = part.name === 'ISOYEAR' ? inCalendar(local, DATETIME) : local;
  return inCalendar(fromLocal(truncate(day, part, type), zone), type);
};

/** LAST_DAY: the last day of the part, the month where none is named. */
const lastDay: CallTranslator = (site) => {
  const part = site.part ?? { name: 'MONTH', weekday: null };
  const isDate = argumentType(site, 0).kind === 'DATE';
  const date = isDate ? argument(site, 0) : duck`CAST(${argument(site, 0)} AS DATE)`;
  if (part.name === 'MONTH') return duck`last_day(${date})`;
  const start = truncate(date, part, DATE);
  if (part.name === 'WEEK' || part.name === 'ISOWEEK') return inCalendar(duck`(${start} + 6)`, DATE);
  // Years of the ISO calendar have 364 or 371 days, so 375 days on lies in the next one.
  if (part.name === 'ISOYEAR')
    return inCalendar(duck`(${truncate(duck`(${start} + 375)`, part, DATE)} - 1)`, DATE);
  return duck`(CAST(${start} + to_months(${part.name === 'QUARTER' ? 3 : 12}) AS DATE) - 1)`;
};

/** GENERATE_DATE_ARRAY and GENERATE_TIMESTAMP_ARRAY. */
const generate: CallTranslator = (site) => {
  const { part, type } = site;
  if (type.kind !== 'ARRAY') throw new TypeError(`${site.name} gives an array`);
  const [start, end] = [argument(site, 0), argument(site, 1)];
  const count = site.sql[2] ?? bigint(1n);
  const name = part?.name ?? 'DAY';
  return withLocals([start, end, count], (from, to, n) => {
    const zero = site.safe ? word('NULL') : raiseText('Sequence step cannot be 0.', type);
    const far = distance(from, to, { name, weekday: null });
    const refusal = raiseText(LONG_SERIES, type);
    const long = site.safe ? refusal.refusing() : refusal;
    const steps = duck`gsql_steps(${unfolded(far)}, ${n})`;
    const shift = (index: Sql) => unchecked(from, index, name, type.element);
    const isFixed = PART_MONTHS[name] === undefined;
    const at = isFixed ? mapped(steps, shift) : clampedMonths(steps, shift);
    const kept = filtered(
      at,
      (day) => duck`CASE WHEN ${n} > 0 THEN ${day} <= ${to} ELSE ${day} >= ${to} END`,
    );
    return duck`CASE WHEN ${from} IS NULL OR ${to} IS NULL OR ${n} IS NULL THEN NULL WHEN ${n} = 0 THEN ${zero} WHEN (${far})::HUGEINT // ${n} >= ${MAX_ELEMENTS} THEN ${long} ELSE ${kept} END`;
  });
};

/** After this many steps of months every combination of month and leap year has occurred. */
const MONTH_CYCLE = 300;

/** Each step starts from the date before it: once a short month has cut the day, later ones keep it. */
function clampedMonths(steps: Sql, shift: (index: Sql) => Sql): Sql {
  return withLocals([steps], (all) => {
    const cycle = duck`${all}[1:${MONTH_CYCLE + 1}]`;
    const lowest = mapped(cycle, (last) => {
      const steps = filtered(cycle, (step) => duck`abs(${step}) <= abs(${last})`);
      return duck`list_min(${mapped(steps, (step) => duck`day(${shift(step)})`)})`;
    });
    return withLocals([lowest], (days) =>
      mapped(all, (step, position) => {
        const cut = duck`greatest(day(${shift(step)}) - ${days}[least(${position}, ${MONTH_CYCLE + 1})], 0)`;
        return duck`${shift(step)} - CAST(${cut} AS INTEGER)`;
      }),
    );
  });
}

/** How far `to` lies from `from` in parts, rounded away from zero by one part to be on the safe side. */
function distance(from: Sql, to: Sql, part: Part): Sql {
  const days = duck`date_diff('day', ${from}, ${to})`;
  if (part.name === 'DAY') return days;
  if (part.name === 'WEEK') return duck`${days} // 7`;
  const micros = PART_MICROS[part.name];
  if (micros !== undefined) return duck`(epoch_us(${to}) - epoch_us(${from})) // ${micros}`;
  return duck`date_diff(${textLiteral(part.name.toLowerCase())}, ${from}, ${to})`;
}

function unchecked(from: Sql, count: Sql, part: string, type: SqlType): Sql {
  if (type.kind === 'DATE' && (part === 'DAY' || part === 'WEEK')) {
    return duck`${from} + CAST(${count}${part === 'WEEK' ? word(' * 7') : EMPTY} AS INTEGER)`;
  }
  if (type.kind === 'DATE') return shiftBy(from, count, part, type, '+');
  return duck`${from} + to_microseconds(${count} * ${PART_MICROS[part] ?? 1n})`;
}

/** Functions that find where parts begin and end. */
export const DATE_BOUNDS: CallTranslators = {
  DATE_TRUNC: translateTruncate,
  DATETIME_TRUNC: translateTruncate,
  TIMESTAMP_TRUNC: translateTruncate,
  TIME_TRUNC: translateTruncate,
  LAST_DAY: lastDay,
  GENERATE_DATE_ARRAY: generate,
  GENERATE_TIMESTAMP_ARRAY: generate,
};
