import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RealService } from '../../data/support/real-service.ts';
import { publicCases } from './evaluator/cases.ts';
import { datasetLines } from './evaluator/events.ts';
import { isoOf } from './evaluator/iso.ts';
import { askLql, startWithLines, type WireRow } from './evaluator/service.ts';

let running: RealService;
beforeAll(async () => {
  running = await startWithLines(datasetLines());
});
afterAll(() => running.close());

/** Rows as the cases write them. */
function withIsoTimestamps(rows: readonly WireRow[]): WireRow[] {
  return rows.map((row) =>
    typeof row.timestamp === 'number' ? { ...row, timestamp: isoOf(BigInt(row.timestamp)) } : row,
  );
}

describe('the cases of the reference', () => {
  const cases = publicCases();

  test('are there', () => expect(cases.length).toBeGreaterThanOrEqual(65));

  test.each(cases.map((one) => [one.id, one.lql, one] as const))('%s: %s', async (_, __, one) => {
    const namesSource = one.source === null || /(?:^|\s)f:/.test(one.lql);
    const lql = namesSource ? one.lql : `f:${one.source} ${one.lql}`;
    const reply = await askLql(running, lql, BigInt(Date.parse(one.now)) * 1000n);
    const { ids, rows, error } = one.expect;
    if (reply.kind === 'fault') return expect(reply.fault).toBe(error);
    if (ids !== undefined) return expect(reply.rows.map(({ id }) => id)).toEqual(ids);
    const received = withIsoTimestamps(reply.rows);
    expect(received).toEqual(rows);
    expect(received.map((row) => Object.keys(row))).toEqual((rows ?? []).map((row) => Object.keys(row)));
  });
});
