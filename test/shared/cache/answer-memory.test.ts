import { describe, expect, test } from '@jest/globals';
import { makeResultCache } from '../../../shared/cache/result-cache.ts';
import { makeByteBudget } from '../../../shared/concurrency/byte-budget.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';

const MIB = 1024 * 1024;
const signal = new AbortController().signal;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A cache over a budget of 10 MiB, and a request for an answer of so many. */
function cacheOf(maxBytes = 64 * MIB) {
  const budget = makeByteBudget({ capacityBytes: 10 * MIB, nowMs: () => performance.now() });
  const cache = makeResultCache({ maxBytes, shared: null, clock: systemClock, budget });
  const request = (mib: number, ttlSeconds = 0) => ({
    ttlSeconds,
    refresh: false,
    recheckSeconds: null,
    signal,
    compute: async (_: AbortSignal, grow: (bytes: number) => Promise<void>) => {
      await grow(mib * MIB);
      const rows = ['x'.repeat((mib * MIB) / 2)];
      return { columns: [], rows, truncated: false, bytesProcessed: null, bytesBilled: null, facts: {} };
    },
  });
  return { budget, cache, request };
}

describe('the memory of an answer', () => {
  test('is held until it is sent, its rows until they are encoded', async () => {
    const { budget, cache, request } = cacheOf();
    const { hold } = await cache.answer('k', request(4));
    expect(budget.heldBytes).toBeGreaterThanOrEqual(4 * MIB);
    await nextTurn();
    hold.encoded(Buffer.alloc(MIB));
    expect(budget.heldBytes).toBe(MIB);
    hold.release();
    hold.release();
    expect(budget.heldBytes).toBe(0);
  });

  test('is held once by all who ask for it at the same time, until the last has sent it', async () => {
    const { budget, cache, request } = cacheOf();
    const replies = await Promise.all(Array.from({ length: 20 }, () => cache.answer('k', request(4))));
    await nextTurn();
    const body = Buffer.alloc(MIB);
    for (const { hold } of replies) hold.encoded(body);
    expect(budget.heldBytes).toBe(MIB);
    for (const { hold } of replies.slice(1)) hold.release();
    expect(budget.heldBytes).toBe(MIB);
    replies[0]?.hold.release();
    expect(budget.heldBytes).toBe(0);
  });

  test('keeps the next one waiting, which is then answered', async () => {
    const { budget, cache, request } = cacheOf();
    const first = await cache.answer('a', request(6));
    let isAnswered = false;
    const second = cache.answer('b', request(6)).then((reply) => {
      isAnswered = true;
      return reply;
    });
    await nextTurn();
    await nextTurn();
    expect(isAnswered).toBe(false);
    first.hold.release();
    (await second).hold.release();
    await nextTurn();
    expect(budget.heldBytes).toBe(0);
  });

  test('is refused with unavailable at the deadline, and comes back from what fails', async () => {
    const { budget, cache, request } = cacheOf();
    const { hold } = await cache.answer('a', request(6));
    await expect(cache.answer('b', { ...request(6), deadlineMs: 20 })).rejects.toMatchObject({
      kind: 'unavailable',
    });
    const failing = async (_: AbortSignal, grow: (bytes: number) => Promise<void>) => {
      await grow(MIB);
      throw new Error('down');
    };
    await expect(cache.answer('c', { ...request(1), compute: failing })).rejects.toThrow('down');
    hold.release();
    await nextTurn();
    expect(budget.heldBytes).toBe(0);
  });

  test('is counted for kept answers while they are sent, once for all', async () => {
    const { budget, cache, request } = cacheOf();
    (await cache.answer('k', request(4, 900))).hold.release();
    await nextTurn();
    expect(budget.heldBytes).toBe(0);
    const hits = await Promise.all(Array.from({ length: 10 }, () => cache.answer('k', request(4, 900))));
    expect(new Set(hits.map(({ state }) => state))).toEqual(new Set(['HIT']));
    await nextTurn();
    expect(budget.heldBytes).toBeLessThanOrEqual(10 * MIB);
    for (const { hold } of hits) hold.release();
    await nextTurn();
    expect(budget.heldBytes).toBe(0);
  });

  test('of short ones is not counted', async () => {
    const { budget, cache, request } = cacheOf();
    await cache.answer('k', request(0.1));
    expect(budget.heldBytes).toBe(0);
  });
});
