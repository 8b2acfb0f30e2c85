import type { ResolvedWindow } from '../../../../sql/resolved/expression.ts';
import { duck, EMPTY, joined, type Sql, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { translateCast } from './casts.ts';
import { magnitude } from './magnitude.ts';
import { pointFromEnd, pointOfFloat, pointSql, quantilePoint } from './quantile-points.ts';
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
function pointOf({ name, arguments: list, nulls }: ResolvedWindow): bigint {
  const written = list[1]?.kind === 'cast' ? list[1].operand : list[1];
  const value = written?.kind === 'literal' ? written.value : null;
  if (value === null || value === undefined || !(Number(value) >= 0 && Number(value) <= 1))
    throw notSupported(`${name} with a percentile that is not a literal from 0 to 1`);
  if (nulls === 'RESPECT') throw notSupported(`${name} with RESPECT NULLS`);
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
