import { type Entries, type FunctionEntry, PLAIN, perNumber, plainAggregate, sameFor } from './entry.ts';
import { SKETCH_AGGREGATES } from './sketches.ts';

type Modifiers = Partial<Pick<FunctionEntry, keyof typeof PLAIN>>;

/** HAVING MAX and MIN leave rows out before any of these looks at them. */
const OVER = { ...PLAIN, allowsHaving: true, allowsOver: true, allowsWindowOrder: true, allowsFrame: true };
const DISTINCT = { ...OVER, allowsDistinct: true };

const make =
  (allows: Modifiers) =>
  (description: string, ...signatures: readonly string[]): FunctionEntry => ({
    kind: 'aggregate',
    description,
    ...PLAIN,
    ...allows,
    signatures,
  });
const aggregate = make(DISTINCT);
const ordered = { allowsOrderBy: true, allowsLimit: true };
const statistic = (what: string) => aggregate(what, '(FLOAT64) -> FLOAT64');
const ofTwo = (what: string) => make(OVER)(what, '(FLOAT64, FLOAT64) -> FLOAT64');

/**
 * `$COUNT_STAR` is COUNT(*).
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/aggregate_functions and its siblings
 */
export const AGGREGATE_FUNCTIONS: Entries = {
  COUNT: {
    ...aggregate('The number of rows, or of values that are not NULL.', '(ANY) -> INT64'),
    star: '$COUNT_STAR',
    mergedBy: 'sum',
  },
  $COUNT_STAR: { ...make(OVER)('The number of rows.', '() -> INT64'), label: 'COUNT(*)', mergedBy: 'sum' },
  COUNTIF: {
    ...aggregate('The number of rows for which a condition is true.', '(BOOL) -> INT64'),
    mergedBy: 'sum',
  },
  SUM: {
    ...aggregate('The sum.', ...perNumber((type) => `(${type}) -> ${type}`), '(INTERVAL) -> INTERVAL'),
    mergedBy: 'sum',
  },
  AVG: aggregate(
    'The average.',
    '(FLOAT64) -> FLOAT64',
    '(NUMERIC) -> NUMERIC',
    '(BIGNUMERIC) -> BIGNUMERIC',
    '(INTERVAL) -> INTERVAL',
  ),
  BIT_AND: aggregate('The bits that all values have.', '(INT64) -> INT64'),
  BIT_OR: aggregate('The bits that any value has.', '(INT64) -> INT64'),
  BIT_XOR: aggregate('The exclusive or of all values.', '(INT64) -> INT64'),
  ...sameFor(['STDDEV', 'STDDEV_SAMP'], () => statistic('The standard deviation of a sample.')),
  STDDEV_POP: statistic('The standard deviation of a population.'),
  ...sameFor(['VARIANCE', 'VAR_SAMP'], () => statistic('The variance of a sample.')),
  VAR_POP: statistic('The variance of a population.'),
  CORR: ofTwo('The coefficient of correlation.'),
  COVAR_POP: ofTwo('The covariance of a population.'),
  COVAR_SAMP: ofTwo('The covariance of a sample.'),
  MAX: { ...aggregate('The greatest value.', '(T) -> T'), needsOrderable: true, mergedBy: 'max' },
  MIN: { ...aggregate('The least value.', '(T) -> T'), needsOrderable: true, mergedBy: 'min' },
  LOGICAL_AND: { ...aggregate('Whether all values are true.', '(BOOL) -> BOOL'), mergedBy: 'min' },
  LOGICAL_OR: { ...aggregate('Whether any value is true.', '(BOOL) -> BOOL'), mergedBy: 'max' },
  ANY_VALUE: {
    ...make(OVER)(
      'Any one of the values, or that of the row with the greatest or least of another.',
      '(T) -> T',
    ),
    mergedBy: 'any',
  },
  ARRAY_AGG: make({ ...DISTINCT, ...ordered, allowsNulls: true })(
    'An array of the values.',
    '(T) -> ARRAY<T>',
  ),
  STRING_AGG: {
    ...make({ ...DISTINCT, ...ordered })(
      'The values joined with a separator, a comma if none is given.',
      '(STRING[, STRING]) -> STRING',
      '(BYTES[, BYTES]) -> BYTES',
    ),
    constantArgument: { index: 1 },
  },
  ARRAY_CONCAT_AGG: {
    ...make({ ...ordered, allowsHaving: true })('The arrays joined end to end.', '(ARRAY<T>) -> ARRAY<T>'),
    refusesUntypedNull: true,
  },
  APPROX_QUANTILES: {
    ...make({ allowsDistinct: true, allowsNulls: true })(
      'The least value, the bounds of so many equal parts, and the greatest.',
      '(T, INT64) -> ARRAY<T>',
    ),
    constantArgument: { index: 1, least: 1 },
    needsOrderable: true,
  },
  APPROX_COUNT_DISTINCT: {
    ...plainAggregate('The number of different values.', '(ANY) -> INT64'),
    needsGroupable: true,
  },
  APPROX_TOP_COUNT: {
    ...plainAggregate(
      'The most frequent values with their counts.',
      '(T, INT64) -> ARRAY<STRUCT<value T, count INT64>>',
    ),
    constantArgument: { index: 1, least: 1 },
    needsGroupable: true,
  },
  APPROX_TOP_SUM: {
    ...plainAggregate(
      'The values with the greatest sums of another.',
      ...perNumber((type) => `(T, ${type}, INT64) -> ARRAY<STRUCT<value T, sum ${type}>>`),
    ),
    constantArgument: { index: 2, least: 1 },
    needsGroupable: true,
  },
  ...SKETCH_AGGREGATES,
  GROUPING: {
    ...plainAggregate('1 if a key of GROUP BY is rolled up in the row, otherwise 0.', '(ANY) -> INT64'),
    takesGroupKey: true,
  },
  MAX_BY: plainAggregate('The value of the row with the greatest other value.', '(T, U) -> T'),
  MIN_BY: plainAggregate('The value of the row with the least other value.', '(T, U) -> T'),
};
