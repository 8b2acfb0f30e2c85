import { describe, expect, test } from '@jest/globals';
import { makeOwnerHistory } from '../../../../../shared/warehouse/duckdb/isolated/owner-history.ts';

const LONG_CPU_MS = 200;

function habitsAt() {
  const clock = { nowMs: 0 };
  return { clock, habits: makeOwnerHistory(LONG_CPU_MS, () => clock.nowMs) };
}

describe('the habits of owners', () => {
  test('are empty at first', () => {
    const { habits } = habitsAt();
    expect(habits.isLong('a')).toBe(false);
    expect(habits.isPenalized('a')).toBe(false);
  });

  test('are long where queries take long as a rule, and stop being so', () => {
    const { habits } = habitsAt();
    for (let n = 0; n < 100; n += 1) habits.learn('small', 20, false);
    habits.learn('large', 5_000, false);
    expect([habits.isLong('small'), habits.isLong('large')]).toEqual([false, true]);
    for (let n = 0; n < 20; n += 1) habits.learn('large', 20, false);
    expect(habits.isLong('large')).toBe(false);
  });

  test('count a killed query against its owner for ten seconds, and not against others', () => {
    const { clock, habits } = habitsAt();
    habits.learn('a', 100, true);
    habits.learn('a', 100, false);
    expect([habits.isPenalized('a'), habits.isPenalized('b')]).toEqual([true, false]);
    clock.nowMs = 10_000;
    expect(habits.isPenalized('a')).toBe(false);
  });

  test('give turns to those whose last one is longest ago, and keep the order of each', () => {
    const { habits } = habitsAt();
    for (const owner of ['a', 'b', 'a', 'c']) habits.begin(owner);
    const queries = ['a1', 'a2', 'c1', 'b1', 'd1'].map((name) => ({ owner: name[0] ?? '', name }));
    expect(habits.inTurns(queries).map(({ name }) => name)).toEqual(['d1', 'b1', 'a1', 'a2', 'c1']);
  });
});
