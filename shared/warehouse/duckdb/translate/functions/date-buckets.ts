import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { isWithinLimits } from '../../../../sql/values/interval-text.ts';
import { PART_MICROS } from '../../../../sql/values/part-micros.ts';
import { duck, EMPTY, type Sql, typedLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { PART_MONTHS } from './date-parts.ts';
import { inCalendar } from './date-shift.ts';
import { raiseText, withLocals } from './fragments.ts';
import { amountOf, makeInterval } from './intervals.ts';

/** TIMESTAMP_BUCKET and its siblings: the start of the interval, counted from an origin, that a value lies in. */
const bucket: CallTranslator = (site) => {
  const { part, type } = site;
  if (part === null) return bucketOfInterval(site);
  const [value, count] = [argument(site, 0), argument(site, 1)];
  const known = literalValue(site, 1);
  const isKnown = typeof known === 'bigint' && isWithinLimits(amountOf(part.name, known));
  // SAFE. does not hold for the interval.
  if (site.safe && !isKnown)
    throw notSupported(`SAFE.${site.name} with an interval that may be out of range`);
  return withLocals([value, count, originOf(site)], (at, n, from) => {
    const error = raiseText(`${site.name} requires an interval that is greater than zero`, type);
    const unlimited = isKnown ? EMPTY : duck`WHEN ${makeInterval(n, part.name)} IS NULL THEN NULL `;
    const months = PART_MONTHS[part.name];
    const start =
      months === undefined
        ? fixedStart(at, duck`(${n} * ${microsOf(part.name)})`, from, type)
        : monthStart(at, duck`(${n} * ${months})`, from, type);
    const isGiven = duck`${at} IS NOT NULL AND ${from} IS NOT NULL`;
    return duck`CASE
      ${unlimited}WHEN ${n} <= 0 AND ${isGiven} THEN ${error}
      WHEN ${n} <= 0 THEN NULL
      ELSE ${inCalendar(start, type)} END`;
  });
};

function originOf({ sql, type }: CallSite): Sql {
  return sql[2] ?? typedLiteral(type.kind === 'DATE' ? "DATE '1950-01-01'" : "TIMESTAMP '1950-01-01'");
}

/** The same for an INTERVAL that is a value: months, days or a time, of which it has one, and no other than its type allows. */
const bucketOfInterval: CallTranslator = (site) => {
  const { type } = site;
  return withLocals([argument(site, 0), argument(site, 1), originOf(site)], (at, interval, from) => {
    const fields = ['months', 'days', 'micros'].map((unit) => duck`${word(`gsql_${unit}`)}(${interval})`);
    return withLocals(fields, (months, days, micros) => {
      const width = duck`(${days} * ${PART_MICROS.DAY} + ${micros})`;
      const fixed = fixedStart(at, width, from, type);
      const start =
        type.kind === 'TIMESTAMP'
          ? fixed
          : duck`CASE WHEN ${months} <> 0 THEN ${monthStart(at, months, from, type)} ELSE ${fixed} END`;
      const isAllowed = type.kind === 'DATE' ? duck`${micros} = 0` : word('true');
      const isOne = duck`(${months} <> 0)::INTEGER + (${days} <> 0)::INTEGER + (${micros} <> 0)::INTEGER = 1`;
      const hasNoMonths = type.kind === 'TIMESTAMP' ? duck`${months} = 0` : word('true');
      const fits = duck`${isAllowed} AND ${hasNoMonths} AND ${isOne} AND ${months} >= 0 AND ${days} >= 0 AND ${micros} >= 0`;
      const error = raiseText(`${site.name} requires an interval ${WIDTHS[type.kind] ?? ''}`, type);
      return duck`CASE
        WHEN ${at} IS NULL OR ${interval} IS NULL OR ${from} IS NULL THEN NULL
        WHEN NOT (${fits}) THEN ${error}
        ELSE ${inCalendar(start, type)} END`;
    });
  });
};

/** What the width of a bucket is. */
const WIDTHS: Readonly<Record<string, string>> = {
  DATE: 'of months or of days that is greater than zero',
  DATETIME: 'of months, of days or of a time that is greater than zero',
  TIMESTAMP: 'of days or of a time that is greater than zero',
};

function microsOf(part: string): bigint {
  return part === 'WEEK' ? 7n * (PART_MICROS.DAY ?? 0n) : (PART_MICROS[part] ?? 1n);
}

function fixedStart(at: Sql, width: Sql, from: Sql, type: SqlType): Sql {
  const micros = duck`(epoch_us(${at}) - epoch_us(${from}))`;
  const into = duck`((${micros} % ${width} + ${width}) % ${width})`;
  const start = duck`make_timestamp(epoch_us(${at}) - ${into})`;
  return type.kind === 'DATE' ? duck`CAST(${start} AS DATE)` : start;
}

/** Each start is whole months from the origin: its day, or the month's last one. */
function monthStart(at: Sql, width: Sql, from: Sql, type: SqlType): Sql {
  const moved = (months: Sql) => duck`(${from} + to_months(CAST(${months} AS INTEGER)))`;
  const between = duck`((year(${at}) - year(${from})) * 12 + month(${at}) - month(${from}))`;
  return withLocals([between], (months) => {
    const whole = duck`(${months} - CASE WHEN ${moved(months)} > ${at} THEN 1 ELSE 0 END)`;
    return withLocals([whole, width], (count, size) => {
      const start = moved(duck`${count} - (${count} % ${size} + ${size}) % ${size}`);
      return type.kind === 'DATE' ? duck`CAST(${start} AS DATE)` : start;
    });
  });
}

/** DATE_BUCKET, DATETIME_BUCKET and TIMESTAMP_BUCKET. */
export const DATE_BUCKETS: CallTranslators = {
  DATE_BUCKET: bucket,
  DATETIME_BUCKET: bucket,
  TIMESTAMP_BUCKET: bucket,
};
