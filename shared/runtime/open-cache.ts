import { systemClock } from '../cache/clock.ts';
import { makeResultCache, type ResultCache } from '../cache/result-cache.ts';
import type { FirestoreConnection } from '../firestore/firestore-connection.ts';
import type { AskedSets } from '../warming/asked-set.ts';
import { memoryAskedSets } from '../warming/memory-asked-sets.ts';
import { memoryLocks, type WarmingLocks } from '../warming/warming-locks.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';

const BYTES_PER_MIB = 1024 * 1024;

export interface OpenCache {
  readonly cache: ResultCache;
  readonly asked: AskedSets;
  readonly locks: WarmingLocks;
}

/** The cache of results and what keeps it warm: in this process, and in Firestore where that is configured. */
export async function openCache(
  config: Config,
  firestore: FirestoreConnection | null,
  { warn }: Logger,
): Promise<OpenCache> {
  const clock = systemClock;
  const maxBytes = config.cacheMemoryMib * BYTES_PER_MIB;
  if (config.cache === 'memory') {
    const cache = makeResultCache({ maxBytes, shared: null, clock });
    return { cache, asked: memoryAskedSets(clock), locks: memoryLocks() };
  }
  if (firestore === null) throw new TypeError('the configuration was not checked');
  const [{ makeStoreLevel }, { firestoreCacheStore }, { firestoreAskedSets }, { firestoreLocks }] =
    await Promise.all([
      import('../cache/store-level.ts'),
      import('../cache/firestore/firestore-cache-store.ts'),
      import('../warming/firestore/firestore-asked-sets.ts'),
      import('../warming/firestore/firestore-locks.ts'),
    ]);
  const open = () => firestore.open();
  const shared = makeStoreLevel({ store: firestoreCacheStore(open), clock, warn });
  return {
    cache: makeResultCache({ maxBytes, shared, clock }),
    asked: firestoreAskedSets({ open, clock, warn }),
    locks: firestoreLocks(open, warn),
  };
}
