import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { durationText, isoDuration } from '../../../../../shared/warehouse/bigquery/billing/duration.ts';

describe('a span of time', () => {
  test.each([
    [0, 'PT0S', '0 seconds'],
    [1, 'PT1S', '1 second'],
    [3_600, 'PT1H', '1 hour'],
    [5_696, 'PT1H34M56S', '1 hour, 34 minutes and 56 seconds'],
    [86_400, 'P1D', '1 day'],
    [615_600, 'P7DT3H', '7 days and 3 hours'],
  ])('of %d seconds is %s, %s', (seconds, iso, text) => {
    expect([isoDuration(seconds), durationText(seconds)]).toEqual([iso, text]);
  });

  test('in ISO 8601 is as long as it was', () => {
    const PARTS = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
    fc.assert(
      fc.property(fc.nat(400 * 86_400), (seconds) => {
        const [, ...counts] = PARTS.exec(isoDuration(seconds)) ?? [];
        const [days = 0, hours = 0, minutes = 0, rest = 0] = counts.map((count) => Number(count ?? 0));
        expect(((days * 24 + hours) * 60 + minutes) * 60 + rest).toBe(seconds);
      }),
    );
  });
});
