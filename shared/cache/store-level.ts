import { before, type Clock, elapsedMs, type Moment, momentOf } from '../concurrency/clock.ts';
import type { Random } from '../concurrency/random.ts';
import type { Warn } from '../errors/warn.ts';
import { contentHashOf } from './answer.ts';
import { brotliPacking, decodeAnswer, encodeAnswer, type Packing } from './answer-codec.ts';
import { isFresh } from './cache-entry.ts';
import {
  AnswerTooLargeError,
  type CacheStore,
  type Lease,
  MAX_FUTURE_MS,
  type StoreReading,
} from './cache-store.ts';
import { makeCircuitBreaker, type StoreCounters } from './circuit-breaker.ts';
import { makeLeaseQueue } from './lease-queue.ts';
import type { ComputeRequest, DatedAnswer, SharedLevel, SharedParts, SharedReading } from './shared-level.ts';

/** How long the parts of asking a store may take, in milliseconds. */
export interface StoreLimits {
  /** A call that reads, once the store has answered at all. */
  readonly readMs: number;
  /** The first calls: the client is loaded and connects. A store that is down costs an instance this once. */
  readonly firstCallMs: number;
  /** Writing an answer. */
  readonly writeMs: number;
  /**
   * How long an answer waits for being written before it is given. In Cloud Functions a process gets next to no
   * CPU once its answers are given, so what is left for later may never happen.
   */
  readonly writeWaitMs: number;
  /** How long a lease lasts that is not renewed: as long a dead instance keeps the others waiting. */
  readonly leaseMs: number;
  /** How long an instance waits for one lease of another to end before it computes an answer itself. */
  readonly leaseWaitMs: number;
}

export const STORE_LIMITS: StoreLimits = {
  readMs: 300,
  firstCallMs: 4000,
  writeMs: 10_000,
  writeWaitMs: 300,
  leaseMs: 6000,
  leaseWaitMs: 15_000,
};

export interface StoreLevelDeps {
  readonly store: CacheStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly warn: Warn;
  /** How stored answers are packed; with Brotli unless given. */
  readonly packing?: Packing;
  readonly limits?: Partial<StoreLimits>;
}

/** The level that instances share through a store, with what went wrong with it. */
export interface StoreLevel extends SharedLevel, SharedParts {
  readonly counters: Readonly<StoreCounters>;
}

/**
 * Makes the shared level over a store. Whatever the store does, answers are right: what cannot be read is computed
 * here, and ages are measured on the store's clock alone, since those of the instances disagree.
 */
