import type { ResolvedAggregate } from '../../../../sql/resolved/expression.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { bigint, duck, EMPTY, joined, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { joinTexts } from './arrays.ts';
import { duckType } from './duck-type.ts';
import { raiseText, withLocals } from './fragments.ts';
import { divideInterval } from './intervals.ts';
import { magnitude } from './magnitude.ts';
import { bytesOfTexts, elementsOfArrays, limited, type MeasureWork } from './window-work.ts';

/** The SQL of an aggregate's parts. */
export interface AggregateParts {
  readonly sql: readonly Sql[];
  /** What HAVING MAX or MIN compares. */
  readonly having: Sql | null;
  /** The keys of ORDER BY, joined. */
  readonly orderBy: Sql | null;
  /** Whether the rows are grouped by ROLLUP, CUBE or GROUPING SETS. */
  readonly groupsBySets: boolean;
}

/** An aggregate's call with its SQL. `over` is what follows the function's call: nothing, or ` OVER (…)`. */
interface AggregateSite
  extends AggregateParts,
    Pick<ResolvedAggregate, 'name' | 'arguments' | 'distinct' | 'nulls' | 'limit'> {
  readonly type: SqlType;
  readonly bound: 'MAX' | 'MIN' | null;
  readonly over: Sql;
}

interface AggregateTranslator {
  (site: AggregateSite): Sql;
  readonly measureWork?: MeasureWork;
}

const first = ({ sql }: AggregateSite): Sql => sql[0] ?? EMPTY;

function call(site: AggregateSite, name: string, list: readonly Sql[] = site.sql): Sql {
  const distinct = site.distinct ? word('DISTINCT ') : EMPTY;
  return duck`${word(name)}(${distinct}${joined(list, ', ')})${site.over}`;
}

const plain =
  (name: string): AggregateTranslator =>
  (site) =>
    call(site, name);

/** DuckDB adds INT64 up as HUGEINT; a sum that INT64 does not hold is an error. */
const sum: AggregateTranslator = (site) => {
  if (site.type.kind === 'INTERVAL') return intervalTotal(site);
  if (site.type.kind === 'INT64') return duck`CAST(${call(site, 'sum')} AS BIGINT)`;
  if (site.type.kind === 'BIGNUMERIC') throw notSupported('SUM of BIGNUMERIC');
  return site.type.kind === 'FLOAT64' ? finite(site, 'sum') : call(site, 'sum');
};

/** DuckDB adds no INTERVALs up, so each part is added up by itself. */
function intervalTotal(site: AggregateSite): Sql {
  if (site.distinct) throw notSupported(`${site.name} with DISTINCT on INTERVAL`);
  return withLocals(
    ['gsql_months', 'gsql_days', 'gsql_micros'].map((part) =>
      call(site, 'sum', [duck`${word(part)}(${first(site)})`]),
    ),
    (months, days, micros) => duck`gsql_interval(${months}, ${days}, ${micros})`,
  );
}

const average: AggregateTranslator = (site) => {
  if (site.type.kind === 'INTERVAL') {
    const rows = duck`nullif(${call(site, 'count')}, 0)`;
    return withLocals([intervalTotal(site), rows], divideInterval);
  }
  if (site.type.kind === 'NUMERIC') {
    const count = duck`CAST(${call(site, 'count')} AS ${duckType(site.type)})`;
    return withLocals(
      [call(site, 'sum'), count],
      (total, rows) => duck`gsql_numeric_ratio(${total}, nullif(${rows}, 0))`,
    );
  }
  if (site.type.kind !== 'FLOAT64') throw notSupported(`AVG of ${site.type.kind}`);
  return finite(site, 'avg');
};

