import type { ResolvedAggregate } from '../../../../sql/resolved/expression.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { bigint, duck, EMPTY, joined, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { joinTexts } from './arrays.ts';
import { duckType } from './duck-type.ts';
import { bind, raiseText } from './fragments.ts';
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
interface AggregateEmission
  extends AggregateParts,
    Pick<ResolvedAggregate, 'name' | 'arguments' | 'distinct' | 'nulls' | 'limit'> {
  readonly type: SqlType;
  readonly bound: 'MAX' | 'MIN' | null;
  readonly over: Sql;
}

interface AggregateEmitter {
  (emission: AggregateEmission): Sql;
  readonly measureWork?: MeasureWork;
}

const first = ({ sql }: AggregateEmission): Sql => sql[0] ?? EMPTY;

function call(emission: AggregateEmission, name: string, list: readonly Sql[] = emission.sql): Sql {
  const distinct = emission.distinct ? word('DISTINCT ') : EMPTY;
  return duck`${word(name)}(${distinct}${joined(list, ', ')})${emission.over}`;
}

const plain =
  (name: string): AggregateEmitter =>
  (emission) =>
    call(emission, name);

/** DuckDB adds INT64 up as HUGEINT; a sum that INT64 does not hold is an error. */
const sum: AggregateEmitter = (emission) => {
  if (emission.type.kind === 'INTERVAL') return intervalTotal(emission);
  if (emission.type.kind === 'INT64') return duck`CAST(${call(emission, 'sum')} AS BIGINT)`;
  if (emission.type.kind === 'BIGNUMERIC') throw notSupported('SUM of BIGNUMERIC');
  return emission.type.kind === 'FLOAT64' ? finite(emission, 'sum') : call(emission, 'sum');
};

/** DuckDB adds no INTERVALs up, so each part is added up by itself. */
function intervalTotal(emission: AggregateEmission): Sql {
  if (emission.distinct) throw notSupported(`${emission.name} with DISTINCT on INTERVAL`);
  return bind(
    ['gsql_months', 'gsql_days', 'gsql_micros'].map((part) =>
      call(emission, 'sum', [duck`${word(part)}(${first(emission)})`]),
    ),
    (months, days, micros) => duck`gsql_interval(${months}, ${days}, ${micros})`,
  );
}

const average: AggregateEmitter = (emission) => {
  if (emission.type.kind === 'INTERVAL') {
    const rows = duck`nullif(${call(emission, 'count')}, 0)`;
    return bind([intervalTotal(emission), rows], divideInterval);
  }
  if (emission.type.kind === 'NUMERIC') {
    const count = duck`CAST(${call(emission, 'count')} AS ${duckType(emission.type)})`;
    return bind(
      [call(emission, 'sum'), count],
      (total, rows) => duck`gsql_numeric_ratio(${total}, nullif(${rows}, 0))`,
    );
  }
  if (emission.type.kind !== 'FLOAT64') throw notSupported(`AVG of ${emission.type.kind}`);
  return finite(emission, 'avg');
};

/** A total must not be infinite unless one of the values is. */
function finite(emission: AggregateEmission, name: string): Sql {
  const total = call(emission, name);
  const [argument] = emission.arguments;
  if (argument !== undefined && magnitude(argument) < 1e280) return total;
  const infinite = duck`bool_or(isinf(${first(emission)}))${emission.over}`;
  const error = raiseText('double overflow', emission.type);
  return duck`CASE WHEN isinf(${total}) AND NOT ${infinite} THEN ${error} ELSE ${total} END`;
}

/** MIN of FLOAT64 is NaN if any value is; DuckDB sorts NaN last, so the least is found among the negatives. */
const least: AggregateEmitter = (emission) =>
  emission.type.kind === 'FLOAT64'
    ? duck`(- ${call(emission, 'max', [duck`- ${first(emission)}`])})`
    : call(emission, 'min');

const countIf: AggregateEmitter = (emission) => {
  if (emission.distinct) throw notSupported('COUNTIF with DISTINCT');
  return duck`count(CASE WHEN ${first(emission)} THEN 1 END)${emission.over}`;
};

const anyValue: AggregateEmitter = (emission) => {
  const { having, bound } = emission;
  if (having === null) return call(emission, 'any_value');
  return call(emission, bound === 'MAX' ? 'arg_max_null' : 'arg_min_null', [first(emission), having]);
};

const extremeBy =
  (name: string): AggregateEmitter =>
  (emission) =>
    call(emission, name);

