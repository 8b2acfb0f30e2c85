import { type Entries, type FunctionEntry, PLAIN, sameFor } from './entry.ts';

type Modifiers = Partial<Pick<FunctionEntry, keyof typeof PLAIN>>;

const make =
  (allows: Modifiers) =>
  (description: string, ...signatures: readonly string[]): FunctionEntry => ({
    kind: 'window',
    description,
    ...PLAIN,
    allowsOver: true,
    ...allows,
    signatures,
  });
const ranking = make({ allowsWindowOrder: true, needsOrder: true });
const navigation = make({ allowsWindowOrder: true, needsOrder: true, allowsFrame: true, allowsNulls: true });
const percentile = make({ allowsNulls: true });

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/navigation_functions and its siblings */
export const WINDOW_FUNCTIONS: Entries = {
  ROW_NUMBER: make({ allowsWindowOrder: true })('The number of the row, from 1.', '() -> INT64'),
  RANK: ranking('The rank of the row; equal rows leave gaps.', '() -> INT64'),
  DENSE_RANK: ranking('The rank of the row without gaps.', '() -> INT64'),
  PERCENT_RANK: ranking('The rank of the row from 0 to 1.', '() -> FLOAT64'),
  CUME_DIST: ranking('The part of the rows that are not after this one.', '() -> FLOAT64'),
  NTILE: {
    ...ranking('The number of the bucket, of so many, that the row is in.', '(INT64) -> INT64'),
    constantArgument: { index: 0, least: 1 },
  },
  ...sameFor(['LAG', 'LEAD'], (name) => ({
    ...ranking(
      `The value of ${name === 'LAG' ? 'an earlier' : 'a later'} row, or a default.`,
      '(T[, INT64, T]) -> T',
    ),
    constantArgument: { index: 1, least: 0 },
    constantExpressions: { from: 2 },
  })),
  FIRST_VALUE: { ...navigation('The value of the first row of the frame.', '(T) -> T'), refusesNull: true },
  LAST_VALUE: { ...navigation('The value of the last row of the frame.', '(T) -> T'), refusesNull: true },
  NTH_VALUE: {
    ...navigation('The value of the nth row of the frame.', '(T, INT64) -> T'),
    constantArgument: { index: 1, least: 1 },
  },
  PERCENTILE_CONT: {
    ...percentile(
      'The percentile, interpolated.',
      '(FLOAT64, FLOAT64) -> FLOAT64',
      '(NUMERIC, FLOAT64) -> FLOAT64',
      '(BIGNUMERIC, FLOAT64) -> FLOAT64',
      '(NUMERIC, NUMERIC) -> NUMERIC',
      '(BIGNUMERIC, BIGNUMERIC) -> BIGNUMERIC',
    ),
    constantArgument: { index: 1, least: 0, most: 1 },
  },
  PERCENTILE_DISC: {
    ...percentile(
      'The percentile, one of the values.',
      '(T, FLOAT64) -> T',
      '(T, NUMERIC) -> T',
      '(T, BIGNUMERIC) -> T',
    ),
    constantArgument: { index: 1, least: 0, most: 1 },
    needsOrderable: true,
  },
};