/** A total must not be infinite unless one of the values is. */
function finite(site: AggregateSite, name: string): Sql {
  const total = call(site, name);
  const [argument] = site.arguments;
  if (argument !== undefined && magnitude(argument) < 1e280) return total;
  const infinite = duck`bool_or(isinf(${first(site)}))${site.over}`;
  const error = raiseText('double overflow', site.type);
  return duck`CASE WHEN isinf(${total}) AND NOT ${infinite} THEN ${error} ELSE ${total} END`;
}

/**
 * A statistic of values, or of pairs of values, in which NaN and infinities make NaN; DuckDB raises an error for them. With fewer rows
 * than `fewest` it is NULL.
 */
const statistic =
  (name: string, fewest: number): AggregateTranslator =>
  (site) => {
    const { sql, over } = site;
    if (site.arguments.every((argument) => magnitude(argument) < 1e280)) return call(site, name);
    const areKnown = joined(
      sql.map((value) => duck`${value} IS NOT NULL`),
      ' AND ',
    );
    const areFinite = joined(
      sql.map((value) => duck`isfinite(${value})`),
      ' AND ',
    );
    const [value = EMPTY, ...others] = sql;
    const finiteOnes = [duck`CASE WHEN ${areFinite} THEN ${value} END`, ...others];
    const isNan = duck`bool_or(${areKnown} AND NOT (${areFinite}))${over}`;
    const rows = call(site, 'count', [duck`CASE WHEN ${areKnown} THEN ${value} END`]);
    const nan = duck`CASE WHEN ${rows} >= ${fewest} THEN 'nan'::DOUBLE END`;
    return duck`CASE WHEN ${isNan} THEN ${nan} ELSE ${call(site, name, finiteOnes)} END`;
  };

/** MIN of FLOAT64 is NaN if any value is; DuckDB sorts NaN last, so the least is found among the negatives. */
const least: AggregateTranslator = (site) =>
  site.type.kind === 'FLOAT64' ? duck`(- ${call(site, 'max', [duck`- ${first(site)}`])})` : call(site, 'min');

const countIf: AggregateTranslator = (site) => {
  if (site.distinct) throw notSupported('COUNTIF with DISTINCT');
  return duck`count(CASE WHEN ${first(site)} THEN 1 END)${site.over}`;
};

const anyValue: AggregateTranslator = (site) => {
  const { having, bound } = site;
  if (having === null) return call(site, 'any_value');
  return call(site, bound === 'MAX' ? 'arg_max_null' : 'arg_min_null', [first(site), having]);
};

const extremeBy =
  (name: string): AggregateTranslator =>
  (site) =>
    call(site, name);

/** A list of the values in order, cut off where LIMIT says. */
function list(site: AggregateSite, ignoresNulls: boolean): Sql {
  const order = site.orderBy === null ? EMPTY : duck` ORDER BY ${site.orderBy}`;
  const filter = ignoresNulls ? duck` FILTER (WHERE ${first(site)} IS NOT NULL)` : EMPTY;
  const distinct = site.distinct ? word('DISTINCT ') : EMPTY;
  const all = duck`list(${distinct}${first(site)}${order})${filter}${site.over}`;
  return site.limit === null ? all : duck`(${all})[1:${site.limit}]`;
}

const stringAgg: AggregateTranslator = (site) => {
  if (site.type.kind !== 'STRING') throw notSupported('STRING_AGG of BYTES');
  const separator = site.sql[1] ?? textLiteral(',');
  const source = site.arguments[1];
  const isFixed = source === undefined || source.kind === 'literal';
  if (site.limit !== null || !isFixed) return joinTexts(list(site, true), separator, source);
  const order = site.orderBy === null ? EMPTY : duck` ORDER BY ${site.orderBy}`;
  const distinct = site.distinct ? word('DISTINCT ') : EMPTY;
  return duck`string_agg(${distinct}${first(site)}, ${separator}${order})${site.over}`;
};

const MAX_QUANTILES = 10_000;

