import { describe, expect, test } from '@jest/globals';
import { makePartStore } from '../../../shared/cache/part-store.ts';
import { makeStoreLevel } from '../../../shared/cache/store-level.ts';
import { systemRandom } from '../../../shared/concurrency/random.ts';
import { answerOf } from './support/answers.ts';
import { manualClock } from './support/manual-clock.ts';
import { memoryCacheStore } from './support/memory-cache-store.ts';

const DAY_SECONDS = 24 * 60 * 60;

function openWorld() {
  const time = manualClock();
  const store = memoryCacheStore(time.wallMs);
  const instance = () => {
    const clock = time;
    const shared = makeStoreLevel({ store, clock, random: systemRandom, warn: () => {} });
    return makePartStore({ maxBytes: 2 ** 20, shared, clock });
  };
  return { time, store, instance };
}

describe('parts of answers', () => {
  test('are kept here and for all instances, with the time of the store', async () => {
    const { time, instance } = openWorld();
    const [one, other] = [instance(), instance()];
    await one.keep('key', answerOf(1), 60);
    expect(one.here('key')).toEqual(answerOf(1));
    expect(other.here('key')).toBeNull();
    expect(await other.look('key')).toEqual({ part: answerOf(1), storeTimeMs: time.wallMs() });
    expect(other.here('key')).toEqual(answerOf(1));
    expect(await other.look('another')).toEqual({ part: null, storeTimeMs: time.wallMs() });
  });

  test.each([
    [60, 60],
    [30 * DAY_SECONDS, 7 * DAY_SECONDS],
  ])('are kept for %p seconds, a week at most', async (ttlSeconds, keptSeconds) => {
    const { time, instance } = openWorld();
    const [one, other] = [instance(), instance()];
    await one.keep('key', answerOf(1), ttlSeconds);
    await time.advance(keptSeconds * 1000 - 1);
    expect(one.here('key')).toEqual(answerOf(1));
    expect((await other.look('key'))?.part).toEqual(answerOf(1));
    await time.advance(1);
    expect(one.here('key')).toBeNull();
    expect((await other.look('key'))?.part).toBeNull();
  });

  test('say that a store fails, and stay in the process', async () => {
    const { store, instance } = openWorld();
    const one = instance();
    store.fault = async () => {
      throw new Error('down');
    };
    await one.keep('key', answerOf(1), 60);
    expect(one.here('key')).toEqual(answerOf(1));
    expect(await instance().look('key')).toBeNull();
  });
});
