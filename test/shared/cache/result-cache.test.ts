import { describe, expect, it, jest } from '@jest/globals';
import type { CachedAnswer } from '../../../shared/cache/answer.ts';
import { makeResultCache } from '../../../shared/cache/result-cache.ts';
import type { DatedAnswer, SharedLevel } from '../../../shared/cache/shared-level.ts';
import { before, momentOf } from '../../../shared/concurrency/clock.ts';
import { answerOf, largeAnswer, requestOf } from './support/answers.ts';
import { manualClock, settled } from './support/manual-clock.ts';

const MIB = 1024 * 1024;

function open(maxBytes = MIB) {
  const clock = manualClock();
  return { clock, cache: makeResultCache({ maxBytes, shared: null, clock }) };
}

/** Counts how often it is asked, and answers with the count. */
function counting(): jest.Mock<(signal: AbortSignal) => Promise<CachedAnswer>> {
  let count = 0;
  return jest.fn(async () => answerOf(++count));
}

describe('answers that the process keeps', () => {
  it('are computed once and given until they are too old', async () => {
    const { cache, clock } = open();
    const compute = counting();
    const states: unknown[] = [];
    for (const seconds of [0, 1, 898, 1]) {
      await clock.advance(seconds * 1000);
      const { state, ageSeconds, entry } = await cache.answer('k', requestOf(compute));
      states.push([state, ageSeconds, entry.answer.rows]);
    }
    expect(states).toEqual([
      ['MISS', 0, ['{"v":1}']],
      ['HIT', 1, ['{"v":1}']],
      ['HIT', 899, ['{"v":1}']],
      ['MISS', 0, ['{"v":2}']],
    ]);
  });

  it('are as old as the beginning of their computation', async () => {
    const { cache, clock } = open();
    const slow = requestOf(async () => {
      await clock.advance(40_000);
      return answerOf(1);
    });
    expect(await cache.answer('k', slow)).toMatchObject({ state: 'MISS', ageSeconds: 40 });
    await clock.advance(859_999);
    expect(cache.lookup('k', 900, null)).toMatchObject({ ageSeconds: 899 });
    await clock.advance(1);
    expect(cache.lookup('k', 900, null)).toBeNull();
  });

  it('are not kept when computing them took longer than they last', async () => {
    const { cache, clock } = open();
    const slow = requestOf(
      async () => {
        await clock.advance(2000);
        return answerOf(1);
      },
      { ttlSeconds: 1 },
    );
    expect((await cache.answer('k', slow)).entry.answer).toEqual(answerOf(1));
    expect(cache.lookup('k', 1, null)).toBeNull();
  });

  it.each([
    ['while the wall clock is set back', -120_000, 900_000, null],
    ['after the wall clock has jumped ahead', 900_000, 0, null],
    ['within their time', -120_000, 899_999, 'HIT'],
  ])('pass for no younger than they are %s', async (_, setWallMs, advanceMs, state) => {
    const { cache, clock } = open();
    await cache.answer('k', requestOf(counting()));
    clock.setWall(setWallMs);
    await clock.advance(advanceMs);
    expect(cache.lookup('k', 900, null)?.state ?? null).toBe(state);
  });

  it('are given up earlier by callers who want younger ones', async () => {
    const { cache, clock } = open();
    const compute = counting();
    await cache.answer('k', requestOf(compute));
    await clock.advance(60_000);
    const reply = await cache.answer('k', requestOf(compute, { ttlSeconds: 60 }));
    expect(reply).toMatchObject({ state: 'MISS', ageSeconds: 0 });
  });

  it('are computed again when a caller asks for that, and later callers get the new answer', async () => {
    const { cache } = open();
    const compute = counting();
    await cache.answer('k', requestOf(compute));
    expect((await cache.answer('k', requestOf(compute, { refresh: true }))).state).toBe('REFRESH');
    const { state, entry } = await cache.answer('k', requestOf(compute));
    expect([state, entry.answer.rows]).toEqual(['HIT', ['{"v":2}']]);
  });

  it('stay when computing them again fails', async () => {
    const { cache } = open();
    await cache.answer('k', requestOf(counting()));
    const failing = requestOf(() => Promise.reject(new Error('down')), { refresh: true });
    await expect(cache.answer('k', failing)).rejects.toThrow('down');
    expect(cache.lookup('k', 900, null)?.entry.answer.rows).toEqual(['{"v":1}']);
  });

  it('are not replaced by ones whose computation began before', async () => {
    const { cache, clock } = open();
    const slow = Promise.withResolvers<CachedAnswer>();
    const first = cache.answer(
      'k',
      requestOf(() => slow.promise),
    );
    await clock.advance(1000);
    await cache.answer(
      'k',
      requestOf(async () => answerOf('new'), { refresh: true }),
    );
    slow.resolve(answerOf('old'));
    expect((await first).entry.answer).toEqual(answerOf('old'));
    expect(cache.lookup('k', 900, null)?.entry.answer).toEqual(answerOf('new'));
  });

  it('are never failures', async () => {
    const { cache } = open();
    await expect(
      cache.answer(
        'k',
        requestOf(() => Promise.reject(new Error('down'))),
      ),
    ).rejects.toThrow('down');
    expect((await cache.answer('k', requestOf(counting()))).state).toBe('MISS');
  });
});

