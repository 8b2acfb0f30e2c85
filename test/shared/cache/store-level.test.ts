import zlib from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { CachedAnswer } from '../../../shared/cache/answer.ts';
import { makeResultCache } from '../../../shared/cache/result-cache.ts';
import { systemRandom } from '../../../shared/concurrency/random.ts';
import { answerOf, requestOf } from './support/answers.ts';
import { type ManualClock, manualClock, settled } from './support/manual-clock.ts';
import { type MemoryCacheStore, memoryCacheStore } from './support/memory-cache-store.ts';

// Answers are compressed at once: when another thread is done with that, no clock of a test can say.
jest.unstable_mockModule('node:zlib', () => ({
  ...zlib,
  brotliCompress: atOnce(zlib.brotliCompressSync),
  brotliDecompress: atOnce(zlib.brotliDecompressSync),
}));
const { makeStoreLevel } = await import('../../../shared/cache/store-level.ts');

function atOnce<Options>(work: (bytes: Uint8Array, options: Options) => Buffer) {
  return (bytes: Uint8Array, options: Options, done: (error: unknown, result?: Buffer) => void): void => {
    try {
      done(null, work(bytes, options));
    } catch (error) {
      done(error);
    }
  };
}

const MIB = 1024 * 1024;

/** The real time, which the store's clock shows and the instances' clocks do not. */
function openWorld() {
  const time = manualClock();
  const store = memoryCacheStore(time.wallMs);
  const instances: { clock: ManualClock; warnings: Record<string, unknown>[] }[] = [];
  let queries = 0;

  return {
    store,
    queries: () => queries,
    /** Lets time pass everywhere. */
    async pass(ms: number) {
      await time.advance(ms);
      for (const { clock } of instances) await clock.advance(ms);
    },
    /** Answers with the number of the query, and when it was run. */
    compute: async (): Promise<CachedAnswer> => ({ ...answerOf(++queries), facts: { at: time.wallMs() } }),
    ageOf: (answer: CachedAnswer) => time.wallMs() - Number(answer.facts.at),
    instance(wallOffsetMs = 0) {
      const clock = manualClock(wallOffsetMs);
      const warnings: Record<string, unknown>[] = [];
      const warn = (message: string, fields?: object) => void warnings.push({ message, ...fields });
      const level = makeStoreLevel({ store, clock, random: systemRandom, warn });
      const cache = makeResultCache({ maxBytes: MIB, shared: level, clock });
      instances.push({ clock, warnings });
      return { cache, level, warnings, clock };
    },
  };
}

describe('an answer that another instance computed', () => {
  it('is given without a query, with its age', async () => {
    const { instance, compute, pass, queries } = openWorld();
    const [a, b] = [instance(), instance()];
    expect((await a.cache.answer('k', requestOf(compute))).state).toBe('MISS');
    await pass(100_000);
    expect(await b.cache.answer('k', requestOf(compute))).toMatchObject({ state: 'HIT', ageSeconds: 100 });
    expect(b.cache.lookup('k', 900, null)).toMatchObject({ state: 'HIT', ageSeconds: 100 });
    expect(queries()).toBe(1);
  });

  it('is found without computing one', async () => {
    const { instance, compute, pass } = openWorld();
    const [a, b] = [instance(), instance()];
    expect(await b.cache.get('k', 900)).toBeNull();
    await a.cache.answer('k', requestOf(compute));
    expect(await b.cache.get('k', 900)).toMatchObject({ state: 'HIT' });
    await pass(900_000);
    expect(await b.cache.get('k', 900)).toBeNull();
  });

  it('is taken when it is newer, as often as the caller wants that looked up', async () => {
    const { instance, compute, pass, store } = openWorld();
    const [a, b] = [instance(), instance()];
    const request = requestOf(compute, { recheckSeconds: 60 });
    await a.cache.answer('k', request);
    await b.cache.answer('k', request);
    await pass(60_000);
    await a.cache.answer('k', requestOf(compute, { refresh: true }));
    expect((await b.cache.answer('k', request)).entry.answer.rows).toEqual(['{"v":2}']);
    const reads = store.calls.length;
    expect((await b.cache.answer('k', request)).state).toBe('HIT');
    expect(store.calls).toHaveLength(reads);
  });

  it('does not take the place of the own one when looking it up fails', async () => {
    const { instance, compute, pass, store } = openWorld();
    const { cache } = instance();
    const request = requestOf(compute, { recheckSeconds: 60 });
    await cache.answer('k', request);
    await pass(60_000);
    store.fault = () => Promise.reject(new Error('down'));
    expect(await cache.answer('k', request)).toMatchObject({ state: 'HIT', ageSeconds: 60 });
  });
});

