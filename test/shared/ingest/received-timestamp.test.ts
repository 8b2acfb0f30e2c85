import { expect, test } from '@jest/globals';
import { timestampOf } from '../../../shared/ingest/received-timestamp.ts';

test.each([
  ['seconds', '1767225600', '1767225600000000'],
  ['seconds with a fraction', '1767225600.25', '1767225600250000'],
  ['seconds with nanoseconds', '1767225600.123456789', '1767225600123456'],
  ['milliseconds', '1767225600123', '1767225600123000'],
  ['milliseconds with a fraction', '1767225600123.4', '1767225600123400'],
  ['microseconds', '1767225600123456', '1767225600123456'],
  ['microseconds with a fraction', '1767225600123456.7', '1767225600123456'],
  ['nanoseconds', '1767225600123456789', '1767225600123456'],
  ['seconds before 1970', '-1767225600', '-1767225600000000'],
  ['text', '"2026-01-01T00:00:00Z"', '"2026-01-01T00:00:00Z"'],
  ['microseconds of 1970', '12345', '12345'],
  ['an exponent', '1.7e9', '1.7e9'],
  ['a number that is no JSON', '01767225600', '01767225600'],
  ['very many digits', '9'.repeat(1000), '9'.repeat(1000)],
])('reads %s', (_, text, expected) => {
  expect(timestampOf(text)).toBe(expected);
});
