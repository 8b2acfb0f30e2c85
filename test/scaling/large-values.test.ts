import { afterAll, describe, expect, test } from '@jest/globals';
import { Bench } from './support/bench.ts';
import { largeCalls } from './support/calls.ts';

/** Bytes of text and elements of arrays: what one function makes at most. */
const SIZE = 1_000_000;

const bench = new Bench();
afterAll(() => bench.close());

describe('A function of large values is linear in their size and ends when it is cancelled', () => {
  test.each(largeCalls())('$name', async ({ calls }) => {
    const queries = calls.map(
      (call) => (size: number) => `SELECT ${call} AS value FROM UNNEST([${size}]) AS n`,
    );
    expect(await bench.faultsOf(queries, SIZE)).toEqual([]);
  });
});
