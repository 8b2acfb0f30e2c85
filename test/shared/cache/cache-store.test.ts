import { cacheStoreContract } from './support/cache-store-contract.ts';
import { memoryCacheStore } from './support/memory-cache-store.ts';

let keys = 0;

cacheStoreContract(
  'memory',
  () => {
    const store = memoryCacheStore(Date.now);
    return { store, other: store };
  },
  () => `key-${++keys}`,
);