/** The exact quantiles: the least value, each nth by nearest rank, the greatest. */
const quantiles: AggregateTranslator = (site) => {
  if (site.nulls === 'RESPECT') throw notSupported('APPROX_QUANTILES with RESPECT NULLS');
  const count = literalCount(site, 1);
  if (count > MAX_QUANTILES) throw notSupported(`APPROX_QUANTILES with more than ${MAX_QUANTILES} quantiles`);
  const points = Array.from({ length: count + 1 }, (_, index) => duck`${index / count}::DOUBLE`);
  return call(site, 'quantile_disc', [first(site), duck`[${joined(points, ', ')}]`]);
};

/** The values that come most often with their exact counts; NULL is a value. */
const topCount: AggregateTranslator = (site) => {
  const value = first(site);
  const count = literalCount(site, 1);
  const nulls = duck`CASE WHEN count(*) > count(${value}) THEN [{'c': count(${value}) - count(*), 'v': NULL}] ELSE [] END`;
  const found = duck`list_transform(map_entries(histogram(${value})), lambda e: {'c': - CAST(e.value AS BIGINT), 'v': e.key})`;
  const all = duck`list_sort(list_concat(coalesce(${found}, []), ${nulls}))`;
  const rows = duck`list_transform(${all}[1:${count}], lambda e: {'value': e.v, 'count': - e.c})`;
  return duck`CASE WHEN count(*) = 0 THEN NULL ELSE CAST(${rows} AS ${duckType(site.type)}) END`;
};

function literalCount(site: AggregateSite, index: number): number {
  const argument = site.arguments[index];
  const value = argument?.kind === 'literal' ? argument.value : null;
  if (typeof value !== 'bigint' || value < 1n) {
    throw notSupported(`${site.name} with a count that is not a positive literal`);
  }
  return Number(value);
}

const AGGREGATES: Readonly<Record<string, AggregateTranslator>> = {
  $COUNT_STAR: ({ over }) => duck`count(*)${over}`,
  COUNT: plain('count'),
  COUNTIF: countIf,
  SUM: sum,
  AVG: average,
  MIN: least,
  MAX: plain('max'),
  BIT_AND: plain('bit_and'),
  BIT_OR: plain('bit_or'),
  BIT_XOR: plain('bit_xor'),
  LOGICAL_AND: plain('bool_and'),
  LOGICAL_OR: plain('bool_or'),
  STDDEV: statistic('stddev_samp', 2),
  STDDEV_SAMP: statistic('stddev_samp', 2),
  STDDEV_POP: statistic('stddev_pop', 1),
  VARIANCE: statistic('var_samp', 2),
  VAR_SAMP: statistic('var_samp', 2),
  VAR_POP: statistic('var_pop', 1),
  CORR: (site) => duck`CASE WHEN ${call(site, 'regr_count')} > 1 THEN ${statistic('corr', 2)(site)} END`,
  COVAR_POP: statistic('covar_pop', 1),
  COVAR_SAMP: statistic('covar_samp', 2),
  ANY_VALUE: anyValue,
  MAX_BY: extremeBy('arg_max_null'),
  MIN_BY: extremeBy('arg_min_null'),
  ARRAY_AGG: limited((site: AggregateSite) => list(site, site.nulls === 'IGNORE'), elementsOfArrays),
  ARRAY_CONCAT_AGG: (site) => duck`flatten(${list(site, true)})`,
  STRING_AGG: limited(stringAgg, bytesOfTexts),
  APPROX_COUNT_DISTINCT: ({ sql }) => duck`count(DISTINCT ${sql[0]})`,
  APPROX_QUANTILES: quantiles,
  APPROX_TOP_COUNT: topCount,
  GROUPING: (site) => (site.groupsBySets ? call(site, 'grouping') : bigint(0n)),
};

/** The translator of an aggregate; undefined for one that DuckDB does not compute. */
export function findAggregate(name: string): AggregateTranslator | undefined {
  return AGGREGATES[name];
}
