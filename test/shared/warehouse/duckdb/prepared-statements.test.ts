import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { QueryParameter } from '../../../../shared/sql/types/query-parameter.ts';
import { makeDuckDbWarehouse } from '../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../../shared/warehouse/duckdb/store/open-store.ts';
import { readLayouts, readStoredSchemas } from '../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import type { Warehouse } from '../../../../shared/warehouse/warehouse.ts';
import { CONTRACT_LINES, CONTRACT_TABLES } from '../contract/contract-logs.ts';

async function open(): Promise<Warehouse> {
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 2 });
  await loadEntries({ store, schemas: CONTRACT_TABLES, source: 'edge_logs', lines: CONTRACT_LINES });
  await installFunctions(store);
  await store.lock();
  return makeDuckDbWarehouse(store, await readStoredSchemas(store), {
    layouts: await readLayouts(store),
  });
}

/** The one row for a value of `@x`. */
async function answer(warehouse: Warehouse, sql: string, x: QueryParameter): Promise<string | undefined> {
  const options = { maxRows: 10, deadlineMs: 600_000, nowMicros: 0n };
  const { rows } = await warehouse.run({ sql, parameters: new Map([['x', x]]) }, options);
  return rows[0];
}

async function numberOf(warehouse: Warehouse, sql: string, text: string): Promise<unknown> {
  const parameters = new Map([['text', { type: 'STRING' as const, value: text }]]);
  const { rows } = await warehouse.run(
    { sql, parameters },
    { maxRows: 10, deadlineMs: 600_000, nowMicros: 0n },
  );
  return JSON.parse(rows[0] ?? 'null').n;
}

describe('statements that DuckDB keeps prepared', () => {
  const opened: Warehouse[] = [];
  const warehouse = () => opened[0] as Warehouse;
  beforeAll(async () => {
    opened.push(await open());
  });
  afterAll(() => warehouse().close());

  test('answer for the values of each request', async () => {
    const answers = [];
    for (const text of ['a', 'abc', '', 'ab']) {
      answers.push(await numberOf(warehouse(), 'SELECT LENGTH(@text) AS n', text));
    }
    expect(answers).toEqual([1, 3, 0, 2]);
  });

  test.each<[QueryParameter['type'], readonly (readonly [QueryParameter['value'], string])[]]>([
    [
      'STRING',
      [
        ['1', '"1"'],
        ['', '""'],
        [null, 'null'],
        ["'; --\\ \0 é", JSON.stringify("'; --\\ \0 é")],
      ],
    ],
    [
      'INT64',
      [
        [1n, '1'],
        [-(2n ** 63n), '"-9223372036854775808"'],
        [null, 'null'],
      ],
    ],
    [
      'FLOAT64',
      [
        [0, '0.0'],
        [-0, '-0.0'],
        [Number.NaN, '"NaN"'],
        [-Infinity, '"-Infinity"'],
        [0.1, '0.1'],
        [null, 'null'],
      ],
    ],
    [
      'BOOL',
      [
        [true, 'true'],
        [false, 'false'],
        [null, 'null'],
      ],
    ],
    [
      'TIMESTAMP',
      [
        [1n, '1'],
        [253402300799999999n, '253402300799999999'],
        [null, 'null'],
      ],
    ],
  ])('answer for each %s, time and again', async (type, values) => {
    for (const [value, text] of [...values, ...values]) {
      expect(await answer(warehouse(), 'SELECT @x AS x', { type, value })).toBe(`{"x":${text}}`);
    }
  });

  test('answer again for values in turn, where an order, a bound and a condition depend on them', async () => {
    const sql = `WITH e AS (SELECT id, timestamp FROM logs.edge_logs WHERE id > @x ORDER BY timestamp DESC LIMIT 2)
      SELECT ARRAY_AGG(e.id ORDER BY e.id) AS ids FROM e JOIN e AS f USING (id)`;
    const all = await Promise.all(
      ['', 'e2', 'z'].map((value) => answer(warehouse(), sql, { type: 'STRING', value })),
    );
    expect(new Set(all).size).toBeGreaterThan(1);
    for (let round = 0; round < 3; round++) {
      const again = [];
      for (const value of ['', 'e2', 'z'])
        again.push(await answer(warehouse(), sql, { type: 'STRING', value }));
      expect(again).toEqual(all);
    }
  });

  test('answer many queries in turn, more than are kept', async () => {
    const numbers = Array.from({ length: 80 }, (_, index) => index % 40);
    const answers = [];
    for (const n of numbers) {
      answers.push(await numberOf(warehouse(), `SELECT ${n} + LENGTH(@text) AS n`, 'a'));
    }
    expect(answers).toEqual(numbers.map((n) => n + 1));
  });

  test('answer again after a value that they failed on', async () => {
    const sql = 'SELECT CAST(@text AS INT64) AS n';
    expect(await numberOf(warehouse(), sql, '1')).toBe(1);
    await expect(numberOf(warehouse(), sql, 'x')).rejects.toMatchObject({ kind: 'invalid_argument' });
    expect(await numberOf(warehouse(), sql, '2')).toBe(2);
  });

  test.each([
    ['SELECT IF(LENGTH(@text) > 5, IF(DIV(1, 0) > 1, 1, 2), 3) AS n', 3],
    ["SELECT IF(LENGTH(@text) > 5, NULLIF(CAST('x' AS INT64), 1), 4) AS n", 4],
    ["SELECT IF(LENGTH(@text) > 5, LENGTH(LPAD('a', DIV(1, 0))), 5) AS n", 5],
  ])('answer where an error is in a branch that is not reached: %s', async (sql, expected) => {
    expect(await numberOf(warehouse(), sql, 'a')).toBe(expected);
    await expect(numberOf(warehouse(), sql, 'abcdef')).rejects.toMatchObject({ kind: 'invalid_argument' });
  });
});