describe('instances whose clocks disagree', () => {
  it.each([
    ['agree', 0, 0],
    ['the one that computes is two minutes ahead', 120_000, 0],
    ['the one that computes is two minutes behind', -120_000, 0],
    ['they are four minutes apart', 120_000, -120_000],
    ['they are four minutes apart the other way', -120_000, 120_000],
    ['one is a year ahead', 365 * 86_400_000, 0],
  ])('give an answer until it is 900 seconds old, where %s', async (_, offsetA, offsetB) => {
    const { instance, compute, pass } = openWorld();
    const [a, b] = [instance(offsetA), instance(offsetB)];
    await a.cache.answer('k', requestOf(compute));
    await pass(899_000);
    expect(await b.cache.answer('k', requestOf(compute))).toMatchObject({ state: 'HIT', ageSeconds: 899 });
    await pass(1000);
    expect(b.cache.lookup('k', 900, null)).toBeNull();
    expect(await b.cache.answer('k', requestOf(compute))).toMatchObject({ state: 'MISS', ageSeconds: 0 });
  });

  it('never give an answer that is 900 seconds old, whatever happens', async () => {
    const step = fc.record({
      instance: fc.nat({ max: 2 }),
      passMs: fc.oneof(fc.constantFrom(0, 1000, 899_999, 900_000), fc.nat({ max: 1_000_000 })),
      refresh: fc.boolean(),
      fault: fc.constantFrom('none', 'none', 'none', 'down', 'write lost'),
    });
    const offsets = fc.tuple(...[1, 2, 3].map(() => fc.integer({ min: -120_000, max: 120_000 })));
    await fc.assert(
      fc.asyncProperty(offsets, fc.array(step, { maxLength: 12 }), async (wallOffsets, steps) => {
        const world = openWorld();
        const instances = wallOffsets.map((offset) => world.instance(offset));
        for (const { instance, passMs, refresh, fault } of steps) {
          await world.pass(passMs);
          world.store.fault = faultOf(fault);
          const { entry, ageSeconds } = await instances[instance]!.cache.answer(
            'k',
            requestOf(world.compute, { refresh, recheckSeconds: 300 }),
          );
          const ageMs = world.ageOf(entry.answer);
          expect(ageMs).toBeLessThan(900_000);
          expect(ageSeconds).toBeGreaterThanOrEqual(Math.floor(ageMs / 1000));
        }
      }),
      { numRuns: 60 },
    );
  });
});

function faultOf(fault: string): MemoryCacheStore['fault'] {
  if (fault === 'down') return () => Promise.reject(new Error('down'));
  if (fault === 'write lost')
    return (call) => (call === 'write' ? Promise.reject(new Error('reset')) : Promise.resolve());
  return undefined;
}

