import type { ResolvedAggregate } from '../../../../sql/resolved/expression.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, joined, type Sql, word } from '../duck/sql.ts';
import type { MeasureWork } from './window-work.ts';

/** The SQL of an aggregate's parts. */
export interface AggregateParts {
  readonly sql: readonly Sql[];
  /** What HAVING MAX or MIN compares. */
  readonly having: Sql | null;
  /** The condition on the rows that HAVING MAX or MIN leaves, if they are not found by `having`. */
  readonly only: Sql | null;
  /** Of APPROX_TOP_SUM, the sum for the row's value; `only` is true of one row for each value. */
  readonly total: Sql | null;
  /** The keys of ORDER BY, joined. */
  readonly orderBy: Sql | null;
  /** Whether the rows are grouped by ROLLUP, CUBE or GROUPING SETS. */
  readonly groupsBySets: boolean;
}

/** An aggregate's call with its SQL. `over` is what follows the function's call: nothing, ` FILTER (…)` or ` OVER (…)`. */
export interface AggregateSite
  extends AggregateParts,
    Pick<ResolvedAggregate, 'name' | 'arguments' | 'distinct' | 'nulls' | 'limit'> {
  readonly type: SqlType;
  readonly bound: 'MAX' | 'MIN' | null;
  readonly over: Sql;
}

/**
 * DuckDB SQL that computes an aggregate; throws notSupported() where DuckDB has no exact answer. `measureWork` limits
 * the call over a window.
 */
export interface AggregateTranslator {
  (site: AggregateSite): Sql;
  readonly measureWork?: MeasureWork;
}

/** The SQL of the first argument. */
export const first = ({ sql }: AggregateSite): Sql => sql[0] ?? EMPTY;

/** A call of a DuckDB aggregate, of the arguments or of a list of others. */
export function call(site: AggregateSite, name: string, list: readonly Sql[] = site.sql): Sql {
  const distinct = site.distinct ? word('DISTINCT ') : EMPTY;
  return duck`${word(name)}(${distinct}${joined(list, ', ')})${site.over}`;
}
