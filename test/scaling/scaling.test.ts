import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { largeCalls } from './support/calls.ts';
import { judge } from './support/judge.ts';
import { Probe } from './support/probe.ts';
import { rowCalls } from './support/rows.ts';

/** Bytes of text and elements of arrays: what one function makes at most. */
const SIZE = 1_000_000;
const ROWS = 200_000;
/** A query is given up after so much CPU time, in ms. */
const MAX_CPU_MS = 6_000;
/** An error's message is short however long the values are. */
const MAX_MESSAGE_LENGTH = 1_000;

let probe: Probe;
beforeAll(() => {
  probe = new Probe(MAX_CPU_MS);
});
afterAll(() => probe.close());

async function faultsOf(queries: readonly ((size: number) => string)[], size: number): Promise<string[]> {
  const faults: string[] = [];
  for (const query of queries) {
    const { fault, message } = await judge(probe, query, size);
    if (fault !== null) faults.push(`${query(size)}: ${fault}`);
    if (message.length > MAX_MESSAGE_LENGTH)
      faults.push(`${query(size)}: a message of ${message.length} characters`);
  }
  return faults;
}

describe('A function of large values is linear in their size and ends when it is cancelled', () => {
  test.each(largeCalls())('$name', async ({ calls }) => {
    const queries = calls.map(
      (call) => (size: number) => `SELECT ${call} AS value FROM UNNEST([${size}]) AS n`,
    );
    expect(await faultsOf(queries, SIZE)).toEqual([]);
  });
});

describe('A function of many rows is linear in their number and ends when it is cancelled', () => {
  test.each(rowCalls())('$name', async ({ queries }) => {
    expect(await faultsOf(queries, ROWS)).toEqual([]);
  });
});
