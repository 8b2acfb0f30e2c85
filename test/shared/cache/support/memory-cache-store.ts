import {
  type CacheStore,
  type Lease,
  MAX_FUTURE_MS,
  type StoredAnswer,
} from '../../../../shared/cache/cache-store.ts';

/** A store in memory that does what the contract says, and fails or hangs when told to. */
export interface MemoryCacheStore extends CacheStore {
  /** What the next calls do before they do their work; undefined for nothing. */
  fault: ((call: string) => Promise<void>) | undefined;
  /** The names of the calls made, in order. */
  readonly calls: string[];
  /** Puts an answer in place as it is, as if another instance had written it. */
  put(key: string, stored: StoredAnswer): void;
  storedOf(key: string): StoredAnswer | undefined;
}

interface Held {
  readonly holder: string;
  untilMs: number;
}

/** Makes a store whose own clock is the one given. */
export function memoryCacheStore(nowMs: () => number): MemoryCacheStore {
  const answers = new Map<string, StoredAnswer>();
  const leases = new Map<string, Held>();
  const calls: string[] = [];
  let holders = 0;

  const isLive = (key: string) => (leases.get(key)?.untilMs ?? Number.NEGATIVE_INFINITY) > nowMs();
  const leaseOf = (key: string, held: Held, durationMs: number): Lease => ({
    holder: held.holder,
    async renew() {
      await enter('renew');
      if (leases.get(key) === held) held.untilMs = nowMs() + durationMs;
    },
    async release() {
      await enter('release');
      if (leases.get(key) === held) leases.delete(key);
    },
  });
  const enter = async (call: string) => {
    calls.push(call);
    await store.fault?.(call);
  };

  const store: MemoryCacheStore = {
    fault: undefined,
    calls,
    put: (key, stored) => void answers.set(key, stored),
    storedOf: (key) => answers.get(key),
    async read(key) {
      await enter('read');
      const found = answers.get(key);
      const isUsable = found !== undefined && nowMs() < found.computedAtMs + found.ttlSeconds * 1000;
      return { stored: isUsable ? found : null, storeTimeMs: nowMs() };
    },
    async write(key, { bytes, ttlSeconds, ageMs }, holder) {
      await enter('write');
      const computedAtMs = nowMs() - ageMs();
      const current = answers.get(key);
      const isOvertaken =
        current !== undefined &&
        current.computedAtMs > computedAtMs &&
        current.computedAtMs <= nowMs() + MAX_FUTURE_MS;
      if (!isOvertaken) answers.set(key, { bytes, computedAtMs, ttlSeconds });
      if (leases.get(key)?.holder === holder) leases.delete(key);
    },
    async acquire(key, durationMs) {
      await enter('acquire');
      if (isLive(key)) return { lease: null };
      const held = { untilMs: nowMs() + durationMs, holder: `holder ${++holders}` };
      leases.set(key, held);
      return { lease: leaseOf(key, held, durationMs) };
    },
    async readLease(key) {
      await enter('readLease');
      return { holder: isLive(key) ? (leases.get(key)?.holder ?? null) : null };
    },
  };
  return store;
}
