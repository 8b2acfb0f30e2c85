import { expect, test } from '@jest/globals';
import { CompiledQueries } from '../../../../shared/sql/sandbox/compiled-queries.ts';

test('the values used last stay, as many as fit', () => {
  const kept = new CompiledQueries<number>(10);
  kept.set('a', 1, 4);
  kept.set('b', 2, 4);
  expect(kept.get('a')).toBe(1);
  kept.set('c', 3, 4);
  expect([kept.get('a'), kept.get('b'), kept.get('c')]).toEqual([1, undefined, 3]);
  expect(kept.bytes).toBe(8);
});

test('a value that is set again counts once, and one that is too large is not kept', () => {
  const kept = new CompiledQueries<number>(10);
  kept.set('a', 1, 4);
  kept.set('a', 2, 6);
  expect([kept.get('a'), kept.bytes]).toEqual([2, 6]);
  kept.set('a', 3, 11);
  expect([kept.get('a'), kept.bytes]).toEqual([undefined, 0]);
});
