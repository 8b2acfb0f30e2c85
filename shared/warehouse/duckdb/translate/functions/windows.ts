import type { ResolvedWindow } from '../../../../sql/resolved/expression.ts';
import { duck, EMPTY, joined, type Sql, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { translateCast } from './casts.ts';
import { magnitude } from './magnitude.ts';
import { nullsFirst, pointFromEnd, pointOfFloat, pointSql, quantilePoint } from './quantile-points.ts';
import { limited, type MeasureWork, rowsOfFrames } from './window-work.ts';

interface WindowTranslator {
  (window: ResolvedWindow, sql: readonly Sql[], over: Sql): Sql;
  readonly measureWork?: MeasureWork;
}

const plain =
  (name: string): WindowTranslator =>
  (_window, sql, over) =>
    duck`${word(name)}(${joined(sql, ', ')}) ${over}`;

/** LAG and LEAD; DuckDB turns round for a negative offset, which GoogleSQL refuses. */
const neighbour =
  (name: string): WindowTranslator =>
  (window, sql, over) => {
    const offset = window.arguments[1];
    if (offset !== undefined && offset.kind !== 'parameter') {
      const value = offset.kind === 'literal' ? offset.value : null;
      if (typeof value !== 'bigint' || value < 0n) {
        throw notSupported(`${window.name} with an offset that is not a literal of at least 0`);
      }
    }
    return duck`${word(name)}(${joined(sql, ', ')}) ${over}`;
  };

const position = (name: string): WindowTranslator =>
  limited((window: ResolvedWindow, sql: readonly Sql[], over: Sql) => {
    const nulls = window.nulls === 'IGNORE' ? word(' IGNORE NULLS') : EMPTY;
    return duck`${word(name)}(${joined(sql, ', ')}${nulls}) ${over}`;
  }, rowsOfFrames);

/** The percentile that a call names, as a point of DuckDB's quantiles. */
function pointOf({ name, arguments: list }: ResolvedWindow): bigint {
  const written = list[1]?.kind === 'cast' ? list[1].operand : list[1];
  const value = written?.kind === 'literal' ? written.value : null;
  if (value === null || value === undefined || !(Number(value) >= 0 && Number(value) <= 1))
    throw notSupported(`${name} with a percentile that is not a literal from 0 to 1`);
  if (typeof value === 'number') return pointOfFloat(value);
  const [whole = '', fraction = ''] = String(value).split('.');
  return quantilePoint(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
}

/**
 * PERCENTILE_CONT and PERCENTILE_DISC. GoogleSQL has NaN before all numbers, DuckDB after them, so values that may be NaN are sorted the
 * other way round.
 */
const percentile =
  (name: string): WindowTranslator =>
  (window, sql, over) => {
    const [value] = window.arguments;
    const [first = EMPTY] = sql;
    const point = pointOf(window);
    const { type } = window.column;
    if (window.name === 'PERCENTILE_CONT' && type.kind !== 'FLOAT64')
      throw notSupported(`${window.name} on ${type.kind}`);
    const isDecimal = value !== undefined && type.kind === 'FLOAT64' && value.type.kind !== 'FLOAT64';
    const respectsNulls = window.nulls === 'RESPECT';
    if (respectsNulls && window.name === 'PERCENTILE_DISC')
      return duck`struct_extract(quantile_disc(${nullsFirst(first, type)}, ${pointSql(point)}) ${over}, 'v')`;
    if (respectsNulls)
      return continuousWithNulls(isDecimal ? translateCast(first, value.type, type) : first, point, over);
    if (isDecimal)
      return duck`${word(name)}(${translateCast(first, value.type, type)}, ${pointSql(point)}) ${over}`;
    const mayBeNaN = type.kind === 'FLOAT64' && !(value !== undefined && magnitude(value) < Infinity);
    if (!mayBeNaN) return duck`${word(name)}(${first}, ${pointSql(point)}) ${over}`;
    const turned = duck`(- ${word(name)}(- ${first}, ${pointSql(pointFromEnd(point))}) ${over})`;
    if (window.name === 'PERCENTILE_DISC') return turned;
    // Between two values zero may get another sign when they are turned round.
    const plain = duck`${word(name)}(${first}, ${pointSql(point)}) ${over}`;
    return duck`CASE WHEN bool_or(isnan(${first})) ${over} THEN ${turned} ELSE ${plain} END`;
  };

/**
 * PERCENTILE_CONT with RESPECT NULLS: NULL comes before all values, between NULL and a value there is that value, and between two NULLs
 * NULL. How much of the values is in the percentile says which of these it is; where it is between two values, what stands for
 * NULL comes before both.
 */
function continuousWithNulls(value: Sql, point: bigint, over: Sql): Sql {
  const hasNaN = duck`bool_or(isnan(${value})) ${over}`;
  const weight = duck`quantile_cont(CASE WHEN ${value} IS NULL THEN 0.0::DOUBLE ELSE 1.0::DOUBLE END, ${pointSql(point)}) ${over}`;
  const turned = duck`(- quantile_cont(- coalesce(${value}, 'nan'::DOUBLE), ${pointSql(pointFromEnd(point))}) ${over})`;
  const plain = duck`quantile_cont(coalesce(${value}, '-inf'::DOUBLE), ${pointSql(point)}) ${over}`;
  const least = duck`CASE WHEN ${hasNaN} THEN 'nan'::DOUBLE ELSE min(${value}) ${over} END`;
  return duck`CASE WHEN ${weight} = 0 THEN NULL WHEN ${weight} < 1 THEN ${least} WHEN ${hasNaN} THEN ${turned} ELSE ${plain} END`;
}

const WINDOWS: Readonly<Record<string, WindowTranslator>> = {
  ROW_NUMBER: plain('row_number'),
  RANK: plain('rank'),
  DENSE_RANK: plain('dense_rank'),
  PERCENT_RANK: plain('percent_rank'),
  CUME_DIST: plain('cume_dist'),
  NTILE: plain('ntile'),
  LAG: neighbour('lag'),
  LEAD: neighbour('lead'),
  FIRST_VALUE: position('first_value'),
  LAST_VALUE: position('last_value'),
  NTH_VALUE: position('nth_value'),
  PERCENTILE_CONT: percentile('quantile_cont'),
  PERCENTILE_DISC: percentile('quantile_disc'),
};

/** The translator of a window function with its OVER; undefined for one that DuckDB does not compute. */
export function findWindowFunction(name: string): WindowTranslator | undefined {
  return WINDOWS[name];
}
