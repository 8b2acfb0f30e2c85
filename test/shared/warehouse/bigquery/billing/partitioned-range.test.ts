import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BoundedTimeRange } from '../../../../../shared/time/time-range.ts';
import { MIN_TIMESTAMP_MICROS, SPAN_MICROS } from '../../../../../shared/time/units.ts';
import {
  type PartitionBy,
  partitionRange,
  partitionStart,
} from '../../../../../shared/warehouse/bigquery/billing/partitioned-range.ts';

const at = (text: string) => BigInt(Date.parse(text)) * 1_000n;
const range = (start: string | null, end: string, by: PartitionBy = 'hour') =>
  partitionRange({ after: start === null ? null : at(start), upTo: at(end) }, by);
const written = ({ after, upTo }: BoundedTimeRange) =>
  [after, upTo].map((micros) => new Date(Number(micros) / 1_000).toISOString());

describe('a range of time in partitions', () => {
  test.each<[string, string | null, string, PartitionBy, number | null]>([
    ['within one hour', '2026-01-01T10:10Z', '2026-01-01T10:20Z', 'hour', 1],
    ['over the end of an hour', '2026-01-01T10:50Z', '2026-01-01T11:10Z', 'hour', 2],
    [
      'that ends where an hour begins, which is read for an instant',
      '2026-01-01T10:00Z',
      '2026-01-01T12:00Z',
      'hour',
      3,
    ],
    ['of a day', '2026-01-01T10:10Z', '2026-01-02T10:10Z', 'hour', 25],
    ['of a day, by days', '2026-01-01T10:10Z', '2026-01-02T10:10Z', 'day', 2],
    ['before the epoch', '1969-12-31T22:30Z', '1970-01-01T00:30Z', 'hour', 3],
    ['without a beginning', null, '2026-01-01T10:20Z', 'hour', null],
  ])('%s', (_, start, end, by, partitions) => {
    expect(range(start, end, by)?.partitions).toBe(partitions);
  });

  test.each<[string, string | null, string]>([
    ['the end lies before the start', '2026-01-02', '2026-01-01'],
    ['they are one', '2026-01-01', '2026-01-01'],
    ['the end is the beginning of time', null, '0001-01-01T00:00:00Z'],
  ])('is none when %s', (_, start, end) => {
    expect(range(start, end)).toBeNull();
  });

  test.each([
    ['the newest ones, back to where one begins', '11:34', 2, ['10:00', '11:34']],
    ['a single one is the last where that is longest', '11:00', 1, ['10:00', '10:59:59.999']],
    ['a single one is the one before where the last has just begun', '11:05', 1, ['10:00', '10:59:59.999']],
  ])('a part of it is %s', (_, end, count, expected) => {
    const part = range('2026-01-01T02:00Z', `2026-01-01T${end}Z`)?.newest(count);
    const time = (text: string) => (text.length === 5 ? `${text}:00.000` : text);
    expect(part === undefined ? null : written(part)).toEqual(
      expected.map((text) => `2026-01-01T${time(text)}Z`),
    );
  });
});

test('the parts of a range lie in it, each in the next, and touch as many partitions as they say', () => {
  const micros = fc.bigInt({ min: at('1969-12-01'), max: at('1970-02-01') });
  fc.assert(
    fc.property(
      fc.option(micros),
      micros,
      fc.constantFrom<PartitionBy>('hour', 'day'),
      fc.integer({ min: 2, max: 3_000 }),
      (after, upTo, by, drawn) => {
        const whole = partitionRange({ after, upTo }, by);
        if (whole === null) return expect(after !== null && upTo - 1n <= after).toBe(true);
        if (whole.partitions !== null && whole.partitions < 2) return undefined;
        const count = Math.min(drawn, (whole.partitions ?? Infinity) - 1);
        const touched = ({ after: start, upTo: end }: BoundedTimeRange) => {
          const width = SPAN_MICROS[by];
          return Number((partitionStart(end, width) - partitionStart(start, width)) / width) + 1;
        };
        const [part, one] = [whole.newest(count), whole.newest(1)];
        expect(part.after).toBeLessThan(part.upTo);
        expect(part.after).toBeGreaterThanOrEqual(after ?? MIN_TIMESTAMP_MICROS);
        expect(part.upTo).toBeLessThanOrEqual(upTo);
        expect([touched(part), touched(one)]).toEqual([count, 1]);
        if (count === 1) return undefined;
        expect(one.after).toBeGreaterThanOrEqual(part.after);
        expect(one.upTo).toBeLessThanOrEqual(part.upTo);
        return undefined;
      },
    ),
  );
});
