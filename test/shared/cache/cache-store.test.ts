import { cacheStoreContract } from './support/cache-store-contract.ts';
import { manualClock } from './support/manual-clock.ts';
import { memoryCacheStore } from './support/memory-cache-store.ts';

let keys = 0;

cacheStoreContract(
  'memory',
  () => {
    const store = memoryCacheStore(manualClock().wallMs);
    return { store, other: store };
  },
  () => `key-${++keys}`,
);
