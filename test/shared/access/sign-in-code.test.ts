import { describe, expect, test } from '@jest/globals';
import { makeSignInCodes, SIGN_IN_CODE_MS } from '../../../shared/access/sign-in-code.ts';
import type { Clock } from '../../../shared/concurrency/clock.ts';

/** A clock whose two hands are moved by hand. */
function twoHands() {
  const now = { monotonicMs: 1000, wallMs: 5000 };
  const clock: Clock = {
    monotonicMs: () => now.monotonicMs,
    wallMs: () => now.wallMs,
    sleep: async () => {},
  };
  return { clock, now };
}

describe('a code', () => {
  test('has 128 random bits in characters that a fragment holds as they are', () => {
    const codes = makeSignInCodes(twoHands().clock);
    const texts = Array.from({ length: 50 }, codes.issue);
    for (const text of texts) expect(text).toMatch(/^[\w-]{22}$/);
    expect(new Set(texts).size).toBe(50);
  });

  test('works once', () => {
    const codes = makeSignInCodes(twoHands().clock);
    const code = codes.issue();
    expect([codes.redeem(code), codes.redeem(code)]).toEqual([true, false]);
  });

  test('is unknown before it is issued, and ends with the next one', () => {
    const codes = makeSignInCodes(twoHands().clock);
    expect(codes.redeem('')).toBe(false);
    const [first, second] = [codes.issue(), codes.issue()];
    expect([codes.redeem(first), codes.redeem(second)]).toEqual([false, true]);
  });

  test.each([
    ['in the last millisecond of its minute', { monotonicMs: SIGN_IN_CODE_MS - 1 }, true],
    ['not after a minute', { monotonicMs: SIGN_IN_CODE_MS }, false],
    ['not after a minute of sleep, in which one clock stood still', { wallMs: SIGN_IN_CODE_MS }, false],
    [
      'not after a minute in which the other clock was set back',
      { monotonicMs: 60_000, wallMs: -1e6 },
      false,
    ],
  ])('works %s', (_, { monotonicMs = 0, wallMs = 0 }: { monotonicMs?: number; wallMs?: number }, works) => {
    const { clock, now } = twoHands();
    const codes = makeSignInCodes(clock);
    const code = codes.issue();
    now.monotonicMs += monotonicMs;
    now.wallMs += wallMs;
    expect(codes.redeem(code)).toBe(works);
    now.monotonicMs = 1000;
    now.wallMs = 5000;
    expect(codes.redeem(code)).toBe(false);
  });

  test('survives nine wrong ones, not ten', () => {
    const codes = makeSignInCodes(twoHands().clock);
    for (const [wrong, works] of [
      [9, true],
      [10, false],
    ] as const) {
      const code = codes.issue();
      for (let count = 0; count < wrong; count++) expect(codes.redeem(`${code}${count}`)).toBe(false);
      expect(codes.redeem(code)).toBe(works);
    }
  });
});
