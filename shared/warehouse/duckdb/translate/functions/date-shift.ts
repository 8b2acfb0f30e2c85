import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { PART_MICROS } from '../../../../sql/values/part-micros.ts';
import { MICROS_PER_DAY } from '../../../../time/units.ts';
import { duck, EMPTY, type Sql, typedLiteral, word } from '../duck/sql.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
} from './call-site.ts';
import { PART_MONTHS } from './date-parts.ts';
import { raiseText, withLocals } from './fragments.ts';

const RANGES: Readonly<Record<string, readonly [Sql, Sql]>> = {
  DATE: [typedLiteral("DATE '0001-01-01'"), typedLiteral("DATE '9999-12-31'")],
  DATETIME: [typedLiteral("TIMESTAMP '0001-01-01'"), typedLiteral("TIMESTAMP '9999-12-31 23:59:59.999999'")],
  TIMESTAMP: [typedLiteral("TIMESTAMP '0001-01-01'"), typedLiteral("TIMESTAMP '9999-12-31 23:59:59.999999'")],
};

/** A date or time that must lie between the years 1 and 9999, as GoogleSQL's types do; DuckDB's go further. */
export function inCalendar(sql: Sql, type: SqlType): Sql {
  const range = RANGES[type.kind];
  if (range === undefined) return sql;
  return withLocals([sql], (value) => {
    const isOutside = duck`${value} < ${range[0]} OR ${value} > ${range[1]}`;
    return duck`CASE WHEN ${isOutside} THEN ${raiseText(`${type.kind} overflow`, type)} ELSE ${value} END`;
  });
}

/** A date or time moved by a count of parts. Months keep the day, or take the month's last one. No count moves NULL too far. */
export function shiftBy(sql: Sql, count: Sql, part: string, type: SqlType, sign: '+' | '-'): Sql {
  if (count.properties.isConstant) return shiftPresent(sql, count, part, type, sign);
  return withLocals([sql], (value) =>
    shiftPresent(value, duck`CASE WHEN ${value} IS NOT NULL THEN ${count} END`, part, type, sign),
  );
}

function shiftPresent(sql: Sql, count: Sql, part: string, type: SqlType, sign: '+' | '-'): Sql {
  const operator = word(sign);
  const weeks = part === 'WEEK' ? word(' * 7') : EMPTY;
  const micros = PART_MICROS[part];
  const months = PART_MONTHS[part];
  if (type.kind === 'TIME' && micros !== undefined) {
    // Clocks go round, so what is left of whole days counts.
    return duck`(${sql} ${operator} to_microseconds(${count} % ${MICROS_PER_DAY / micros} * ${micros}))`;
  }
  if (leavesCalendar(count, part)) {
    const error = raiseText(`${type.kind} overflow`, type);
    return duck`CASE WHEN ${sql} IS NOT NULL THEN ${error} END`;
  }
  if (type.kind === 'DATE' && (part === 'DAY' || part === 'WEEK')) {
    return inCalendar(duck`(${sql} ${operator} CAST(${count}${weeks} AS INTEGER))`, type);
  }
  if (part === 'DAY' || part === 'WEEK') {
    return inCalendar(duck`(${sql} ${operator} to_days(CAST(${count}${weeks} AS INTEGER)))`, type);
  }
  if (micros !== undefined)
    return inCalendar(duck`(${sql} ${operator} to_microseconds(${count} * ${micros}))`, type);
  if (months === undefined) throw new TypeError(`no such date part: ${part}`);
  const moved = duck`(${sql} ${operator} to_months(CAST(${count} * ${months} AS INTEGER)))`;
  return inCalendar(type.kind === 'DATE' ? duck`CAST(${moved} AS DATE)` : moved, type);
}

const MICROS_IN_CALENDAR = 10_000n * 366n * MICROS_PER_DAY;

/** Whether a count that the query says is more than lies between the years 1 and 9999: DuckDB fails while it multiplies. */
function leavesCalendar({ literal: count }: Sql, part: string): boolean {
  if (typeof count !== 'bigint') return false;
  const days = BigInt(part === 'WEEK' ? 7 : (PART_MONTHS[part] ?? 1) * 28);
  const micros = PART_MICROS[part] ?? days * MICROS_PER_DAY;
  return (count < 0n ? -count : count) * micros > MICROS_IN_CALENDAR;
}

const shifted =
  (sign: '+' | '-'): CallTranslator =>
  (site) => {
    const { part, type } = site;
    if (part === null) throw new TypeError(`${site.name} has a date part`);
    return shiftBy(argument(site, 0), argument(site, 1), part.name, type, sign);
  };

/** `date + 1`, `timestamp - INTERVAL 1 HOUR`: the calendar's side of the operators + and -. */
export function translateDateShift(site: CallSite): Sql {
  const sign = site.name === '$ADD' ? '+' : '-';
  const isSwapped = argumentType(site, 0).kind === 'INT64' || argumentType(site, 0).kind === 'INTERVAL';
  const [base, step] = isSwapped ? [1, 0] : [0, 1];
  const value = argument(site, base);
  const amount = site.arguments[step];
  if (amount?.type.kind === 'INT64') return shiftBy(value, argument(site, step), 'DAY', site.type, sign);
  const operator = word(sign);
  const day = argumentType(site, base).kind === 'DATE' ? duck`CAST(${value} AS TIMESTAMP)` : value;
  const interval = argument(site, step);
  if (site.type.kind !== 'TIMESTAMP' || isFixedLength(amount))
    return inCalendar(duck`(${day} ${operator} ${interval})`, site.type);
  return withLocals([interval], (some) => {
    const error = raiseText(NO_MONTHS, site.type);
    return duck`CASE WHEN gsql_months(${some}) <> 0 AND ${day} IS NOT NULL THEN ${error} ELSE ${inCalendar(duck`(${day} ${operator} ${some})`, site.type)} END`;
  });
}

const NO_MONTHS = 'TIMESTAMP +/- INTERVAL is not supported for intervals with non-zero MONTH or YEAR part.';

/** Whether an interval has no months, as far as the query says. */
function isFixedLength(interval: ResolvedExpression | undefined): boolean {
  if (interval?.kind === 'literal') return interval.value === null || String(interval.value).startsWith('0 ');
  if (interval?.kind !== 'call' || interval.name !== '$INTERVAL') return false;
  return PART_MONTHS[interval.part?.name ?? ''] === undefined;
}

const NAMES = ['DATE', 'DATETIME', 'TIMESTAMP', 'TIME'];

/** DATE_ADD and its siblings. */
export const DATE_SHIFTS: CallTranslators = {
  ...Object.fromEntries(
    NAMES.flatMap((name) => [
      [`${name}_ADD`, shifted('+')],
      [`${name}_SUB`, shifted('-')],
    ]),
  ),
};
