import { expect, test } from '@jest/globals';
import { lazyLru } from '../../../shared/lru/lazy-lru.ts';

test('holds the values that were used last, and no more than its number', () => {
  const cache = lazyLru<{ readonly n: number }>(3);
  for (const n of [1, 2, 3]) cache.set(`key ${n}`, { n });
  expect(cache.get('key 1')).toEqual({ n: 1 });
  cache.set('key 4', { n: 4 });
  expect(cache.size).toBe(3);
  expect(cache.get('key 2')).toBeUndefined();
  expect([cache.get('key 1'), cache.get('key 3'), cache.get('key 4')]).toEqual([
    { n: 1 },
    { n: 3 },
    { n: 4 },
  ]);
});
