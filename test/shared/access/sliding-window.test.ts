import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { makeSlidingWindow } from '../../../shared/access/sliding-window.ts';

describe('makeSlidingWindow', () => {
  it('lets as many requests through as the limit says, and reports what is left', () => {
    const window = makeSlidingWindow();
    expect([0, 500, 1000, 2000].map((ms) => window.take(ms, 3))).toEqual([
      { isAllowed: true, limit: 3, remaining: 2, resetSeconds: 61 },
      { isAllowed: true, limit: 3, remaining: 1, resetSeconds: 61 },
      { isAllowed: true, limit: 3, remaining: 0, resetSeconds: 60 },
      { isAllowed: false, limit: 3, remaining: 0, resetSeconds: 59 },
    ]);
  });

  it('lets the next one through when the reset says so, and not a second earlier', () => {
    const window = makeSlidingWindow();
    window.take(10_000, 1);
    expect(window.take(20_000, 1)).toMatchObject({ isAllowed: false, resetSeconds: 51 });
    expect(window.take(70_000, 1)).toMatchObject({ isAllowed: false, resetSeconds: 1 });
    expect(window.take(71_000, 1)).toMatchObject({ isAllowed: true });
  });

  it('does not count what it refuses', () => {
    const window = makeSlidingWindow();
    window.take(0, 1);
    for (let ms = 1000; ms < 60_000; ms += 100) expect(window.take(ms, 1).isAllowed).toBe(false);
    expect(window.take(61_000, 1).isAllowed).toBe(true);
  });

  it('waits for as many as are too many after the limit was lowered', () => {
    const window = makeSlidingWindow();
    for (const second of [0, 10, 20]) window.take(second * 1000, 3);
    expect(window.take(30_000, 1)).toMatchObject({ isAllowed: false, remaining: 0, resetSeconds: 51 });
    expect(window.take(80_999, 1).isAllowed).toBe(false);
    expect(window.take(81_000, 1).isAllowed).toBe(true);
  });

  it('forgets everything after a long pause', () => {
    const window = makeSlidingWindow();
    for (let n = 0; n < 5; n += 1) window.take(1000, 5);
    expect(window.take(1e12, 5)).toEqual({ isAllowed: true, limit: 5, remaining: 4, resetSeconds: 61 });
  });

  it('takes a clock that runs backwards for one that stands still', () => {
    const window = makeSlidingWindow();
    window.take(1_000_000, 1);
    expect(window.take(0, 1)).toMatchObject({ isAllowed: false, resetSeconds: 61 });
    expect(window.take(1_061_000, 1).isAllowed).toBe(true);
  });

  it('never lets more than the limit through in any 60 seconds, nor refuses where 61 seconds have room', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), steps, (limit, pauses) => {
        const window = makeSlidingWindow();
        const allowed: number[] = [];
        let nowMs = 0;
        for (const pause of pauses) {
          nowMs += pause;
          const within = (ms: number) => allowed.filter((at) => at > nowMs - ms).length;
          const { isAllowed, remaining, resetSeconds } = window.take(nowMs, limit);
          if (isAllowed) allowed.push(nowMs);
          expect(within(60_000)).toBeLessThanOrEqual(limit);
          if (!isAllowed) expect(within(61_000)).toBeGreaterThanOrEqual(limit);
          expect(remaining).toBeGreaterThanOrEqual(0);
          expect(resetSeconds).toBeGreaterThanOrEqual(1);
          expect(resetSeconds).toBeLessThanOrEqual(61);
        }
      }),
    );
  });

  it('keeps what the reset promises', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), pauses, (limit, waits) => {
        const window = makeSlidingWindow();
        let nowMs = 0;
        for (const wait of waits) {
          nowMs += wait;
          const taken = window.take(nowMs, limit);
          if (taken.isAllowed) continue;
          nowMs += taken.resetSeconds * 1000;
          expect(window.take(nowMs, limit).isAllowed).toBe(true);
        }
      }),
    );
  });
});
