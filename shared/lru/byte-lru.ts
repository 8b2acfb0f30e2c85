import { LRUCache } from 'lru-cache';

/**
 * A cache of the values used last, as many as fit into `maxBytes`. `set` takes what a value and its key take as `size`; a
 * value larger than all of the cache is not kept, nor is what had its key.
 */
export class ByteLru<Value extends NonNullable<unknown>> extends LRUCache<string, Value> {
  constructor(maxBytes: number) {
    super({ maxSize: maxBytes });
  }
}
