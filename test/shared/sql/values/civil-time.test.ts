import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  parseDate,
  parseDatetime,
  parseTime,
  parseTimestamp,
  parseTimeValue,
} from '../../../../shared/sql/values/civil-time.ts';
import { MAX_TIMESTAMP_MICROS, MICROS_PER_DAY, MIN_TIMESTAMP_MICROS } from '../../../../shared/time/units.ts';

const micros = (iso: string, fraction = 0n) => BigInt(Date.parse(iso)) * 1000n + fraction;

describe('a date', () => {
  test.each<[string, bigint]>([
    ['1970-01-01', 0n],
    ['1969-12-31', -1n],
    ['2024-02-29', 19_782n],
    ['2024-2-9', 19_762n],
    ['0001-01-01', -719_162n],
    ['9999-12-31', 2_932_896n],
  ])('%s is day %s', (text, day) => {
    expect(parseDate(text)).toBe(day);
  });

  test.each([
    '',
    '2024-02-30',
    '2023-02-29',
    '1900-02-29',
    '0000-01-01',
    '10000-01-01',
    '24-01-01',
    '2024-00-01',
    '2024-13-01',
    '2024-01-00',
    '2024-01-32',
    '2024-01',
    '2024/01/01',
    ' 2024-01-01',
    '2024-01-01 ',
    '2024-01-01\n',
    '-2024-01-01',
    '2024-001-01',
    '２０２４-01-01',
  ])('%j is invalid', (text) => {
    expect(parseDate(text)).toBeNull();
  });

  test('of any day reads back', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString().slice(0, 10);
          expect(parseDate(iso)).toBe(BigInt(Date.parse(`${iso}T00:00:00Z`)) / 86_400_000n);
        },
      ),
    );
  });
});

describe('a time', () => {
  test.each<[string, bigint]>([
    ['00:00:00', 0n],
    ['1:2:3', 3_723_000_000n],
    ['23:59:59.999999', MICROS_PER_DAY - 1n],
    ['12:00:00.5', 43_200_500_000n],
  ])('%s is %s microseconds', (text, value) => {
    expect(parseTime(text)).toBe(value);
  });

  test.each([
    '',
    '24:00:00',
    '12:60:00',
    '12:00:60',
    '12:00',
    '12:00:00.',
    '12:00:00.1234567',
    '12:00:00Z',
    '-1:00:00',
    ' 12:00:00',
  ])('%j is invalid', (text) => {
    expect(parseTime(text)).toBeNull();
  });
});

describe('the value of a TIME', () => {
  test.each<[string, bigint]>([
    ['12:00:00.5', 43_200_500_000n],
    ['12:00:60', 43_260_000_000n],
    ['12:00:60.999999', 43_260_000_000n],
    ['23:59:60', 0n],
  ])('%s is %s microseconds', (text, value) => {
    expect(parseTimeValue(text)).toBe(value);
  });

  test.each(['', '12:00:61', '12:60:60', '24:00:00', '12:00:60.', '12:00:060'])('%j is invalid', (text) => {
    expect(parseTimeValue(text)).toBeNull();
  });
});

describe('a datetime', () => {
  test.each<[string, bigint]>([
    ['1970-01-01', 0n],
    ['1970-01-02 00:00:00.000001', MICROS_PER_DAY + 1n],
    ['1970-01-01T01:00:00', 3_600_000_000n],
    ['1970-01-01t01:00:00', 3_600_000_000n],
    ['9999-12-31 23:59:59.999999', MAX_TIMESTAMP_MICROS],
    ['0001-01-01 00:00:00', MIN_TIMESTAMP_MICROS],
    ['1970-01-01 23:59:60.5', MICROS_PER_DAY],
  ])('%s is %s microseconds', (text, value) => {
    expect(parseDatetime(text)).toBe(value);
  });

  test.each([
    '',
    '1970-01-01 ',
    '1970-01-01  00:00:00',
    '1970-01-01 00:00',
    '1970-01-01 00:00:00Z',
    '1970-01-01 00:00:00+01',
    '00:00:00',
    '1970-01-01 00:00:61',
    '9999-12-31 23:59:60',
  ])('%j is invalid', (text) => {
    expect(parseDatetime(text)).toBeNull();
  });
});

