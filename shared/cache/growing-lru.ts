import { LRUCache } from 'lru-cache';

/**
 * Keeps the `max` values that were used last, and takes only as much memory as it needs: a cache that is given its
 * `max` alone sets all of its places aside when it is made, which takes a millisecond for ten thousand.
 */
export function growingLru<Value extends object>(max: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
}
