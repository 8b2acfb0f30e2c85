import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EVERYTHING, nextWindow } from '../../../../shared/warehouse/newest-first/windows.ts';

describe('the window after one that was not enough', () => {
  test.each<[string, number, number, readonly number[], number]>([
    ['is the next where each reads more', 0, 1, [1, 24, 168, 720, 8760, 99_999], 1],
    ['is the widest of those that read much the same', 0, 2, [2, 2, 3, 700, 8000, 99_999], 2],
    ['is everything where that is hardly more', 1, 24, [1, 24, 30, 31, 31, 31], EVERYTHING],
    [
      'is everything as soon as that is less than twice the next',
      1,
      24,
      [1, 24, 168, 300, 300, 300],
      EVERYTHING,
    ],
    ['is everything after the widest', 4, 8760, [1, 24, 168, 720, 8760, 99_999], EVERYTHING],
    ['is everything where nothing can be known', 0, 7, [], EVERYTHING],
  ])('%s', (_, tried, readBytes, estimates, expected) => {
    expect(nextWindow(tried, readBytes, estimates)).toBe(expected);
  });

  test('is always wider, and all tries together read no more than twice everything', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1_000_000 }), {
      minLength: EVERYTHING + 1,
      maxLength: EVERYTHING + 1,
    });
    fc.assert(
      fc.property(sizes, (unsorted) => {
        const estimates = unsorted.toSorted((a, b) => a - b);
        let total = 0;
        let window = 0;
        while (window < EVERYTHING) {
          const read = estimates[window] ?? 0;
          total += read;
          const next = nextWindow(window, read, estimates);
          expect(next).toBeGreaterThan(window);
          window = next;
        }
        expect(total).toBeLessThanOrEqual(2 * (estimates[EVERYTHING] ?? 0));
      }),
    );
  });
});