describe('a timestamp', () => {
  test.each<[string, bigint]>([
    ['2024-05-06 07:08:09', micros('2024-05-06T07:08:09Z')],
    ['2024-05-06T07:08:09.000001Z', micros('2024-05-06T07:08:09Z', 1n)],
    ['2024-05-06 07:08:09z', micros('2024-05-06T07:08:09Z')],
    ['2024-05-06', micros('2024-05-06T00:00:00Z')],
    ['2024-05-06 +02', micros('2024-05-05T22:00:00Z')],
    ['2024-05-06T+02', micros('2024-05-05T22:00:00Z')],
    ['2024-05-06 07:08:09+00', micros('2024-05-06T07:08:09Z')],
    ['2024-05-06 07:08:09-8', micros('2024-05-06T15:08:09Z')],
    ['2024-05-06 07:08:09+05:30', micros('2024-05-06T01:38:09Z')],
    ['2024-05-06 07:08:09+0530', micros('2024-05-06T01:38:09Z')],
    ['2024-05-06 07:08:09 UTC', micros('2024-05-06T07:08:09Z')],
    ['2024-05-06 07:08:09 America/Los_Angeles', micros('2024-05-06T14:08:09Z')],
    ['2024-01-06 07:08:09 America/Los_Angeles', micros('2024-01-06T15:08:09Z')],
    ['2024-03-31 02:30:00 Europe/Berlin', micros('2024-03-31T01:30:00Z')],
    ['2024-10-27 02:30:00 Europe/Berlin', micros('2024-10-27T00:30:00Z')],
    ['9999-12-31 23:59:59.999999', MAX_TIMESTAMP_MICROS],
    ['0001-01-01 00:00:00', MIN_TIMESTAMP_MICROS],
    ['2016-12-31 23:59:60', micros('2017-01-01T00:00:00Z')],
    ['2016-12-31T23:59:60.000001Z', micros('2017-01-01T00:00:00Z', 1n)],
    ['2016-12-31 23:59:60+05:30', micros('2016-12-31T18:30:00Z')],
    ['2024-10-27 02:59:60 Europe/Berlin', micros('2024-10-27T02:00:00Z')],
    ['2024-03-31 02:59:60 Europe/Berlin', micros('2024-03-31T01:00:00Z')],
    ['9999-12-31 23:59:60+01', micros('9999-12-31T23:00:00Z')],
  ])('%s is read', (text, value) => {
    expect(parseTimestamp(text)).toBe(value);
  });

  test.each([
    '',
    'yesterday',
    '2024-05-06 ',
    '2024-05-06 07:08',
    '2024-05-06 24:00:00',
    '2024-05-06 07:08:09 Z',
    '2024-05-06 07:08:09+15',
    '2024-05-06 07:08:09+14:01',
    '2024-05-06+02',
    '2024-05-06 Europe/Berlin',
    '2024-05-06 07:08:09 +05:30',
    '2024-01-06 07:08:09 america/los_angeles',
    '2024-05-06 07:08:09+05:60',
    '2024-05-06 07:08:09 Mars/Olympus',
    '2024-05-06 07:08:09America/Los_Angeles',
    '2024-05-06 07:08:09 UTC ',
    '2024-05-06 07:08:09.1234567',
    '2024-02-30 00:00:00',
    '0001-01-01 00:00:00+01',
    '9999-12-31 23:59:59-01',
    '1714978800',
    '2024-05-06 07:08:61',
    '9999-12-31 23:59:60',
  ])('%j is invalid', (text) => {
    expect(parseTimestamp(text)).toBeNull();
  });

  test('of any instant with any offset reads back', () => {
    const instants = fc.date({
      min: new Date('0002-01-01'),
      max: new Date('9998-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(
        instants,
        fc.integer({ min: -839, max: 839 }),
        fc.integer({ min: 0, max: 999 }),
        (date, minutes, extra) => {
          const local = new Date(date.getTime() + minutes * 60_000)
            .toISOString()
            .slice(0, -1)
            .replace('T', ' ');
          const size = Math.abs(minutes);
          const offset = `${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}:${size % 60}`;
          const text = `${local}${String(extra).padStart(3, '0')}${offset}`;
          expect(parseTimestamp(text)).toBe(BigInt(date.getTime()) * 1000n + BigInt(extra));
        },
      ),
    );
  });

  test('is never anything but microseconds or null', () => {
    const parts = fc.constantFrom(
      '2024',
      '-',
      '05',
      '06',
      ' ',
      'T',
      '07',
      ':',
      '.',
      '+',
      'Z',
      'UTC',
      'Europe/Berlin',
      '9',
      '\n',
      'é',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 20 }), (list) => {
        const text = list.join('');
        for (const parse of [parseDate, parseTime, parseDatetime, parseTimestamp]) {
          const value = parse(text);
          expect(value === null || typeof value === 'bigint').toBe(true);
        }
      }),
    );
  });
});
