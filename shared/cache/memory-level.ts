import { LRUCache } from 'lru-cache';
import type { CacheEntry } from './cache-entry.ts';

/** An answer that takes more than this part of the level would push out too many others, and is not kept. */
const LARGEST_PART = 4;

/** The answers that the process keeps, the least recently used dropped first. */
export interface MemoryLevel {
  get(key: string): CacheEntry | undefined;
  /** Keeps an entry unless it is too large; in place of the one that had the key. */
  set(key: string, entry: CacheEntry): void;
  /** Measures an entry that has grown again, where it is still the one under the key. */
  remeasure(key: string, entry: CacheEntry): void;
  readonly sizeBytes: number;
}

/** Makes a level that holds `maxBytes` at most, as entries measure themselves. */
export function makeMemoryLevel(maxBytes: number): MemoryLevel {
  // The cache measures a value once, when it comes in; the holder is what makes a grown entry a new value.
  const cache = new LRUCache<string, { readonly entry: CacheEntry }>({
    maxSize: maxBytes,
    maxEntrySize: Math.max(1, Math.floor(maxBytes / LARGEST_PART)),
    sizeCalculation: ({ entry }) => entry.sizeBytes(),
  });
  return {
    get: (key) => cache.get(key)?.entry,
    set: (key, entry) => void cache.set(key, { entry }),
    remeasure(key, entry) {
      if (cache.peek(key)?.entry === entry) cache.set(key, { entry });
    },
    get sizeBytes() {
      return cache.calculatedSize;
    },
  };
}
