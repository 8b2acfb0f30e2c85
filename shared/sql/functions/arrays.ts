import { perNumber } from './operators.ts';

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/array_functions */
export const ARRAY_FUNCTIONS: readonly string[] = [
  'ARRAY_CONCAT(ARRAY<T>, ARRAY<T>...) -> ARRAY<T>',
  'ARRAY_FIRST(ARRAY<T>) -> T',
  'ARRAY_LAST(ARRAY<T>) -> T',
  'ARRAY_LENGTH(ARRAY<T>) -> INT64',
  'ARRAY_REVERSE(ARRAY<T>) -> ARRAY<T>',
  'ARRAY_SLICE(ARRAY<T>, INT64, INT64) -> ARRAY<T>',
  'ARRAY_TO_STRING(ARRAY<STRING>, STRING[, STRING]) -> STRING',
  'ARRAY_TO_STRING(ARRAY<BYTES>, BYTES[, BYTES]) -> BYTES',
  ...perNumber((type) => `GENERATE_ARRAY(${type}, ${type}[, ${type}]) -> ARRAY<${type}>`),
  'GENERATE_DATE_ARRAY(DATE, DATE[, interval:date_step]) -> ARRAY<DATE>',
  'GENERATE_TIMESTAMP_ARRAY(TIMESTAMP, TIMESTAMP, interval:timestamp_step) -> ARRAY<TIMESTAMP>',
];
