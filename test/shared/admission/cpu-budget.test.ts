import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeCpuBudget } from '../../../shared/admission/cpu-budget.ts';

function openBudget() {
  const clock = { nowMs: 0 };
  return { clock, budget: makeCpuBudget(() => clock.nowMs) };
}

describe('a budget of CPU seconds', () => {
  test('is there at once, and spent when so much was counted', () => {
    const { budget } = openBudget();
    expect(budget.state('a', 60)).toEqual({ isSpent: false, remaining: 60, resetSeconds: 0 });
    budget.charge('a', 59_900);
    expect(budget.state('a', 60)).toEqual({ isSpent: false, remaining: 0, resetSeconds: 0 });
    budget.charge('a', 5_100);
    expect(budget.state('a', 60)).toEqual({ isSpent: true, remaining: 0, resetSeconds: 5 });
    expect(budget.state('b', 60).isSpent).toBe(false);
  });

  test('is refilled evenly, and never beyond a minute', () => {
    const { budget, clock } = openBudget();
    budget.state('a', 120);
    budget.charge('a', 130_000);
    expect(budget.state('a', 120).resetSeconds).toBe(5);
    clock.nowMs = 4_999;
    expect(budget.state('a', 120).isSpent).toBe(true);
    clock.nowMs = 5_600;
    expect(budget.state('a', 120)).toEqual({ isSpent: false, remaining: 1, resetSeconds: 0 });
    clock.nowMs = 3_600_000;
    expect(budget.state('a', 120).remaining).toBe(120);
  });

  test('has something left after the seconds that it said, and not a second before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(2_000_000), (perMinute, cpuMs) => {
        const { budget, clock } = openBudget();
        budget.state('a', perMinute);
        budget.charge('a', perMinute * 1000 + cpuMs + 1);
        const { isSpent, resetSeconds } = budget.state('a', perMinute);
        expect(isSpent).toBe(true);
        clock.nowMs = (resetSeconds - 1) * 1000;
        expect(budget.state('a', perMinute).isSpent).toBe(true);
        // A thousandth more than what was rounded to.
        clock.nowMs = resetSeconds * 1000 + 1;
        expect(budget.state('a', perMinute).isSpent).toBe(false);
      }),
    );
  });
});