describe('requests at the same time', () => {
  it.each([
    ['of an answer that is kept', 900, false, 'MISS'],
    ['of one that is never kept', 0, false, 'BYPASS'],
    ['for a new one', 900, true, 'REFRESH'],
  ])('run the query once, %s', async (_, ttlSeconds, refresh, state) => {
    const { cache } = open();
    const compute = counting();
    const request = requestOf(compute, { ttlSeconds, refresh });
    const replies = await Promise.all(Array.from({ length: 50 }, () => cache.answer('k', request)));
    expect(compute).toHaveBeenCalledTimes(1);
    expect(replies.map((reply) => reply.state)).toEqual(Array(50).fill(state));
  });

  it('join a query that bypasses the cache, but do not count as bypassing it', async () => {
    const { cache } = open();
    const compute = counting();
    const [anew, plain] = await Promise.all([
      cache.answer('k', requestOf(compute, { refresh: true })),
      cache.answer('k', requestOf(compute)),
    ]);
    expect([anew.state, plain.state]).toEqual(['REFRESH', 'MISS']);
    expect(compute).toHaveBeenCalledTimes(1);
  });

  it('of which one wants a new answer do not get it an older one', async () => {
    const { cache } = open();
    const slow = Promise.withResolvers<CachedAnswer>();
    const plain = cache.answer(
      'k',
      requestOf(() => slow.promise),
    );
    await settled();
    const anew = await cache.answer(
      'k',
      requestOf(async () => answerOf('new'), { refresh: true }),
    );
    slow.resolve(answerOf('old'));
    await plain;
    expect(anew.entry.answer).toEqual(answerOf('new'));
  });

  it('end the query when all have gone', async () => {
    const { cache } = open();
    const client = new AbortController();
    let signal: AbortSignal | undefined;
    const request = requestOf(
      (given) => {
        signal = given;
        return new Promise((_, reject) => given.addEventListener('abort', () => reject(given.reason)));
      },
      { signal: client.signal },
    );
    const answer = cache.answer('k', request);
    await settled();
    client.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    expect(signal?.aborted).toBe(true);
  });
});

it('never keeps an answer of an endpoint without caching', async () => {
  const { cache } = open();
  const compute = counting();
  const request = requestOf(compute, { ttlSeconds: 0 });
  expect((await cache.answer('k', request)).state).toBe('BYPASS');
  expect((await cache.answer('k', request)).entry.answer.rows).toEqual(['{"v":2}']);
  expect(await cache.get('k', 900)).toBeNull();
});

/** A level that gives what it is told to, when it is told to. */
function slowLevel() {
  const gates = { read: Promise.resolve(), written: Promise.resolve() };
  const others: { answer: DatedAnswer | null } = { answer: null };
  const level: SharedLevel = {
    async read() {
      await gates.read;
      return others.answer;
    },
    async obtain(_key, { compute, signal, ttlSeconds }) {
      const computedAt = momentOf(clock);
      const answer = await compute(signal);
      await gates.written;
      return { answer, computedAt, ttlSeconds, isComputed: true };
    },
    settle: async () => {},
  };
  const clock = manualClock();
  const cache = makeResultCache({ maxBytes: MIB, shared: level, clock });
  return { gates, others, clock, cache };
}

