import type { ResolvedWindow } from '../../../../sql/resolved/expression.ts';
import { duck, EMPTY, joined, type Sql, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { limited, type MeasureWork, rowsOfFrames } from './window-work.ts';

interface WindowTranslator {
  (window: ResolvedWindow, sql: readonly Sql[]): Sql;
  readonly measureWork?: MeasureWork;
}

const plain =
  (name: string): WindowTranslator =>
  (_window, sql) =>
    duck`${word(name)}(${joined(sql, ', ')})`;

/** LAG and LEAD; DuckDB turns round for a negative offset, which GoogleSQL refuses. */
const neighbour =
  (name: string): WindowTranslator =>
  (window, sql) => {
    const offset = window.arguments[1];
    if (offset !== undefined && offset.kind !== 'parameter') {
      const value = offset.kind === 'literal' ? offset.value : null;
      if (typeof value !== 'bigint' || value < 0n) {
        throw notSupported(`${window.name} with an offset that is not a literal of at least 0`);
      }
    }
    return duck`${word(name)}(${joined(sql, ', ')})`;
  };

const position = (name: string): WindowTranslator =>
  limited(
    (window: ResolvedWindow, sql: readonly Sql[]) =>
      duck`${word(name)}(${joined(sql, ', ')}${window.nulls === 'IGNORE' ? word(' IGNORE NULLS') : EMPTY})`,
    rowsOfFrames,
  );

const percentile =
  (name: string): WindowTranslator =>
  (window, sql) => {
    const point = window.arguments[1];
    const value = point?.kind === 'literal' ? Number(point.value) : Number.NaN;
    if (!(value >= 0 && value <= 1))
      throw notSupported(`${window.name} with a percentile that is not a literal from 0 to 1`);
    if (window.nulls === 'RESPECT') throw notSupported(`${window.name} with RESPECT NULLS`);
    return duck`${word(name)}(${sql[0]}, ${value}::DOUBLE)`;
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

/** The translator of a window function, without its OVER; undefined for one that DuckDB does not compute. */
export function findWindowFunction(name: string): WindowTranslator | undefined {
  return WINDOWS[name];
}