/** A list of the values in order, cut off where LIMIT says. */
function list(emission: AggregateEmission, ignoresNulls: boolean): Sql {
  const order = emission.orderBy === null ? EMPTY : duck` ORDER BY ${emission.orderBy}`;
  const filter = ignoresNulls ? duck` FILTER (WHERE ${first(emission)} IS NOT NULL)` : EMPTY;
  const distinct = emission.distinct ? word('DISTINCT ') : EMPTY;
  const all = duck`list(${distinct}${first(emission)}${order})${filter}${emission.over}`;
  return emission.limit === null ? all : duck`(${all})[1:${emission.limit}]`;
}

const stringAgg: AggregateEmitter = (emission) => {
  if (emission.type.kind !== 'STRING') throw notSupported('STRING_AGG of BYTES');
  const separator = emission.sql[1] ?? textLiteral(',');
  const source = emission.arguments[1];
  const isFixed = source === undefined || source.kind === 'literal';
  if (emission.limit !== null || !isFixed) return joinTexts(list(emission, true), separator, source);
  const order = emission.orderBy === null ? EMPTY : duck` ORDER BY ${emission.orderBy}`;
  const distinct = emission.distinct ? word('DISTINCT ') : EMPTY;
  return duck`string_agg(${distinct}${first(emission)}, ${separator}${order})${emission.over}`;
};

const MAX_QUANTILES = 10_000;

/** The exact quantiles: the least value, each nth by nearest rank, the greatest. */
const quantiles: AggregateEmitter = (emission) => {
  if (emission.nulls === 'RESPECT') throw notSupported('APPROX_QUANTILES with RESPECT NULLS');
  const count = literalCount(emission, 1);
  if (count > MAX_QUANTILES) throw notSupported(`APPROX_QUANTILES with more than ${MAX_QUANTILES} quantiles`);
  const points = Array.from({ length: count + 1 }, (_, index) => duck`${index / count}::DOUBLE`);
  return call(emission, 'quantile_disc', [first(emission), duck`[${joined(points, ', ')}]`]);
};

/** The values that come most often with their exact counts; NULL is a value. */
const topCount: AggregateEmitter = (emission) => {
  const value = first(emission);
  const count = literalCount(emission, 1);
  const nulls = duck`CASE WHEN count(*) > count(${value}) THEN [{'c': count(${value}) - count(*), 'v': NULL}] ELSE [] END`;
  const found = duck`list_transform(map_entries(histogram(${value})), lambda e: {'c': - CAST(e.value AS BIGINT), 'v': e.key})`;
  const all = duck`list_sort(list_concat(coalesce(${found}, []), ${nulls}))`;
  const rows = duck`list_transform(${all}[1:${count}], lambda e: {'value': e.v, 'count': - e.c})`;
  return duck`CASE WHEN count(*) = 0 THEN NULL ELSE CAST(${rows} AS ${duckType(emission.type)}) END`;
};

function literalCount(emission: AggregateEmission, index: number): number {
  const argument = emission.arguments[index];
  const value = argument?.kind === 'literal' ? argument.value : null;
  if (typeof value !== 'bigint' || value < 1n) {
    throw notSupported(`${emission.name} with a count that is not a positive literal`);
  }
  return Number(value);
}

const AGGREGATES: Readonly<Record<string, AggregateEmitter>> = {
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
  STDDEV: plain('stddev_samp'),
  STDDEV_SAMP: plain('stddev_samp'),
  STDDEV_POP: plain('stddev_pop'),
  VARIANCE: plain('var_samp'),
  VAR_SAMP: plain('var_samp'),
  VAR_POP: plain('var_pop'),
  CORR: (emission) =>
    duck`CASE WHEN ${call({ ...emission, distinct: false }, 'regr_count')} > 1 THEN ${call(emission, 'corr')} END`,
  COVAR_POP: plain('covar_pop'),
  COVAR_SAMP: plain('covar_samp'),
  ANY_VALUE: anyValue,
  MAX_BY: extremeBy('arg_max_null'),
  MIN_BY: extremeBy('arg_min_null'),
  ARRAY_AGG: limited(
    (emission: AggregateEmission) => list(emission, emission.nulls === 'IGNORE'),
    elementsOfArrays,
  ),
  ARRAY_CONCAT_AGG: (emission) => duck`flatten(${list(emission, true)})`,
  STRING_AGG: limited(stringAgg, bytesOfTexts),
  APPROX_COUNT_DISTINCT: ({ sql }) => duck`count(DISTINCT ${sql[0]})`,
  APPROX_QUANTILES: quantiles,
  APPROX_TOP_COUNT: topCount,
  GROUPING: (emission) => (emission.groupsBySets ? call(emission, 'grouping') : bigint(0n)),
};

/** The emitter of an aggregate; undefined for one that DuckDB does not compute. */
export function findAggregate(name: string): AggregateEmitter | undefined {
  return AGGREGATES[name];
}
