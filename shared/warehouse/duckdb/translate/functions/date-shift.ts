import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { PART_MICROS, PART_MONTHS } from './date-parts.ts';
import { argument, argumentType, type Emission, type Emitter, type Emitters } from './emitter.ts';
import { bind, raiseText } from './fragments.ts';

const RANGES: Readonly<Record<string, readonly [string, string]>> = {
  DATE: ["DATE '0001-01-01'", "DATE '9999-12-31'"],
  DATETIME: ["TIMESTAMP '0001-01-01'", "TIMESTAMP '9999-12-31 23:59:59.999999'"],
  TIMESTAMP: ["TIMESTAMP '0001-01-01'", "TIMESTAMP '9999-12-31 23:59:59.999999'"],
};

/** A date or time that must lie between the years 1 and 9999, as GoogleSQL's types do; DuckDB's go further. */
export function inCalendar(sql: string, type: SqlType): string {
  const range = RANGES[type.kind];
  if (range === undefined) return sql;
  return bind([sql], (value) => {
    const isOutside = `${value} < ${range[0]} OR ${value} > ${range[1]}`;
    return `CASE WHEN ${isOutside} THEN ${raiseText(`${type.kind} overflow`, type)} ELSE ${value} END`;
  });
}

/** A date or time moved by a count of parts. Months keep the day, or take the month's last one. */
export function shiftBy(sql: string, count: string, part: string, type: SqlType, sign: '+' | '-'): string {
  const micros = PART_MICROS[part];
  const months = PART_MONTHS[part];
  if (type.kind === 'TIME' && micros !== undefined)
    return `(${sql} ${sign} to_microseconds(${count} * ${micros}))`;
  if (type.kind === 'DATE' && (part === 'DAY' || part === 'WEEK')) {
    return inCalendar(`(${sql} ${sign} CAST(${count}${part === 'WEEK' ? ' * 7' : ''} AS INTEGER))`, type);
  }
  if (part === 'DAY' || part === 'WEEK') {
    return inCalendar(
      `(${sql} ${sign} to_days(CAST(${count}${part === 'WEEK' ? ' * 7' : ''} AS INTEGER)))`,
      type,
    );
  }
  if (micros !== undefined) return inCalendar(`(${sql} ${sign} to_microseconds(${count} * ${micros}))`, type);
  if (months === undefined) throw new TypeError(`no such date part: ${part}`);
  const moved = `(${sql} ${sign} to_months(CAST(${count} * ${months} AS INTEGER)))`;
  return inCalendar(type.kind === 'DATE' ? `CAST(${moved} AS DATE)` : moved, type);
}

const shifted =
  (sign: '+' | '-'): Emitter =>
  (emission) => {
    const { part, type } = emission;
    if (part === null) throw new TypeError(`${emission.name} has a date part`);
    return shiftBy(argument(emission, 0), argument(emission, 1), part.name, type, sign);
  };

/** `date + 1`, `timestamp - INTERVAL 1 HOUR`: the calendar's side of the operators + and -. */
export function emitDateShift(emission: Emission): string {
  const sign = emission.name === '$ADD' ? '+' : '-';
  const isSwapped =
    argumentType(emission, 0).kind === 'INT64' || argumentType(emission, 0).kind === 'INTERVAL';
  const [base, step] = isSwapped ? [1, 0] : [0, 1];
  const value = argument(emission, base);
  const amount = emission.arguments[step];
  if (amount?.type.kind === 'INT64')
    return shiftBy(value, argument(emission, step), 'DAY', emission.type, sign);
  const day = argumentType(emission, base).kind === 'DATE' ? `CAST(${value} AS TIMESTAMP)` : value;
  const interval = argument(emission, step);
  if (emission.type.kind !== 'TIMESTAMP' || isFixedLength(amount))
    return inCalendar(`(${day} ${sign} ${interval})`, emission.type);
  return bind([interval], (some) => {
    const error = raiseText(NO_MONTHS, emission.type);
    return `CASE WHEN gsql_months(${some}) <> 0 THEN ${error} ELSE ${inCalendar(`(${day} ${sign} ${some})`, emission.type)} END`;
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
export const DATE_SHIFTS: Emitters = {
  ...Object.fromEntries(
    NAMES.flatMap((name) => [
      [`${name}_ADD`, shifted('+')],
      [`${name}_SUB`, shifted('-')],
    ]),
  ),
};
