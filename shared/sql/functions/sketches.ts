import { type Entries, plainAggregate, raising } from './entry.ts';

/**
 * The aggregates that make sketches and read them.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/hll_functions
 */
export const SKETCH_AGGREGATES: Entries = {
  'HLL_COUNT.INIT': {
    ...plainAggregate(
      'A sketch of the different values, by which they are counted.',
      ...['INT64', 'NUMERIC', 'BIGNUMERIC', 'STRING', 'BYTES'].map((type) => `(${type}[, INT64]) -> BYTES`),
    ),
    constantArgument: { index: 1, least: 10, most: 24 },
  },
  'HLL_COUNT.MERGE': plainAggregate(
    'The number of different values that sketches are of.',
    '(BYTES) -> INT64',
  ),
  'HLL_COUNT.MERGE_PARTIAL': plainAggregate(
    'The sketch of all values that sketches are of.',
    '(BYTES) -> BYTES',
  ),
};

/** What reads one sketch. */
export const SKETCH_FUNCTIONS: Entries = {
  'HLL_COUNT.EXTRACT': raising('The number of different values that a sketch is of.', '(BYTES) -> INT64'),
};