describe('an answer that grows too old while the shared level is waited for', () => {
  it('is not given: the kept one, when others are asked for a newer one', async () => {
    const { gates, clock, cache } = slowLevel();
    const compute = counting();
    await cache.answer('k', requestOf(compute));
    await clock.advance(899_900);
    const gate = Promise.withResolvers<void>();
    gates.read = gate.promise;
    const asked = cache.answer('k', requestOf(compute, { recheckSeconds: 60 }));
    await clock.advance(200);
    gate.resolve();
    expect(await asked).toMatchObject({ state: 'MISS', ageSeconds: 0, entry: { answer: answerOf(2) } });
  });

  it('is given to those alone who came before it was computed', async () => {
    const { gates, clock, cache } = slowLevel();
    const compute = counting();
    const gate = Promise.withResolvers<void>();
    gates.written = gate.promise;
    const first = cache.answer('k', requestOf(compute));
    await clock.advance(900_000);
    const second = cache.answer('k', requestOf(compute));
    gate.resolve();
    expect((await first).entry.answer).toEqual(answerOf(1));
    expect(await second).toMatchObject({ state: 'MISS', ageSeconds: 0, entry: { answer: answerOf(2) } });
  });
});

it('takes the newer answer of another instance after its machine has slept', async () => {
  const { others, clock, cache } = slowLevel();
  await cache.answer('k', requestOf(counting()));
  clock.setWall(120_000);
  await clock.advance(60_000);
  others.answer = { answer: answerOf('newer'), computedAt: before(momentOf(clock), 90_000), ttlSeconds: 900 };
  const reply = await cache.answer('k', requestOf(counting(), { recheckSeconds: 60 }));
  expect(reply).toMatchObject({ state: 'HIT', ageSeconds: 90, entry: { answer: answerOf('newer') } });
});

describe('the memory that answers take', () => {
  it('is bounded, the least recently used going first', async () => {
    const { cache } = open(10 * MIB);
    const ask = (key: string) =>
      cache.answer(
        key,
        requestOf(async () => largeAnswer(2 * MIB)),
      );
    for (const key of ['a', 'b', 'c', 'd']) await ask(key);
    expect((await ask('a')).state).toBe('HIT');
    await ask('e');
    const kept = ['a', 'b', 'c', 'd', 'e'].filter((key) => cache.lookup(key, 900, null) !== null);
    expect(kept).toEqual(['a', 'c', 'd', 'e']);
  });

  it('is not given to one answer that would need most of it', async () => {
    const { cache } = open(4 * MIB);
    await cache.answer('small', requestOf(counting()));
    const large = await cache.answer(
      'large',
      requestOf(async () => largeAnswer(2 * MIB)),
    );
    expect(large.entry.answer.rows.length).toBeGreaterThan(100);
    expect(cache.lookup('large', 900, null)).toBeNull();
    expect(cache.lookup('small', 900, null)).not.toBeNull();
  });

  it('counts the bodies made of answers', async () => {
    const { cache } = open(MIB);
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const { entry } = await cache.answer(key, requestOf(counting()));
      entry.bodies.set('json', Buffer.alloc(200 * 1024));
    }
    const kept = ['a', 'b', 'c', 'd', 'e', 'f'].filter((key) => cache.lookup(key, 900, null) !== null);
    expect(kept).toEqual(['b', 'c', 'd', 'e', 'f']);
  });

  it('does not bring back an answer that was dropped, when a body is made of it', async () => {
    const { cache } = open();
    const { entry } = await cache.answer('k', requestOf(counting()));
    await cache.answer('k', requestOf(counting(), { refresh: true }));
    entry.bodies.set('json', Buffer.from('old'));
    expect(cache.lookup('k', 900, null)?.entry.bodies.get('json')).toBeUndefined();
  });
});

describe('the bodies made of an answer', () => {
  it('are made once', async () => {
    const { cache } = open();
    const { entry } = await cache.answer('k', requestOf(counting()));
    entry.bodies.set('json', Buffer.from('one'));
    entry.bodies.set('json', Buffer.from('two'));
    expect(cache.lookup('k', 900, null)?.entry.bodies.get('json')).toEqual(Buffer.from('one'));
  });

  it('are kept for a dozen representations', async () => {
    const { cache } = open();
    const { entry } = await cache.answer('k', requestOf(counting()));
    const names = Array.from({ length: 20 }, (_, index) => `r${index}`);
    for (const name of names) entry.bodies.set(name, Buffer.from(name));
    expect(names.filter((name) => entry.bodies.get(name) !== undefined)).toHaveLength(12);
  });
});

it('counts what it answers', async () => {
  const { cache } = open();
  await cache.answer('k', requestOf(counting()));
  await cache.answer('k', requestOf(counting()));
  await cache.answer('k', requestOf(counting(), { refresh: true }));
  await cache.answer('k', requestOf(counting(), { ttlSeconds: 0 }));
  await cache.get('k', 900);
  expect(cache.counters).toEqual({ hits: 1, misses: 1, refreshes: 1, bypasses: 1 });
});
