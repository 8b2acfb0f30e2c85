import { LRUCache } from 'lru-cache';

/**
 * Keeps the `max` values that were used last, and takes no more memory than what it holds: a cache that is given its
 * `max` alone sets all of its places aside when it is made, which takes a millisecond for ten thousand.
 */
export function growingLru<Value extends object>(max: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
}
