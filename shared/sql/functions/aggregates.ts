import { perNumber } from './operators.ts';
import type { FunctionSpec } from './signature.ts';

type Allowances = Omit<FunctionSpec, 'name' | 'kind' | 'signatures' | 'parts'>;

/** Functions that share what may stand in their calls besides arguments. */
export interface CallFamily {
  readonly kind: FunctionSpec['kind'];
  readonly allows: Allowances;
  readonly lines: readonly string[];
}

/** Nothing but arguments: what scalar functions take. */
export const PLAIN: Allowances = {
  allowsDistinct: false,
  allowsOrderBy: false,
  allowsLimit: false,
  allowsNulls: false,
  allowsHaving: false,
  allowsOver: false,
  needsOrder: false,
  allowsWindowOrder: false,
  allowsFrame: false,
};
const OVER: Allowances = { ...PLAIN, allowsOver: true, allowsWindowOrder: true, allowsFrame: true };
const DISTINCT: Allowances = { ...OVER, allowsDistinct: true };

/**
 * `$COUNT_STAR` is COUNT(*).
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/aggregate_functions and its siblings
 */
export const AGGREGATE_FAMILIES: readonly CallFamily[] = [
  {
    kind: 'aggregate',
    allows: DISTINCT,
    lines: [
      'COUNT(ANY) -> INT64',
      'COUNTIF(BOOL) -> INT64',
      ...perNumber((type) => `SUM(${type}) -> ${type}`),
      'SUM(INTERVAL) -> INTERVAL',
      'AVG(FLOAT64) -> FLOAT64',
      'AVG(NUMERIC) -> NUMERIC',
      'AVG(BIGNUMERIC) -> BIGNUMERIC',
      'AVG(INTERVAL) -> INTERVAL',
      'BIT_AND(INT64) -> INT64',
      'BIT_OR(INT64) -> INT64',
      'BIT_XOR(INT64) -> INT64',
      ...['STDDEV', 'STDDEV_POP', 'STDDEV_SAMP', 'VARIANCE', 'VAR_POP', 'VAR_SAMP'].map(
        (name) => `${name}(FLOAT64) -> FLOAT64`,
      ),
      ...['CORR', 'COVAR_POP', 'COVAR_SAMP'].map((name) => `${name}(FLOAT64, FLOAT64) -> FLOAT64`),
      'MAX(T) -> T',
      'MIN(T) -> T',
      'LOGICAL_AND(BOOL) -> BOOL',
      'LOGICAL_OR(BOOL) -> BOOL',
    ],
  },
  { kind: 'aggregate', allows: OVER, lines: ['$COUNT_STAR() -> INT64'] },
  { kind: 'aggregate', allows: { ...OVER, allowsHaving: true }, lines: ['ANY_VALUE(T) -> T'] },
  {
    kind: 'aggregate',
    allows: { ...DISTINCT, allowsOrderBy: true, allowsLimit: true, allowsNulls: true },
    lines: ['ARRAY_AGG(T) -> ARRAY<T>'],
  },
  {
    kind: 'aggregate',
    allows: { ...DISTINCT, allowsOrderBy: true, allowsLimit: true },
    lines: ['STRING_AGG(STRING[, STRING]) -> STRING', 'STRING_AGG(BYTES[, BYTES]) -> BYTES'],
  },
  {
    kind: 'aggregate',
    allows: { ...PLAIN, allowsOrderBy: true, allowsLimit: true },
    lines: ['ARRAY_CONCAT_AGG(ARRAY<T>) -> ARRAY<T>'],
  },
  {
    kind: 'aggregate',
    allows: { ...PLAIN, allowsDistinct: true, allowsNulls: true },
    lines: ['APPROX_QUANTILES(T, INT64) -> ARRAY<T>'],
  },
  {
    kind: 'aggregate',
    allows: PLAIN,
    lines: [
      'APPROX_COUNT_DISTINCT(ANY) -> INT64',
      'APPROX_TOP_COUNT(T, INT64) -> ARRAY<STRUCT<value T, count INT64>>',
      'APPROX_TOP_SUM(T, INT64, INT64) -> ARRAY<STRUCT<value T, sum INT64>>',
      'APPROX_TOP_SUM(T, FLOAT64, INT64) -> ARRAY<STRUCT<value T, sum FLOAT64>>',
      'GROUPING(ANY) -> INT64',
      'MAX_BY(T, U) -> T',
      'MIN_BY(T, U) -> T',
    ],
  },
];

const RANKING: Allowances = { ...PLAIN, allowsOver: true, allowsWindowOrder: true, needsOrder: true };

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/navigation_functions and its siblings */
export const WINDOW_FAMILIES: readonly CallFamily[] = [
  { kind: 'window', allows: { ...RANKING, needsOrder: false }, lines: ['ROW_NUMBER() -> INT64'] },
  {
    kind: 'window',
    allows: RANKING,
    lines: [
      'RANK() -> INT64',
      'DENSE_RANK() -> INT64',
      'PERCENT_RANK() -> FLOAT64',
      'CUME_DIST() -> FLOAT64',
      'NTILE(INT64) -> INT64',
      'LAG(T[, INT64, T]) -> T',
      'LEAD(T[, INT64, T]) -> T',
    ],
  },
  {
    kind: 'window',
    allows: { ...OVER, allowsNulls: true, needsOrder: true },
    lines: ['FIRST_VALUE(T) -> T', 'LAST_VALUE(T) -> T', 'NTH_VALUE(T, INT64) -> T'],
  },
  {
    kind: 'window',
    allows: { ...PLAIN, allowsOver: true, allowsNulls: true },
    lines: ['PERCENTILE_CONT(FLOAT64, FLOAT64) -> FLOAT64', 'PERCENTILE_DISC(T, FLOAT64) -> T'],
  },
];
