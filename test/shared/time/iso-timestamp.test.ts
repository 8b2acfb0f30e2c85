import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatMicros, parseIsoTimestamp } from '../../../shared/time/iso-timestamp.ts';

const EPOCH = 1_767_225_600_000_000n; // 2026-01-01T00:00:00Z
const MINUTE = 60_000_000n;
const HOUR = 60n * MINUTE;

const parsed = (text: string): bigint | string => {
  const result = parseIsoTimestamp(text);
  return 'micros' in result ? result.micros : result.problem;
};

/** Days since 1970-01-01 by counting years and months one at a time. */
function countDays(year: number, month: number, day: number): number {
  const leap = (y: number) => (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  let days = 0;
  for (let y = 1970; y < year; y++) days += leap(y) ? 366 : 365;
  for (let y = 1969; y >= year; y--) days -= leap(y) ? 366 : 365;
  const months = [31, leap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return days + months.slice(0, month - 1).reduce((sum, length) => sum + length, 0) + day - 1;
}

const two = (value: number) => String(value).padStart(2, '0');

const instant = fc.record({
  year: fc.integer({ min: 2, max: 9998 }),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 28 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
  second: fc.integer({ min: 0, max: 59 }),
  fraction: fc.integer({ min: 0, max: 999_999 }),
});

describe('an ISO 8601 timestamp', () => {
  test.each<[string, string, bigint]>([
    ['a date', '2026-01-01', EPOCH],
    ['a time to the minute', '2026-01-01T00:01', EPOCH + MINUTE],
    ['no zone, which is UTC', '2026-01-01T00:00:00', EPOCH],
    ['a lower-case t and z', '2026-01-01t00:00:00z', EPOCH],
    ['a space between date and time', '2026-01-01 02:00', EPOCH + 2n * HOUR],
    ['a whole-hour zone', '2026-01-01T00:00:00+02', EPOCH - 2n * HOUR],
    ['a zone without a colon', '2026-01-01T00:00:00-0530', EPOCH + 5n * HOUR + 30n * MINUTE],
    ['a zone with a colon', '2026-01-01T00:00:00+05:30', EPOCH - 5n * HOUR - 30n * MINUTE],
    ['a zone after minutes', '2026-01-01T00:00+01:00', EPOCH - HOUR],
    ['a plus that arrived as a space', '2026-01-01T00:00:00 02:00', EPOCH - 2n * HOUR],
    ['a plus that arrived as a space, short', '2026-01-01T00:00:00 02', EPOCH - 2n * HOUR],
    [
      'a plus that arrived as a space, after a fraction',
      '2026-01-01 00:00:00.5 0200',
      EPOCH - 2n * HOUR + 500_000n,
    ],
    ['a negative zero offset', '2026-01-01T00:00:00-00:00', EPOCH],
    ['one digit of a fraction', '2026-01-01T00:00:00.1Z', EPOCH + 100_000n],
    ['a decimal comma', '2026-01-01T00:00:00,123456Z', EPOCH + 123_456n],
    ['more than six digits, cut off', '2026-01-01T00:00:00.1234569Z', EPOCH + 123_456n],
    ['nine nines, cut off', '2026-01-01T00:00:00.999999999Z', EPOCH + 999_999n],
    ['a fraction before 1970, cut towards the past', '1969-12-31T23:59:59.9999999Z', -1n],
    ['a leap day', '2024-02-29', 1_709_164_800_000_000n],
    ['a leap day of a century', '2000-02-29', 951_782_400_000_000n],
    ['the epoch', '1970-01-01T00:00:00Z', 0n],
    ['the first instant', '0001-01-01T00:00:00Z', -62_135_596_800_000_000n],
    ['the last instant', '9999-12-31T23:59:59.999999Z', 253_402_300_799_999_999n],
    ['a year 0 that is year 1 in UTC', '0000-12-31T23:30:00-01:00', -62_135_596_800_000_000n + 30n * MINUTE],
  ])('accepts %s', (_, text, micros) => {
    expect(parsed(text)).toBe(micros);
  });

  test.each<[string, string, RegExp]>([
    ['nothing', '', /YYYY-MM-DD/],
    ['a word', 'yesterday', /YYYY-MM-DD/],
    ['epoch seconds', '1767225600', /YYYY-MM-DD/],
    ['a short year', '26-01-01', /YYYY-MM-DD/],
    ['a long year', '+12026-01-01', /YYYY-MM-DD/],
    ['a month without a zero', '2026-1-01', /YYYY-MM-DD/],
    ['slashes', '2026/01/01', /YYYY-MM-DD/],
    ['no hyphens', '20260101T000000Z', /YYYY-MM-DD/],
    ['a space before', ' 2026-01-01', /YYYY-MM-DD/],
    ['other digits', '２０２６-01-01', /YYYY-MM-DD/],
    ['a newline after', '2026-01-01T00:00:00Z\n', /YYYY-MM-DD/],
    ['endless digits', `2026-01-01T00:00:00.${'1'.repeat(1_000_000)}`, /YYYY-MM-DD/],
    ['month 0', '2026-00-01', /no month 00/],
    ['month 13', '2026-13-01', /no month 13/],
    ['day 0', '2026-01-00', /no day 00 in 2026-01/],
    ['the 31st of a short month', '2026-04-31', /no day 31 in 2026-04/],
    ['a leap day in a common year', '2026-02-29', /no day 29 in 2026-02/],
    ['a leap day in 1900', '1900-02-29', /no day 29 in 1900-02/],
    ['a T and no time', '2026-01-01T', /YYYY-MM-DD/],
    ['an hour alone', '2026-01-01T12', /hh:mm/],
    ['a zone right after a date', '2026-01-01Z', /YYYY-MM-DD/],
    ['a point without digits', '2026-01-01T00:00:00.', /hh:mm/],
    ['a fraction of a minute', '2026-01-01T00:00.5', /hh:mm/],
    ['a named zone', '2026-01-01T00:00:00 UTC', /hh:mm/],
    ['half a zone', '2026-01-01T00:00:00+2', /hh:mm/],
    ['hour 24', '2026-01-01T24:00:00Z', /no hour 24/],
    ['minute 60', '2026-01-01T00:60:00Z', /no minute 60/],
    ['second 60', '2026-06-30T23:59:60Z', /no second 60/],
    ['a zone of 24 hours', '2026-01-01T00:00:00+24:00', /no zone 24:00/],
    ['a zone with minute 60', '2026-01-01T00:00:00+01:60', /no zone 01:60/],
    ['the year before 1', '0000-12-31T23:59:59Z', /0001 to 9999/],
    ['a zone that leads before year 1', '0001-01-01T00:00:00+00:01', /0001 to 9999/],
    ['a zone that leads after year 9999', '9999-12-31T23:59:59-00:01', /0001 to 9999/],
  ])('refuses %s', (_, text, problem) => {
    expect(parsed(text)).toMatch(problem);
  });

  test('agrees with counting days one year at a time, to the microsecond', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const text = `${String(at.year).padStart(4, '0')}-${two(at.month)}-${two(at.day)}T${two(at.hour)}:${two(at.minute)}:${two(at.second)}.${String(at.fraction).padStart(6, '0')}`;
        const seconds =
          BigInt(countDays(at.year, at.month, at.day)) * 86_400n +
          BigInt(at.hour * 3600 + at.minute * 60 + at.second);
        expect(parsed(text)).toBe(seconds * 1_000_000n + BigInt(at.fraction));
      }),
      { numRuns: 300 },
    );
  });

  test('subtracts the offset, however the offset is written', () => {
    const offset = fc.record({
      sign: fc.constantFrom('+', '-', ' '),
      hour: fc.integer({ min: 0, max: 23 }),
      minute: fc.integer({ min: 0, max: 59 }),
    });
    fc.assert(
      fc.property(offset, fc.constantFrom('', ':'), ({ sign, hour, minute }, colon) => {
        const shift = BigInt(hour * 60 + minute) * MINUTE * (sign === '-' ? -1n : 1n);
        expect(parsed(`2026-01-01T00:00:00${sign}${two(hour)}${colon}${two(minute)}`)).toBe(EPOCH - shift);
      }),
    );
  });

  test('reads back every instant that is written', () => {
    const micros = fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n });
    fc.assert(
      fc.property(micros, (value) => {
        expect(parsed(formatMicros(value))).toBe(value);
      }),
      { numRuns: 1000 },
    );
  });

  test('answers something for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789-:T Z+.,') })),
        (text) => {
          expect(['bigint', 'string']).toContain(typeof parsed(text));
        },
      ),
    );
  });
});

describe('a written timestamp', () => {
  test.each<[bigint, string]>([
    [0n, '1970-01-01T00:00:00Z'],
    [-1n, '1969-12-31T23:59:59.999999Z'],
    [EPOCH + 1n, '2026-01-01T00:00:00.000001Z'],
    [1_709_164_800_000_000n, '2024-02-29T00:00:00Z'],
    [-62_135_596_800_000_000n, '0001-01-01T00:00:00Z'],
    [253_402_300_799_999_999n, '9999-12-31T23:59:59.999999Z'],
  ])('%s is %s', (micros, text) => {
    expect(formatMicros(micros)).toBe(text);
  });

  test.each([[-62_135_596_800_000_001n], [253_402_300_800_000_000n]])('%s is out of range', (micros) => {
    expect(() => formatMicros(micros)).toThrow(RangeError);
  });
});
