import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, rowsOf } from '../../data/support/real-service.ts';
import type { Answer } from '../../shared/http/support/http-client.ts';
import { type AnsweredCase, answeredCases, type ColumnSchema, refusedCases } from './cases.ts';
import { comparableRows, misplacedRows, plainColumns } from './compare.ts';

/**
 * Asks a service every case over HTTP. `defects` are the cases that an engine which only stands in for the real one
 * cannot pass, by id, with the reason: each must fail, and be there.
 */
export function conformanceSuite(
  start: () => Promise<RealService>,
  defects: ReadonlyMap<string, string> = new Map(),
  furtherCases: readonly AnsweredCase[] = [],
): void {
  let running: RealService;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running.close());

  /** Sends a consumer's query over the CTEs of logs.all. */
  function ask(sql: string, parameters: Readonly<Record<string, string>>): Promise<Answer> {
    return running.ask('logs.all', new URLSearchParams({ ...parameters, sql }));
  }

  async function columnsOf(
    sql: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<ColumnSchema[]> {
    const answer = await ask(sql, { ...parameters, explain: 'true' });
    if (answer.status !== 200) throw new Error(answer.text);
    return (answer.json() as { explain: { columns: ColumnSchema[] } }).explain.columns;
  }

  describe('queries with known answers', () => {
    test('are there', () => {
      expect(answeredCases.length).toBeGreaterThanOrEqual(90);
      expect(refusedCases.length).toBeGreaterThanOrEqual(30);
      const ids = new Set([...answeredCases, ...refusedCases].map(({ id }) => id));
      expect([...defects.keys()].filter((id) => !ids.has(id))).toEqual([]);
    });

    for (const one of [...answeredCases, ...furtherCases])
      (defects.has(one.id) ? test.failing : test)(one.id, async () => {
        const rows = rowsOf<object>(await ask(one.sql, one.params));
        const cells = rows.map((row) => Object.values(row));
        expect(comparableRows(one, cells)).toEqual(comparableRows(one, one.rows));
        expect(misplacedRows(one, cells)).toEqual([]);
        expect(plainColumns(await columnsOf(one.sql, one.params))).toEqual(plainColumns(one.columns));
        const names = one.columns.map(({ name }) => name);
        for (const row of rows) expect(Object.keys(row)).toEqual(names);
      });
  });

  describe('queries that GoogleSQL refuses', () => {
    for (const one of refusedCases) {
      (defects.has(one.id) ? test.failing : test)(`${one.id} answers 400 and says why`, async () => {
        const answer = await ask(one.sql, one.params);
        expect(answer.status).toBe(400);
        const { error } = answer.json() as { error: { message: string; details: object[] } };
        expect(error.message).not.toMatch(
          /DuckDB|logs\.main|struct_|\bq\d+\.|\bc\d+\b|The query failed on a value/,
        );
        if (one.class.startsWith('runtime:')) return;
        const place = { line: expect.any(Number), column: expect.any(Number) };
        expect(error.details).toContainEqual(expect.objectContaining(place));
      });
    }
  });
}
