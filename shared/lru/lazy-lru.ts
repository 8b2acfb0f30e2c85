import { LRUCache } from 'lru-cache';

/**
 * A cache of the `max` values used last that allocates its places as they fill: one with the `max` of lru-cache allocates
 * all of them when it is made, which takes a millisecond for ten thousand.
 */
export function lazyLru<Value extends NonNullable<unknown>>(
  max: number,
  expiry: Pick<LRUCache.Options<string, Value, unknown>, 'ttl' | 'noUpdateTTL' | 'perf'> = {},
): LRUCache<string, Value> {
  return new LRUCache({ ...expiry, maxSize: max, sizeCalculation: () => 1 });
}
