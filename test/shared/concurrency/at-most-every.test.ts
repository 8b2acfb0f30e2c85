import { describe, expect, test } from '@jest/globals';
import { atMostEvery } from '../../../shared/concurrency/at-most-every.ts';

describe('work that is begun at most once in a second', () => {
  const world = { nowMs: 0, begun: 0 };
  const start = (work: () => Promise<number>) => {
    Object.assign(world, { nowMs: 0, begun: 0 });
    return atMostEvery(
      1000,
      () => world.nowMs,
      () => {
        world.begun += 1;
        return work();
      },
    );
  };

  test('gives all callers in between the same answer, and starts again after that', async () => {
    const ask = start(async () => world.begun);
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    world.nowMs = 999;
    expect(await ask()).toBe(1);
    world.nowMs = 1000;
    expect(await ask()).toBe(2);
  });

  test('is not begun a second time while it is under way', async () => {
    const slow = Promise.withResolvers<number>();
    const ask = start(() => slow.promise);
    const first = ask();
    world.nowMs = 5000;
    const second = ask();
    slow.resolve(7);
    expect([await first, await second, world.begun]).toEqual([7, 7, 1]);
  });

  test('fails for all who ask meanwhile, and may succeed after that', async () => {
    const ask = start(async () => {
      if (world.begun === 1) throw new Error('down');
      return world.begun;
    });
    await expect(ask()).rejects.toThrow('down');
    await expect(ask()).rejects.toThrow('down');
    world.nowMs = 1000;
    expect(await ask()).toBe(2);
  });
});
