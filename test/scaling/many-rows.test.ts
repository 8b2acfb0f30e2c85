import { afterAll, describe, expect, test } from '@jest/globals';
import { Bench } from './support/bench.ts';
import { rowCalls } from './support/rows.ts';

const ROWS = 200_000;

const bench = new Bench();
afterAll(() => bench.close());

describe('A function of many rows is linear in their number and ends when it is cancelled', () => {
  test.each(rowCalls())('$name', async ({ queries }) => {
    expect(await bench.faultsOf(queries, ROWS)).toEqual([]);
  });
});
