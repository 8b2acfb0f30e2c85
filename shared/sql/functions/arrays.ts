import { type Entries, perNumber, scalar } from './entry.ts';

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/array_functions */
export const ARRAY_FUNCTIONS: Entries = {
  ARRAY_CONCAT: {
    ...scalar('Joins arrays end to end.', '(ARRAY<T>, ARRAY<T>...) -> ARRAY<T>'),
    refusesUntypedNull: true,
  },
  ARRAY_FIRST: scalar('The first element; an empty array is an error.', '(ARRAY<T>) -> T'),
  ARRAY_LAST: scalar('The last element; an empty array is an error.', '(ARRAY<T>) -> T'),
  ARRAY_LENGTH: scalar('The number of elements.', '(ARRAY<T>) -> INT64'),
  ARRAY_REVERSE: scalar('The elements in reverse order.', '(ARRAY<T>) -> ARRAY<T>'),
  ARRAY_SLICE: scalar('The elements from one offset to another.', '(ARRAY<T>, INT64, INT64) -> ARRAY<T>'),
  ARRAY_TO_STRING: scalar(
    'Joins the elements with a separator; NULLs are left out, or replaced by a third argument.',
    '(ARRAY<STRING>, STRING[, STRING]) -> STRING',
    '(ARRAY<BYTES>, BYTES[, BYTES]) -> BYTES',
  ),
  GENERATE_ARRAY: {
    ...scalar(
      'The numbers from one to another, in steps.',
      ...perNumber((type) => `(${type}, ${type}[, ${type}]) -> ARRAY<${type}>`),
    ),
    isSafeByItself: true,
  },
  GENERATE_DATE_ARRAY: {
    ...scalar(
      'The dates from one to another, in steps.',
      '(DATE, DATE[, interval:date_step]) -> ARRAY<DATE>',
    ),
    isSafeByItself: true,
  },
  GENERATE_TIMESTAMP_ARRAY: {
    ...scalar(
      'The instants from one to another, in steps.',
      '(TIMESTAMP, TIMESTAMP, interval:timestamp_step) -> ARRAY<TIMESTAMP>',
    ),
    isSafeByItself: true,
  },
};
