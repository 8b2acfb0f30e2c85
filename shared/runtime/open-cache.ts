import { makePartStore, type PartStore } from '../cache/part-store.ts';
import { makeResultCache, type ResultCache } from '../cache/result-cache.ts';
import type { SharedLevel, SharedParts } from '../cache/shared-level.ts';
import { makeByteBudget } from '../concurrency/byte-budget.ts';
import { lazy } from '../concurrency/lazy.ts';
import type { FirestoreConnection } from '../firestore/firestore-connection.ts';
import type { DemandLog } from '../warming/demand-log.ts';
import { memoryDemandLog } from '../warming/memory-demand-log.ts';
import { makeRecorder } from '../warming/recorder.ts';
import { memoryLocks, type WarmingLocks } from '../warming/warming-locks.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import type { Machine } from './machine.ts';

const BYTES_PER_MIB = 1024 * 1024;

/** Which part of the cache's memory what answers are made of takes besides. */
const PARTS_PART = 4;

/** The caches of a running service, and the demand log and locks of warming. */
export interface OpenCache {
  readonly cache: ResultCache;
  readonly demand: DemandLog;
  readonly locks: WarmingLocks;
  /** What answers are made of. */
  readonly parts: PartStore;
}

/** The cache of results and what keeps it warm: in this process, and in Firestore where that is configured. */
export function openCache(
  config: Pick<Config, 'answerMemoryMib' | 'cache' | 'cacheMemoryMib' | 'setsPerToken' | 'warehouse'>,
  firestore: FirestoreConnection | null,
  { warn }: Pick<Logger, 'warn'>,
  machine: Machine,
): OpenCache {
  const { clock } = machine;
  const maxBytes = config.cacheMemoryMib * BYTES_PER_MIB;
  const budget = makeByteBudget({
    capacityBytes: config.answerMemoryMib * BYTES_PER_MIB,
    nowMs: () => clock.monotonicMs(),
  });
  const partsOf = (level: SharedParts | null) =>
    makePartStore({ maxBytes: Math.ceil(maxBytes / PARTS_PART), shared: level, clock });
  if (config.cache === 'memory') {
    const cache = makeResultCache({ maxBytes, shared: null, clock, budget });
    return {
      cache,
      demand: memoryDemandLog(clock, config.setsPerToken),
      locks: memoryLocks(),
      parts: partsOf(null),
    };
  }
  if (firestore === null) throw new TypeError('the configuration was not checked');
  const shared = lazyLevel(firestore, warn, machine);
  const cache = makeResultCache({ maxBytes, shared, clock, budget });
  // The logs of an embedded engine are those of its process: no other may have what is made of them.
  const parts = partsOf(config.warehouse === 'duckdb' ? null : shared);
  return { cache, parts, ...lazyWarming(firestore, config.setsPerToken, warn, machine) };
}

function lazyLevel(
  firestore: FirestoreConnection,
  warn: Logger['warn'],
  machine: Machine,
): SharedLevel & SharedParts {
  const open = lazy(async () => {
    const [{ makeStoreLevel }, { firestoreCacheStore }] = await Promise.all([
      import('../cache/store-level.ts'),
      import('../cache/firestore/firestore-cache-store.ts'),
    ]);
    const store = firestoreCacheStore(() => firestore.open(), machine);
    return makeStoreLevel({ ...machine, store, warn });
  });
  return {
    read: async (key) => (await open()).read(key),
    obtain: async (key, request) => (await open()).obtain(key, request),
    look: async (key) => (await open()).look(key),
    keep: async (key, dated) => (await open()).keep(key, dated),
    settle: async () => (await open()).settle(),
  };
}

function lazyWarming(
  firestore: FirestoreConnection,
  setsPerToken: number,
  warn: Logger['warn'],
  machine: Machine,
): Pick<OpenCache, 'demand' | 'locks'> {
  const open = () => firestore.open();
  const openDemand = lazy(async () => {
    const { firestoreDemandLog } = await import('../warming/firestore/firestore-demand-log.ts');
    return firestoreDemandLog({ ...machine, open, warn, setsPerToken });
  });
  const openLocks = lazy(async () => {
    const { firestoreLocks } = await import('../warming/firestore/firestore-locks.ts');
    return firestoreLocks({ ...machine, open, warn });
  });
  return {
    demand: {
      record: makeRecorder({
        ...machine,
        warn,
        write: async (...noted) => (await openDemand()).write(...noted),
      }),
      waiting: async (...args) => (await openDemand()).waiting(...args),
      served: async (set) => (await openDemand()).served(set),
    },
    locks: { acquire: async (...args) => (await openLocks()).acquire(...args) },
  };
}