export function makeStoreLevel(deps: StoreLevelDeps): StoreLevel {
  const { store, clock, random, warn, packing = brotliPacking } = deps;
  const limits = { ...STORE_LIMITS, ...deps.limits };
  const breaker = makeCircuitBreaker({ clock, warn, firstCallMs: limits.firstCallMs });
  const writes = new Set<Promise<unknown>>();

  const ask = async <T>(
    what: string,
    call: () => Promise<T>,
    onLate?: (value: T) => void,
  ): Promise<T | null> => {
    const outcome = await breaker.run(what, limits.readMs, call, onLate);
    return outcome.isDone ? outcome.value : null;
  };

  const queue = makeLeaseQueue({ store, ask, breaker, clock, random, limits });

  const read = async (key: string): Promise<SharedReading> => {
    const requestedAt = momentOf(clock);
    const reading = await ask('read', () => store.read(key));
    return reading === null ? { kind: 'failed' } : decode(key, requestedAt, reading);
  };

  const decode = async (key: string, requestedAt: Moment, reading: StoreReading): Promise<SharedReading> => {
    if (reading.stored === null) return NONE;
    const { bytes, computedAtMs, ttlSeconds } = reading.stored;
    const ageMs = reading.storeTimeMs - computedAtMs;
    if (ageMs < -MAX_FUTURE_MS) return unusable(key, 'it is dated in the future');
    const decoded = await decodeAnswer(key, bytes, packing);
    if (decoded.kind === 'unreadable') return unusable(key, decoded.reason);
    const { answer, contentHash } = decoded;
    return {
      kind: 'answer',
      answer,
      contentHash,
      computedAt: before(requestedAt, Math.max(0, ageMs)),
      ttlSeconds,
    };
  };

  const unusable = (key: string, reason: string): SharedReading => {
    warn('A cached answer is not used', { key, reason });
    return NONE;
  };

  const encodeAndWrite = async (
    key: string,
    dated: DatedAnswer & { readonly contentHash: string },
    lease: Lease | null,
  ): Promise<boolean> => {
    const { answer, contentHash, computedAt, ttlSeconds } = dated;
    try {
      const bytes = await encodeAnswer(key, answer, contentHash, packing);
      const ageMs = () => elapsedMs(computedAt, clock);
      await store.write(key, { bytes, ttlSeconds, ageMs }, lease?.holder ?? null);
      return true;
    } catch (error) {
      if (!(error instanceof AnswerTooLargeError)) throw error;
      const reason = error.message;
      warn('An answer is kept in this process alone: it is too large for the shared cache', { key, reason });
      return false;
    }
  };

  const write = async (
    key: string,
    dated: DatedAnswer & { readonly contentHash: string },
    lease: Lease | null,
  ): Promise<void> => {
    const outcome = await breaker.run('write', limits.writeMs, () => encodeAndWrite(key, dated, lease));
    if (!(outcome.isDone && outcome.value)) await queue.release(lease);
  };

  /** Waits for a write as long as an answer may be kept back for it. */
  const waitFor = async (writing: Promise<void>): Promise<void> => {
    writes.add(writing);
    writing.finally(() => writes.delete(writing));
    const timer = new AbortController();
    const bound = clock.sleep(limits.writeWaitMs, timer.signal).catch(() => {});
    await Promise.race([writing, bound]);
    timer.abort();
  };

  const computeHere = async (key: string, request: ComputeRequest, lease: Lease | null) => {
    const { signal, ttlSeconds } = request;
    try {
      signal.throwIfAborted();
      const computedAt = momentOf(clock);
      const answer = await queue.renewing(lease, request.compute(signal));
      const dated = { answer, contentHash: contentHashOf(answer), computedAt, ttlSeconds };
      await waitFor(write(key, dated, lease));
      return { ...dated, isComputed: true };
    } catch (error) {
      await queue.release(lease);
      throw error;
    }
  };

  const readFresh = async (key: string, ttlSeconds: number): Promise<SharedReading> => {
    const reading = await read(key);
    return reading.kind === 'answer' && !isFresh(reading, ttlSeconds, clock) ? NONE : reading;
  };

  return {
    counters: breaker.counters,
    async look(key) {
      const requestedAt = momentOf(clock);
      const reading = await ask('read', () => store.read(key));
      if (reading === null) return null;
      const decoded = await decode(key, requestedAt, reading);
      return { dated: decoded.kind === 'answer' ? decoded : null, storeTimeMs: reading.storeTimeMs };
    },
    keep: (key, dated) => waitFor(write(key, dated, null)),
    read: async (key) => {
      const reading = await read(key);
      return reading.kind === 'answer' ? reading : null;
    },
    async obtain(key, request) {
      const { refresh, signal, ttlSeconds } = request;
      if (refresh) return computeHere(key, request, await queue.tryAcquire(key));
      const first = await readFresh(key, ttlSeconds);
      const found =
        first.kind === 'none' ? await queue.turn(key, signal, () => readFresh(key, ttlSeconds)) : first;
      switch (found.kind) {
        case 'answer':
          return { ...found, isComputed: false };
        case 'compute':
          return computeHere(key, request, found.lease);
        case 'failed':
          return computeHere(key, request, null);
        default: {
          const unreachable: never = found;
          throw new TypeError(`reading ${JSON.stringify(unreachable)}`);
        }
      }
    },
    async settle() {
      while (writes.size > 0) await Promise.all(writes);
    },
  };
}

const NONE = { kind: 'none' } as const;
