import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { FLOAT64 } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, joined, type Sql, word } from '../duck/sql.ts';
import { REFUSAL } from '../not-supported.ts';
import { type AggregateSite, type AggregateTranslator, call } from './aggregate-site.ts';
import { raiseText } from './fragments.ts';
import { magnitude } from './magnitude.ts';

/** Squares of numbers between these, and sums of the squares, are no infinity and keep their digits. */
const LEAST = word('1e-140::DOUBLE');
const GREATEST = word('1e140::DOUBLE');

/**
 * A statistic of values, or of pairs of values. NaN and infinities make NaN; numbers whose squares are no FLOAT64 are refused. With
 * fewer rows than `fewest` it is NULL.
 */
export function statistic(name: string, fewest: 1 | 2): AggregateTranslator {
  return (site) => {
    const { sql, over } = site;
    const [value = EMPTY] = sql;
    const areKnown = allOf(sql, (one) => duck`${one} IS NOT NULL`);
    const rows = call(site, 'count', [duck`CASE WHEN ${areKnown} THEN ${value} END`]);
    const refusal = raiseText(`${REFUSAL}${site.name} of such numbers`, FLOAT64);
    const checked = (values: readonly Sql[]) =>
      duck`WHEN ${rows} > 1 AND (${imprecision(site, values)}) THEN ${refusal} ELSE ${call(site, name, values)} END`;
    if (site.arguments.every((argument) => magnitude(argument) < 1e100)) return duck`CASE ${checked(sql)}`;
    const areTame = allOf(sql, isTame);
    const tameOnes = sql.map((one) => duck`CASE WHEN ${areTame} THEN ${one} END`);
    const areFinite = allOf(sql, (one) => duck`isfinite(${one})`);
    const isNan = duck`bool_or(${areKnown} AND NOT (${areFinite}))${over}`;
    const isExtreme = duck`bool_or(${areKnown} AND NOT (${areTame}))${over}`;
    return duck`CASE
      WHEN ${rows} < ${fewest} THEN NULL
      WHEN ${isNan} THEN 'nan'::DOUBLE
      WHEN ${isExtreme} THEN CASE WHEN ${rows} = 1 THEN 0::DOUBLE ELSE ${refusal} END
      ${checked(tameOnes)}`;
  };
}

function isTame(value: Sql): Sql {
  return duck`(${value} = 0 OR abs(${value}) BETWEEN ${LEAST} AND ${GREATEST})`;
}

function allOf(sql: readonly Sql[], condition: (value: Sql) => Sql): Sql {
  return joined(sql.map(condition), ' AND ');
}

/** Whether values lie so close together that FLOAT64 does not have the digits in which they differ. */
function imprecision(site: AggregateSite, values: readonly Sql[]): Sql {
  const conditions = values.map((value, index) => {
    const [most, spread] = [call(site, 'max', [duck`abs(${value})`]), call(site, 'var_pop', [value])];
    return isDecimal(site.arguments[index])
      ? duck`${most} >= 1e6 AND ${spread} < 1e-6 * ${most} * ${most}`
      : duck`${spread} > 0 AND ${spread} < 1e-24 * ${most} * ${most}`;
  });
  return joined(conditions, ' OR ');
}

function isDecimal(argument: ResolvedExpression | undefined): boolean {
  const type = argument?.kind === 'cast' ? argument.operand.type.kind : null;
  return type === 'NUMERIC' || type === 'BIGNUMERIC';
}
