import type { Clock } from '../concurrency/clock.ts';
import type { Random } from '../concurrency/random.ts';
import type { CacheStore, Lease } from './cache-store.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { SharedReading } from './shared-level.ts';

/** How long a waiting instance sleeps before it looks again: at first, and at most. */
const SHORTEST_SLEEP_MS = 50;
const LONGEST_SLEEP_MS = 1000;

/** An answer that turned up, or the word to compute one; without a lease where the store gave none. */
export type Turn =
  | Extract<SharedReading, { readonly kind: 'answer' }>
  | { readonly kind: 'compute'; readonly lease: Lease | null };

/** Lets one instance compute an answer while the others wait for it. */
export interface LeaseQueue {
  /**
   * Waits until another instance has the answer, which `read` then finds, or until it is this one's turn: at
   * once where no instance computes it, when the lease ends without an answer, or when one lease has lasted too long.
   */
  turn(key: string, signal: AbortSignal, read: () => Promise<SharedReading>): Promise<Turn>;
  /** The lease where it is free, without waiting. */
  tryAcquire(key: string): Promise<Lease | null>;
  /** Keeps a lease while something is under way, and answers what that answers. */
  renewing<T>(lease: Lease | null, work: Promise<T>): Promise<T>;
  release(lease: Lease | null): Promise<void>;
}

export interface LeaseQueueDeps {
  readonly store: CacheStore;
  /** Makes a call that reads; null where it failed. */
  ask<T>(what: string, call: () => Promise<T>, onLate?: (value: T) => void): Promise<T | null>;
  readonly breaker: CircuitBreaker;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: { readonly readMs: number; readonly leaseMs: number; readonly leaseWaitMs: number };
}

const WITHOUT_LEASE = { kind: 'compute', lease: null } as const;

/**
 * A queue over the leases of a store; all limits are in milliseconds. Where the store fails, or another instance's lease
 * lasts longer than `leaseWaitMs`, the caller computes without a lease.
 */
export function makeLeaseQueue({ store, ask, breaker, clock, random, limits }: LeaseQueueDeps): LeaseQueue {
  const acquire = (key: string) =>
    ask(
      'lease',
      () => store.acquire(key, limits.leaseMs),
      // A lease that arrives when no caller waits for it any longer has to be given back here.
      ({ lease }) => void lease?.release().catch(() => {}),
    );

  const release = async (lease: Lease | null): Promise<void> => {
    if (lease !== null) await breaker.run('release', limits.readMs, () => lease.release());
  };

  /**
   * Waits for the end of another instance's lease; false where it lasts too long, or cannot be read. Between two looks one may end
   * and the next begin: another holder is an end, too.
   */
  const ended = async (key: string, signal: AbortSignal): Promise<boolean> => {
    const untilMs = clock.monotonicMs() + limits.leaseWaitMs;
    let first: string | null = null;
    for (let sleepMs = SHORTEST_SLEEP_MS; clock.monotonicMs() < untilMs; sleepMs *= 1.5) {
      // Those who came at the same moment look at different ones.
      await clock.sleep(Math.min(sleepMs, LONGEST_SLEEP_MS) * (0.75 + random.fraction() / 2), signal);
      const reading = await ask('wait', () => store.readLease(key));
      if (reading === null) return false;
      first ??= reading.holder;
      if (reading.holder === null || reading.holder !== first) return true;
    }
    return false;
  };

  return {
    release,
    tryAcquire: async (key) => (await acquire(key))?.lease ?? null,
    async turn(key, signal, read) {
      while (!signal.aborted) {
        const reply = await acquire(key);
        if (reply === null) return WITHOUT_LEASE;
        if (reply.lease === null && !(await ended(key, signal))) return WITHOUT_LEASE;
        // Whoever had the lease may have written the answer after this instance looked for it.
        const found = await read();
        if (found.kind === 'answer') {
          await release(reply.lease);
          return found;
        }
        if (reply.lease !== null) return { kind: 'compute', lease: reply.lease };
      }
      throw signal.reason;
    },
    async renewing(lease, work) {
      if (lease === null) return work;
      const end = new AbortController();
      const renew = async () => {
        while (!end.signal.aborted) {
          await clock.sleep(limits.leaseMs / 3, end.signal);
          await breaker.run('renew', limits.readMs, () => lease.renew());
        }
      };
      renew().catch(() => {});
      try {
        return await work;
      } finally {
        end.abort();
      }
    },
  };
}
