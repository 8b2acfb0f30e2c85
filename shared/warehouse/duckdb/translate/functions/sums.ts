import { FLOAT64, NUMERIC } from '../../../../sql/types/sql-type.ts';
import { duck, mapped, type Sql, word } from '../duck/sql.ts';
import { notSupported, REFUSAL } from '../not-supported.ts';
import { type AggregateSite, type AggregateTranslator, call, first } from './aggregate-site.ts';
import { bigAverage, bigSum } from './big-decimals.ts';
import { duckType } from './duck-type.ts';
import { raiseText, withLocals } from './fragments.ts';
import { divideParts } from './intervals.ts';
import { magnitude } from './magnitude.ts';

/** DuckDB adds INT64 up as HUGEINT; a sum that INT64 does not hold is an error. */
export const sum: AggregateTranslator = (site) => {
  switch (site.type.kind) {
    case 'INTERVAL':
      return withLocals(
        intervalTotals(site),
        (months, days, micros) => duck`gsql_interval(${months}, ${days}, ${micros})`,
      );
    case 'INT64':
      return duck`CAST(${call(site, 'sum')} AS BIGINT)`;
    case 'NUMERIC':
      return withLocals(
        numericTotal(site),
        (units, fraction) => duck`gsql_numeric_sum(${units}, ${fraction})`,
      );
    case 'BIGNUMERIC':
      return bigSum(site);
    case 'FLOAT64':
      return finite(site, 'sum');
    default:
      throw notSupported(`SUM of ${site.type.kind}`);
  }
};

/** The average, which exists where the sum is out of range. */
export const average: AggregateTranslator = (site) => {
  const rows = duck`nullif(${call(site, 'count')}, 0)`;
  switch (site.type.kind) {
    case 'INTERVAL':
      return divideParts(intervalTotals(site), rows);
    case 'NUMERIC':
      return withLocals(
        [...numericTotal(site), rows],
        (units, fraction, count) => duck`gsql_numeric_average(${units}, ${fraction}, ${count})`,
      );
    case 'BIGNUMERIC':
      return bigAverage(site);
    case 'FLOAT64':
      return finite(site, 'avg');
    default:
      throw notSupported(`AVG of ${site.type.kind}`);
  }
};

/** DuckDB adds no INTERVALs up, so each part is added up by itself. */
function intervalTotals(site: AggregateSite): readonly [Sql, Sql, Sql] {
  const total = (part: string) =>
    site.distinct
      ? duck`list_sum(${mapped(call(site, 'list'), (one) => duck`${word(part)}(${one})`)})`
      : call(site, 'sum', [duck`${word(part)}(${first(site)})`]);
  return [total('gsql_months'), total('gsql_days'), total('gsql_micros')];
}

/** The sums of the units and of the fractions, since DuckDB's sum of DECIMALs that is too large comes out as another number. */
function numericTotal(site: AggregateSite): readonly [Sql, Sql] {
  const value = first(site);
  const type = duckType(NUMERIC);
  const units = (x: Sql) => duck`CAST(trunc(${x}) AS HUGEINT)`;
  const fraction = (x: Sql) => duck`CAST(${x} - trunc(${x}) AS ${type})`;
  if (!site.distinct) return [call(site, 'sum', [units(value)]), call(site, 'sum', [fraction(value)])];
  // A total that is surely in range is not another number.
  const most = duck`${call(site, 'count')} * max(abs(CAST(${value} AS DOUBLE)))${site.over}`;
  const total = duck`CASE
    WHEN ${most} < 9e28::DOUBLE THEN CAST(${call(site, 'sum')} AS ${type})
    WHEN ${most} IS NOT NULL THEN ${raiseText(`${REFUSAL}${site.name} of DISTINCT values that are as large`, NUMERIC)} END`;
  return [units(total), fraction(total)];
}

/** By so much a total is made smaller that came out as infinite. */
const SCALE = word('18446744073709551616::DOUBLE');

/** A total must not be infinite unless one of the values is. What overflowed on the way may still have a total. */
function finite(site: AggregateSite, name: string): Sql {
  const total = call(site, name);
  const [argument] = site.arguments;
  if (argument !== undefined && magnitude(argument) < 1e280) return total;
  const infinite = duck`bool_or(isinf(${first(site)}))${site.over}`;
  const scaled = duck`${call(site, name, [duck`${first(site)} / ${SCALE}`])} * ${SCALE}`;
  const error = raiseText('double overflow', FLOAT64);
  return duck`CASE
    WHEN isfinite(${total}) OR ${infinite} THEN ${total}
    WHEN isinf(${scaled}) THEN ${error}
    WHEN ${total} IS NOT NULL AND NOT isnan(${scaled}) THEN ${scaled}
    ELSE ${total} END`;
}
