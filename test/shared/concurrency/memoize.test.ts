import { expect, test } from '@jest/globals';
import { memoize } from '../../../shared/concurrency/memoize.ts';

test('what belongs to an object is made when it is first asked for, and once, undefined as well', () => {
  const made: object[] = [];
  const nothingOf = memoize((key: object) => {
    made.push(key);
    return undefined;
  });
  const [one, other] = [{}, {}];
  for (const key of [one, other, one, one]) expect(nothingOf(key)).toBeUndefined();
  expect(made).toHaveLength(2);
  expect(made[0]).toBe(one);
});

test('a failure is kept where it is a promise, and tried again where it is thrown', async () => {
  let calls = 0;
  const later = memoize((_: object) => Promise.reject(new Error(`call ${++calls}`)));
  const atOnce = memoize((_: object): never => {
    throw new Error(`call ${++calls}`);
  });
  const key = {};
  await expect(later(key)).rejects.toThrow('call 1');
  await expect(later(key)).rejects.toThrow('call 1');
  expect(() => atOnce(key)).toThrow('call 2');
  expect(() => atOnce(key)).toThrow('call 3');
});
