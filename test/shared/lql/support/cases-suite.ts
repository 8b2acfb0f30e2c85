import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RealService } from '../../../data/support/real-service.ts';
import { publicCases } from '../evaluator/cases.ts';
import { isoOf } from '../evaluator/iso.ts';
import { askLql, type WireRow } from '../evaluator/service.ts';

/** Rows as the cases write them. */
function withIsoTimestamps(rows: readonly WireRow[]): WireRow[] {
  return rows.map((row) =>
    typeof row.timestamp === 'number' ? { ...row, timestamp: isoOf(BigInt(row.timestamp)) } : row,
  );
}

/**
 * Asks a service every case of the reference over HTTP. `defects` are the cases that an engine which only stands in
 * for the real one cannot pass, by id, with the reason: each must fail, and be there.
 */
export function lqlCasesSuite(
  start: () => Promise<RealService>,
  defects: ReadonlyMap<string, string> = new Map(),
): void {
  let running: RealService;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running.close());

  describe('the cases of the reference', () => {
    const cases = publicCases();

    test('are there', () => {
      expect(cases.length).toBeGreaterThanOrEqual(65);
      const ids = new Set(cases.map(({ id }) => id));
      expect([...defects.keys()].filter((id) => !ids.has(id))).toEqual([]);
    });

    for (const one of cases)
      (defects.has(one.id) ? test.failing : test)(`${one.id}: ${one.lql}`, async () => {
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
}
