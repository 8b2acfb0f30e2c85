import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, type Sql, word } from '../duck/sql.ts';
import { notSupported, REFUSAL } from '../not-supported.ts';
import { type AggregateSite, type AggregateTranslator, first } from './aggregate-site.ts';
import { argument, type CallTranslator, type CallTranslators } from './call-site.ts';
import { raiseText, refuseWhere, withLocals } from './fragments.ts';

/**
 * A sketch is six bytes (`HLL`, 1, the type of its values, its precision) and the least 2^precision hashes of the values, in order. So it
 * is exact below 2^precision values, and its estimate above has the standard error of HLL++ with that precision (Z. Bar-Yossef and
 * others, "Counting distinct elements in a data stream", 2002).
 */
const DEFAULT_PRECISION = 15n;
/** Most hashes that a sketch keeps, 8 MiB. */
const MAX_HASHES = 2 ** 20;

const TYPE_CODES: Readonly<Partial<Record<SqlType['kind'], number>>> = {
  INT64: 1,
  NUMERIC: 2,
  BIGNUMERIC: 3,
  STRING: 4,
  BYTES: 5,
};

/** The sketch of hashes that are of one type. */
function sketchOf(name: string, code: Sql, precision: Sql, hashes: Sql, type: SqlType): Sql {
  return withLocals([duck`list_sort(${hashes})[1:(1::BIGINT << CAST(${precision} AS BIGINT))]`], (list) =>
    refuseWhere(
      duck`len(${list}) > ${MAX_HASHES}`,
      `${REFUSAL}${name} of more than ${MAX_HASHES} different values with a precision above 20`,
      type,
      duck`gsql_hll_sketch(${code}, ${precision}, ${list})`,
    ),
  );
}

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/hll_functions */
export const initSketch: AggregateTranslator = (site) => {
  const value = first(site);
  const kind = site.arguments[0]?.type.kind;
  const code = kind === undefined ? undefined : TYPE_CODES[kind];
  const precision = site.arguments[1];
  if (code === undefined) throw new TypeError(`${site.name} has no sketch of ${kind}`);
  if (precision !== undefined && (precision.kind !== 'literal' || typeof precision.value !== 'bigint'))
    throw notSupported(`${site.name} with a precision that is not a literal`);
  const bits = precision === undefined ? DEFAULT_PRECISION : precision.value;
  const hashes = duck`list(DISTINCT hash(${value})) FILTER (WHERE ${value} IS NOT NULL)`;
  return sketchOf(site.name, word(String(code)), word(String(bits)), hashes, site.type);
};

/** The sketch of all values that sketches are of; its precision is the least of theirs. */
function merged(site: AggregateSite, body: (sketch: Sql) => Sql): Sql {
  const sketches = duck`list(${first(site)}) FILTER (WHERE ${first(site)} IS NOT NULL)`;
  return withLocals([sketches], (list) => {
    const wrong = raiseText(`Invalid or incompatible sketch in ${site.name}`, site.type);
    const sketch = sketchOf(
      site.name,
      duck`gsql_hll_type(${list}[1])`,
      duck`list_min(list_transform(${list}, lambda b: gsql_hll_precision(b)))`,
      duck`list_distinct(flatten(list_transform(${list}, lambda b: gsql_hll_hashes(b))))`,
      site.type.kind === 'INT64' ? { kind: 'BYTES' } : site.type,
    );
    return duck`CASE WHEN ${list} IS NULL THEN NULL WHEN NOT gsql_hll_are_alike(${list}) THEN ${wrong} ELSE ${body(sketch)} END`;
  });
}

/** The sketch that sketches make together. */
export const mergeSketches: AggregateTranslator = (site) => merged(site, (sketch) => sketch);

/** How many different values sketches are of together. */
export const countSketches: AggregateTranslator = (site) =>
  duck`coalesce(${merged(site, (sketch) => withLocals([sketch], (one) => duck`gsql_hll_estimate(${one})`))}, 0)`;

const extract: CallTranslator = (site) =>
  withLocals([argument(site, 0)], (sketch) => {
    const wrong = raiseText(`Invalid or incompatible sketch in ${site.name}`, site.type);
    return duck`CASE WHEN ${sketch} IS NULL THEN 0 WHEN NOT gsql_hll_are_alike([${sketch}]) THEN ${wrong} ELSE gsql_hll_estimate(${sketch}) END`;
  });

/** Functions of sketches that are no aggregates. */
export const SKETCHES: CallTranslators = { 'HLL_COUNT.EXTRACT': extract };
