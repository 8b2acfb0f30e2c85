import type { SqlType } from '../types/sql-type.ts';
import { type Entries, type FunctionEntry, operator } from './entry.ts';

const formatted = (...signatures: readonly string[]): FunctionEntry => ({
  ...operator('CAST with FORMAT', ...signatures),
  isSafeByItself: true,
});

/**
 * `CAST(value AS type FORMAT format [AT TIME ZONE zone])` by the type that it gives.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/format-elements
 */
export const FORMAT_CASTS: Entries = {
  $CAST_TO_STRING: formatted(
    '(TIMESTAMP, STRING[, STRING]) -> STRING',
    ...['DATE', 'DATETIME', 'TIME', 'BYTES', 'INT64', 'NUMERIC', 'BIGNUMERIC', 'FLOAT64'].map(
      (type) => `(${type}, STRING) -> STRING`,
    ),
  ),
  $CAST_TO_BYTES: formatted('(STRING, STRING) -> BYTES'),
  $CAST_TO_DATE: formatted('(STRING, STRING) -> DATE'),
  $CAST_TO_DATETIME: formatted('(STRING, STRING) -> DATETIME'),
  $CAST_TO_TIME: formatted('(STRING, STRING) -> TIME'),
  $CAST_TO_TIMESTAMP: formatted('(STRING, STRING[, STRING]) -> TIMESTAMP'),
};

const TO_TEXT: ReadonlySet<string> = new Set([
  'DATE',
  'DATETIME',
  'TIME',
  'TIMESTAMP',
  'BYTES',
  'INT64',
  'NUMERIC',
  'BIGNUMERIC',
  'FLOAT64',
]);

const FROM_TEXT: ReadonlySet<string> = new Set(['BYTES', 'DATE', 'DATETIME', 'TIME', 'TIMESTAMP']);

/** Whether a cast between two types may have a format. */
export function takesFormat(from: SqlType, to: SqlType): boolean {
  return from.kind === 'STRING' ? FROM_TEXT.has(to.kind) : to.kind === 'STRING' && TO_TEXT.has(from.kind);
}
