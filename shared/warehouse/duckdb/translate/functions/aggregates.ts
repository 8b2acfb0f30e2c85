import { STRING } from '../../../../sql/types/sql-type.ts';
import { bigint, duck, EMPTY, joined, mapped, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { type AggregateSite, type AggregateTranslator, call, first } from './aggregate-site.ts';
import { joinTexts } from './arrays.ts';
import { duckType } from './duck-type.ts';
import { textSql, withLocals } from './fragments.ts';
import { asBytes, bytesAsText } from './latin1.ts';
import { nullsFirst, pointFromEnd, pointSql, quantilePoint } from './quantile-points.ts';
import { countSketches, initSketch, mergeSketches } from './sketches.ts';
import { statistic } from './statistics.ts';
import { average, sum } from './sums.ts';
import { bytesOfTexts, elementsOfArrays, limited } from './window-work.ts';

const plain =
  (name: string): AggregateTranslator =>
  (site) =>
    call(site, name);

/** MIN of FLOAT64 is NaN if any value is; DuckDB sorts NaN last, so the least is found among the negatives. */
const least: AggregateTranslator = (site) =>
  site.type.kind === 'FLOAT64' ? duck`(- ${call(site, 'max', [duck`- ${first(site)}`])})` : call(site, 'min');

const countIf: AggregateTranslator = (site) =>
  call(site, 'count', [duck`CASE WHEN ${first(site)} THEN 1 END`]);

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
  const conditions = [
    ...(ignoresNulls ? [duck`${first(site)} IS NOT NULL`] : []),
    ...(site.only === null ? [] : [site.only]),
  ];
  const filter = conditions.length === 0 ? EMPTY : duck` FILTER (WHERE ${joined(conditions, ' AND ')})`;
  const distinct = site.distinct ? word('DISTINCT ') : EMPTY;
  const all = duck`list(${distinct}${first(site)}${order})${filter}${site.only === null ? site.over : EMPTY}`;
  return site.limit === null ? all : duck`(${all})[1:${site.limit}]`;
}

/** The same call of texts in which each byte is a character. */
function ofText(site: AggregateSite): AggregateSite {
  const sql = site.sql.map((value, index) => {
    const source = site.arguments[index];
    return index > 0 && source?.kind === 'literal' ? textSql(String(source.value)) : bytesAsText(value);
  });
  return { ...site, sql, type: STRING };
}

const stringAgg: AggregateTranslator = (site) => {
  if (site.type.kind === 'BYTES') return asBytes(stringAgg(ofText(site)), site.type);
  const separator = site.sql[1] ?? textLiteral(',');
  const source = site.arguments[1];
  const isFixed = source === undefined || source.kind === 'literal';
  if (site.limit !== null || !isFixed)
    return withLocals(
      [list(site, true)],
      (texts) => duck`CASE WHEN len(${texts}) > 0 THEN ${joinTexts(texts, separator, source)} END`,
    );
  const order = site.orderBy === null ? EMPTY : duck` ORDER BY ${site.orderBy}`;
  const distinct = site.distinct ? word('DISTINCT ') : EMPTY;
  return duck`string_agg(${distinct}${first(site)}, ${separator}${order})${site.over}`;
};

const MAX_QUANTILES = 10_000;

/** The exact quantiles: the least value, each nth by nearest rank, the greatest. */
const quantiles: AggregateTranslator = (site) => {
  const count = literalCount(site, 1);
  if (count > MAX_QUANTILES) throw notSupported(`APPROX_QUANTILES with more than ${MAX_QUANTILES} quantiles`);
  const points = Array.from({ length: count + 1 }, (_, index) => quantilePoint(BigInt(index), BigInt(count)));
  const list = (all: readonly bigint[]) => duck`[${joined(all.map(pointSql), ', ')}]`;
  const type = site.arguments[0]?.type;
  if (site.nulls === 'RESPECT' && type !== undefined) {
    const found = call(site, 'quantile_disc', [nullsFirst(first(site), type), list(points)]);
    return mapped(found, (key) => duck`struct_extract(${key}, 'v')`);
  }
  if (type?.kind !== 'FLOAT64') return call(site, 'quantile_disc', [first(site), list(points)]);
  // NaN comes first, DuckDB has it last.
  const turned = call(site, 'quantile_disc', [duck`- ${first(site)}`, list(points.map(pointFromEnd))]);
  return mapped(turned, (value) => duck`(- ${value})`);
};

/** The values that come most often with their exact counts; NULL is a value. */
const topCount: AggregateTranslator = (site) => {
  const value = first(site);
  const count = literalCount(site, 1);
  if (site.arguments[0]?.type.kind === 'INTERVAL') throw notSupported('APPROX_TOP_COUNT of INTERVAL');
  const nulls = duck`CASE WHEN count(*) > count(${value}) THEN [{'c': count(${value}) - count(*), 'v': NULL}] ELSE [] END`;
  const found = duck`list_transform(map_entries(histogram(${value})), lambda e: {'c': - CAST(e.value AS BIGINT), 'v': e.key})`;
  const all = duck`list_sort(list_concat(coalesce(${found}, []), ${nulls}))`;
  const rows = duck`list_transform(${all}[1:${count}], lambda e: {'value': e.v, 'count': - e.c})`;
  return duck`CASE WHEN count(*) = 0 THEN NULL ELSE CAST(${rows} AS ${duckType(site.type)}) END`;
};

/** The values with the greatest exact sums; NULL is a value. */
const topSum: AggregateTranslator = (site) => {
  const { total, only } = site;
  if (total === null || only === null) throw new TypeError('APPROX_TOP_SUM is translated with its sums');
  if (site.arguments[0]?.type.kind === 'INTERVAL') throw notSupported('APPROX_TOP_SUM of INTERVAL');
  const count = literalCount(site, 2);
  const row = duck`{'value': ${first(site)}, 'sum': ${total}}`;
  const all = duck`list(${row} ORDER BY ${total} DESC NULLS LAST, ${first(site)} ASC NULLS LAST)${site.over}`;
  return duck`CAST((${all})[1:${count}] AS ${duckType(site.type)})`;
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
  APPROX_TOP_SUM: topSum,
  'HLL_COUNT.INIT': initSketch,
  'HLL_COUNT.MERGE': countSketches,
  'HLL_COUNT.MERGE_PARTIAL': mergeSketches,
  GROUPING: (site) => (site.groupsBySets ? call(site, 'grouping') : bigint(0n)),
};

/** The translator of an aggregate; undefined for one that DuckDB does not compute. */
export function findAggregate(name: string): AggregateTranslator | undefined {
  return AGGREGATES[name];
}
