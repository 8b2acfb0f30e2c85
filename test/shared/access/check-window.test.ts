import { describe, expect, it } from '@jest/globals';
import { checkLookback, checkWindow } from '../../../shared/access/check-window.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import type { TimeRange } from '../../../shared/time/time-range.ts';

const NAMES = { start: 'iso_timestamp_start', end: 'iso_timestamp_end' };
const NOW = 1_767_225_600_000_000n;
const ago = (seconds: number) => NOW - BigInt(seconds) * 1_000_000n;
const window = (after: bigint | null, upTo: bigint | null): TimeRange => ({
  after,
  upTo,
});

describe('checkWindow', () => {
  it.each<[string, number | null, TimeRange]>([
    ['anything without a limit', null, window(null, null)],
    ['exactly as much as the limit', 3600, window(ago(7200), ago(3600))],
    ['as much as the limit until the present', 3600, window(ago(3600), null)],
    ['a minute more, for the request was on its way', 3600, window(ago(3660), null)],
    ['a window that ends before it begins', 1, window(ago(10), ago(20))],
    ['what has not begun', 1, window(ago(-10), null)],
  ])('lets through %s', (_, maxWindowSeconds, requested) => {
    expect(() => checkWindow({ maxWindowSeconds }, requested, NAMES, NOW)).not.toThrow();
  });

  it.each<[string, TimeRange, string]>([
    [
      'no beginning',
      window(null, ago(10)),
      'set "iso_timestamp_start" to no more than that before "iso_timestamp_end", or before the present.',
    ],
    [
      'a beginning too long ago',
      window(ago(3661), null),
      'set "iso_timestamp_start" to a later time: it lies 3661 seconds before the present.',
    ],
    [
      'bounds too far apart',
      window(ago(9000), ago(1000)),
      'set "iso_timestamp_start" to a later time: it lies 8000 seconds before "iso_timestamp_end".',
    ],
    ['an end far in the future', window(ago(0), ago(-9000)), 'it lies 9000 seconds before'],
    ['the longest of all', window(-62_135_596_800_000_000n, 253_402_300_799_999_999n), 'a later time'],
  ])('answers 403 to %s', (_, requested, message) => {
    let thrown: unknown;
    try {
      checkWindow({ maxWindowSeconds: 3600 }, requested, NAMES, NOW);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ServiceError);
    const { code, message: said, details } = thrown as ServiceError;
    expect(code).toBe(403);
    expect(said).toContain('This access token may read 3600 seconds of logs at once; ');
    expect(said).toContain(message);
    expect(details).toEqual([{ parameter: 'iso_timestamp_start' }]);
  });
});

describe('checkLookback', () => {
  const SECONDS = { minutely: 3600, daily: 604_800 };

  it.each([
    ['anything without a limit', null, 'daily'],
    ['as much as the limit', 3600, 'minutely'],
    ['a minute more', 3540, 'minutely'],
    ['all values where the longest is allowed', 604_800, 'daily'],
  ])('lets through %s', (_, maxWindowSeconds, value) => {
    expect(() => checkLookback({ maxWindowSeconds }, 'interval', value, SECONDS)).not.toThrow();
  });

  it.each([
    ['a longer span', 3600, 'daily', 'seconds of logs at once; set "interval" to minutely.'],
    ['every span', 60, 'minutely', 'seconds of logs at once, and every value of "interval" stands for more.'],
    ['a value without a span', 604_800, 'weekly', 'set "interval" to minutely or daily.'],
  ])('answers 403 to %s', (_, maxWindowSeconds, value, message) => {
    const check = () => checkLookback({ maxWindowSeconds }, 'interval', value, SECONDS);
    expect(check).toThrow(ServiceError);
    expect(check).toThrow(message);
  });
});
