import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { isWithinLimits } from '../../../../sql/values/interval-text.ts';
import { PART_MICROS } from '../../../../sql/values/part-micros.ts';
import { duck, EMPTY, type Sql, typedLiteral } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { argument, type CallTranslator, type CallTranslators, literalValue } from './call-site.ts';
import { PART_MONTHS } from './date-parts.ts';
import { inCalendar } from './date-shift.ts';
import { raiseText, withLocals } from './fragments.ts';
import { amountOf, makeInterval } from './intervals.ts';

/** TIMESTAMP_BUCKET and its siblings: the start of the interval, counted from an origin, that a value lies in. */
const bucket: CallTranslator = (site) => {
  const { part, type } = site;
  if (part === null) throw new TypeError(`${site.name} has a date part`);
  const [value, count] = [argument(site, 0), argument(site, 1)];
  const known = literalValue(site, 1);
  const isKnown = typeof known === 'bigint' && isWithinLimits(amountOf(part.name, known));
  // SAFE. does not hold for the interval.
  if (site.safe && !isKnown)
    throw notSupported(`SAFE.${site.name} with an interval that may be out of range`);
  const origin =
    site.sql[2] ?? typedLiteral(type.kind === 'DATE' ? "DATE '1950-01-01'" : "TIMESTAMP '1950-01-01'");
  return withLocals([value, count, origin], (at, n, from) => {
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
