import { expect, test } from '@jest/globals';
import { ByteLru } from '../../../shared/lru/byte-lru.ts';

test('the values used last stay, as many as fit', () => {
  const kept = new ByteLru<number>(10);
  kept.set('a', 1, { size: 4 });
  kept.set('b', 2, { size: 4 });
  expect(kept.get('a')).toBe(1);
  kept.set('c', 3, { size: 4 });
  expect([kept.get('a'), kept.get('b'), kept.get('c')]).toEqual([1, undefined, 3]);
  expect(kept.calculatedSize).toBe(8);
});

test('a value that is set again counts once, and one that is too large is not kept', () => {
  const kept = new ByteLru<number>(10);
  kept.set('a', 1, { size: 4 });
  kept.set('a', 2, { size: 6 });
  expect([kept.get('a'), kept.calculatedSize]).toEqual([2, 6]);
  kept.set('a', 3, { size: 11 });
  expect([kept.get('a'), kept.calculatedSize]).toEqual([undefined, 0]);
});