describe('instances that miss the same answer at once', () => {
  it('run the query once, and the others wait for it', async () => {
    const { instance, compute, pass, queries } = openWorld();
    const done = Promise.withResolvers<void>();
    const slow = requestOf(() => done.promise.then(compute));
    const replies = Array.from({ length: 50 }, () => instance().cache.answer('k', slow));
    await pass(5000);
    done.resolve();
    for (let ms = 0; ms < 2000; ms += 100) await pass(100);
    const states = (await Promise.all(replies)).map(({ state }) => state);
    expect(states.filter((state) => state === 'MISS')).toHaveLength(1);
    expect(states.filter((state) => state === 'HIT')).toHaveLength(49);
    expect(queries()).toBe(1);
  });

  it('keep waiting while the query takes longer than the lease', async () => {
    const { instance, compute, pass, queries } = openWorld();
    const done = Promise.withResolvers<void>();
    const first = instance().cache.answer(
      'k',
      requestOf(() => done.promise.then(compute)),
    );
    await settled();
    const second = instance().cache.answer('k', requestOf(compute));
    for (let ms = 0; ms < 14_000; ms += 500) await pass(500);
    expect(queries()).toBe(0);
    done.resolve();
    await first;
    for (let ms = 0; ms < 2000; ms += 500) await pass(500);
    expect((await second).state).toBe('HIT');
    expect(queries()).toBe(1);
  });

  it('see the answer when the lease has gone to another query between two looks', async () => {
    const { instance, compute, pass, queries } = openWorld();
    const [first, refreshing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = instance();
    const missed = holder.cache.answer(
      'k',
      requestOf(() => first.promise.then(compute)),
    );
    await settled();
    const second = instance().cache.answer('k', requestOf(compute));
    for (let ms = 0; ms < 5000; ms += 500) await pass(500);
    first.resolve();
    await missed;
    const refreshed = holder.cache.answer(
      'k',
      requestOf(() => refreshing.promise.then(compute), { refresh: true }),
    );
    for (let ms = 0; ms < 3000; ms += 500) await pass(500);
    expect(await Promise.race([second.then(({ state }) => state), settled()])).toBe('HIT');
    refreshing.resolve();
    await refreshed;
    expect(queries()).toBe(2);
  });

  it('run it themselves after a while', async () => {
    const { instance, compute, pass } = openWorld();
    instance().cache.answer(
      'k',
      requestOf(() => new Promise(() => {})),
    );
    await settled();
    const second = instance().cache.answer('k', requestOf(compute));
    for (let ms = 0; ms < 17_000; ms += 500) await pass(500);
    expect((await second).state).toBe('MISS');
  });

  it('take over when the query of the first fails', async () => {
    const { instance, compute, pass, queries } = openWorld();
    const failing = Promise.withResolvers<CachedAnswer>();
    const first = instance().cache.answer(
      'k',
      requestOf(() => failing.promise),
    );
    await settled();
    const second = instance().cache.answer('k', requestOf(compute));
    await pass(100);
    failing.reject(new Error('quota'));
    await expect(first).rejects.toThrow('quota');
    for (let ms = 0; ms < 2000; ms += 100) await pass(100);
    expect((await second).state).toBe('MISS');
    expect(queries()).toBe(1);
  });

  it('take over when the first has died and its lease has ended', async () => {
    const { instance, compute, pass, store, queries } = openWorld();
    await store.acquire('k', 6000);
    const replies = [1, 2, 3].map(() => instance().cache.answer('k', requestOf(compute)));
    for (let ms = 0; ms < 10_000; ms += 250) await pass(250);
    const states = (await Promise.all(replies)).map(({ state }) => state);
    expect(states.sort()).toEqual(['HIT', 'HIT', 'MISS']);
    expect(queries()).toBe(1);
  });

  it('take no answer that came in between for a missing one', async () => {
    const { instance, compute, store } = openWorld();
    const [a, b] = [instance(), instance()];
    const gate = Promise.withResolvers<void>();
    store.fault = (call) => (call === 'acquire' ? gate.promise : Promise.resolve());
    const late = b.cache.answer('k', requestOf(compute));
    await settled();
    store.fault = undefined;
    await a.cache.answer('k', requestOf(compute));
    gate.resolve();
    expect((await late).state).toBe('HIT');
    expect((await store.readLease('k')).holder).toBeNull();
  });

  it('give the lease back when everybody has gone', async () => {
    const { instance, store } = openWorld();
    const client = new AbortController();
    const never = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const answer = instance().cache.answer('k', requestOf(never, { signal: client.signal }));
    await settled();
    expect((await store.readLease('k')).holder).not.toBeNull();
    client.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    await settled();
    expect((await store.readLease('k')).holder).toBeNull();
  });

  it('stop waiting when the caller has gone', async () => {
    const { instance, compute, store, queries } = openWorld();
    await store.acquire('k', 60_000);
    const client = new AbortController();
    const { cache, clock } = instance();
    const answer = cache.answer('k', requestOf(compute, { signal: client.signal }));
    await settled();
    client.abort(new Error('gone'));
    await expect(answer).rejects.toThrow('gone');
    await settled();
    expect([queries(), clock.sleepers]).toEqual([0, 0]);
  });
});

describe('a store that does not do its work', () => {
  it.each([
    ['reading fails', ['read']],
    ['leases fail', ['acquire']],
    ['writing fails', ['write']],
    ['looking at the lease fails', ['readLease']],
    ['everything fails', ['read', 'acquire', 'write', 'readLease', 'release', 'renew']],
  ])('leaves the answer to the warehouse: %s', async (_, failing) => {
    const { instance, compute, store } = openWorld();
    store.fault = (call) => (failing.includes(call) ? Promise.reject(new Error('down')) : Promise.resolve());
    const { cache, level, warnings } = instance();
    expect((await cache.answer('k', requestOf(compute))).entry.answer.rows).toEqual(['{"v":1}']);
    expect((await cache.answer('k', requestOf(compute))).state).toBe('HIT');
    expect(level.counters.failures).toBe(failing.includes('readLease') && failing.length === 1 ? 0 : 1);
    expect(warnings).toHaveLength(level.counters.failures);
  });

  it('costs its time once, not each request, when it does not respond', async () => {
    const { instance, compute, store, pass, queries } = openWorld();
    store.fault = () => new Promise(() => {});
    const { cache } = instance();
    const first = cache.answer('a', requestOf(compute));
    await pass(4000);
    expect((await first).state).toBe('MISS');
    expect((await cache.answer('b', requestOf(compute))).state).toBe('MISS');
    expect(queries()).toBe(2);
  });

  it('delays an answer for a bounded time when writing does not respond', async () => {
    const { instance, compute, store, pass } = openWorld();
    store.fault = (call) => (call === 'write' ? new Promise(() => {}) : Promise.resolve());
    const { cache } = instance();
    let isGiven = false;
    const answer = cache.answer('k', requestOf(compute)).finally(() => {
      isGiven = true;
    });
    await settled();
    await pass(299);
    expect(isGiven).toBe(false);
    await pass(1);
    expect((await answer).state).toBe('MISS');
  });

  it('is used again when it is back', async () => {
    const { instance, compute, store, pass, queries } = openWorld();
    const [a, b] = [instance(), instance()];
    store.fault = () => Promise.reject(new Error('down'));
    await a.cache.answer('k', requestOf(compute));
    store.fault = undefined;
    await pass(1000);
    await a.cache.answer('other', requestOf(compute));
    expect((await b.cache.answer('other', requestOf(compute))).state).toBe('HIT');
    expect(queries()).toBe(2);
  });

  it.each([
    ['is no answer', (bytes: Uint8Array) => bytes.subarray(0, 20), 0],
    ['is of another version', (bytes: Uint8Array) => Buffer.concat([Buffer.from('LQEA9'), bytes]), 0],
    ['is dated in the future', (bytes: Uint8Array) => bytes, 120_000],
  ])('is not believed when what it has %s', async (_, damage, futureMs) => {
    const { instance, compute, store, queries } = openWorld();
    await instance().cache.answer('k', requestOf(compute));
    const stored = store.storedOf('k')!;
    store.put('k', {
      ...stored,
      bytes: damage(stored.bytes),
      computedAtMs: stored.computedAtMs + futureMs,
    });
    const { cache, warnings } = instance();
    expect((await cache.answer('k', requestOf(compute))).entry.answer.rows).toEqual(['{"v":2}']);
    expect(warnings.length).toBeGreaterThan(0);
    expect(queries()).toBe(2);
    expect((await instance().cache.answer('k', requestOf(compute))).state).toBe('HIT');
  });
});

it('asks the store nothing for answers that are never kept', async () => {
  const { instance, compute, store } = openWorld();
  expect((await instance().cache.answer('k', requestOf(compute, { ttlSeconds: 0 }))).state).toBe('BYPASS');
  expect(store.calls).toEqual([]);
});
