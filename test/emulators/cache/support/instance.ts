import type { CacheStore } from '../../../../shared/cache/cache-store.ts';
import { firestoreCacheStore } from '../../../../shared/cache/firestore/firestore-cache-store.ts';
import { makeResultCache, type ResultCache } from '../../../../shared/cache/result-cache.ts';
import { makeStoreLevel, type StoreLevel, type StoreLimits } from '../../../../shared/cache/store-level.ts';
import { type Clock, systemClock } from '../../../../shared/concurrency/clock.ts';
import { systemRandom } from '../../../../shared/concurrency/random.ts';
import { firestoreConnection } from '../../../../shared/firestore/firestore-connection.ts';

const CLOSE_MS = 5000;

/** One of the instances that share answers in Firestore, with its own connection. */
export interface Instance {
  readonly cache: ResultCache;
  readonly level: StoreLevel;
  readonly warnings: readonly string[];
  /**
   * Waits a while for the calls that go on where no caller waits for them any longer, which the client may try again for
   * minutes. It must not be ended before them, so that one with such calls is left to end with the process.
   */
  close(): Promise<void>;
}

export interface InstanceOptions {
  /** By how much its wall clock goes wrong. */
  readonly wallOffsetMs?: number;
  readonly limits?: Partial<StoreLimits>;
}

/** Makes an instance that reaches Firestore at `host`. */
export async function startInstance(host: string, options: InstanceOptions = {}): Promise<Instance> {
  const { wallOffsetMs = 0, limits = {} } = options;
  // The client looks where the emulator is when it is made.
  process.env.FIRESTORE_EMULATOR_HOST = host;
  const connection = firestoreConnection({ googleProject: 'cache-tests', database: '(default)' });
  await connection.open();
  const warnings: string[] = [];
  const underWay = new Set<Promise<unknown>>();
  const clock: Clock = { ...systemClock, wallMs: () => Date.now() + wallOffsetMs };
  const level = makeStoreLevel({
    store: tracked(firestoreCacheStore(connection.open, { clock, random: systemRandom }), underWay),
    clock,
    random: systemRandom,
    limits,
    warn: (message) => void warnings.push(message),
  });
  const cache = makeResultCache({ maxBytes: 16 * 1024 * 1024, shared: level, clock });
  return {
    cache,
    level,
    warnings,
    async close() {
      const patience = AbortSignal.timeout(CLOSE_MS);
      const isOver = new Promise((resolve) => patience.addEventListener('abort', resolve));
      while (underWay.size > 0 && !patience.aborted) {
        await Promise.race([Promise.allSettled(underWay), isOver]);
      }
      if (underWay.size === 0) await connection.close();
    },
  };
}

/** The same store, with the calls that have not ended in `underWay`. */
function tracked(store: CacheStore, underWay: Set<Promise<unknown>>): CacheStore {
  const track = <T>(call: Promise<T>): Promise<T> => {
    underWay.add(call);
    const end = () => void underWay.delete(call);
    call.then(end, end);
    return call;
  };
  return {
    read: (key) => track(store.read(key)),
    write: (key, stored, options) => track(store.write(key, stored, options)),
    acquire: (key, durationMs) => track(store.acquire(key, durationMs)),
    readLease: (key) => track(store.readLease(key)),
  };
}
