import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeDuckDbWarehouse } from '../../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../../../../shared/warehouse/duckdb/store/open-store.ts';
import {
  readLayouts,
  readStoredSchemas,
} from '../../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import type { Warehouse } from '../../../../../../shared/warehouse/warehouse.ts';
import { printPlan } from '../../../../sql/resolved/support/print-plan.ts';
import { CONTRACT_TABLES } from '../../../contract/contract-logs.ts';
import { passedQuery } from '../../support/passed-query.ts';

/** Each entry's metadata, from nothing at all to several elements that match in different ways. */
const METADATA = [
  [],
  [{ level: 'info' }],
  [{ request: [] }],
  [{ request: [{ path: '/a' }] }],
  [{ request: [{ path: '/b', attempts: 3 }] }],
  [{ request: [{ path: null }, { path: '/ab' }] }],
  [{ request: [{ path: '/a' }] }, { request: [{ path: '/b' }, { path: '/c' }] }],
];

interface Request {
  readonly path?: string | null;
  readonly attempts?: number;
}

const requestsOf = (index: number): readonly Request[] =>
  (METADATA[index] as { request?: Request[] }[]).flatMap(({ request }) => request ?? []);

const CONDITIONS: readonly [string, (request: Request) => boolean][] = [
  [`CONTAINS_SUBSTR(r.path, 'a')`, ({ path }) => path?.includes('a') ?? false],
  [`REGEXP_CONTAINS(r.path, 'b')`, ({ path }) => path?.includes('b') ?? false],
  [`r.path = @path`, ({ path }) => path === '/c'],
  [`r.attempts > 1 AND r.path IS NOT NULL`, ({ attempts, path }) => (attempts ?? 0) > 1 && path != null],
  [`r.path IS NULL`, ({ path }) => path == null],
];

describe('several EXISTS over the same elements', () => {
  const opened: Warehouse[] = [];
  beforeAll(async () => {
    const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 2 });
    const lines = METADATA.map((metadata, index) =>
      JSON.stringify({ id: `e${index}`, timestamp: index, event_message: '', project: 'p', metadata }),
    );
    await loadEntries({ store, schemas: CONTRACT_TABLES, source: 'edge_logs', lines });
    await installFunctions(store);
    await store.lock();
    opened.push(
      makeDuckDbWarehouse(store, await readStoredSchemas(store), {
        layouts: await readLayouts(store),
      }),
    );
  });
  afterAll(() => opened[0]?.close());

  const rowsOf = async (sql: string) => {
    const parameters = new Map([['path', { type: 'STRING' as const, value: '/c' }]]);
    const options = { maxRows: 1000, deadlineMs: 600_000, nowMicros: 0n };
    const result = await opened[0]?.run({ sql, parameters }, options);
    return result?.rows.map((row) => JSON.parse(row));
  };
  const exists = (condition: string) =>
    `EXISTS (SELECT 1 FROM UNNEST(e.metadata) AS m CROSS JOIN UNNEST(m.request) AS r WHERE ${condition})`;
  const expected = (index: number) => CONDITIONS.map(([, holds]) => requestsOf(index).some(holds));

  test('answer each for itself, entry by entry', async () => {
    const flags = CONDITIONS.map(([condition], index) => `${exists(condition)} AS f${index}`);
    const rows = await rowsOf(`SELECT e.id, ${flags.join(', ')} FROM logs.edge_logs AS e ORDER BY id`);
    expect(rows?.map(({ id, ...values }) => Object.values(values))).toEqual(
      METADATA.map((_, index) => expected(index)),
    );
  });

  test('answer the same beside one over other elements, and in conditions', async () => {
    const level = `EXISTS (SELECT 1 FROM UNNEST(e.metadata) AS m WHERE m.level = 'info')`;
    const [first, second] = CONDITIONS.map(([condition]) => exists(condition));
    const rows = await rowsOf(
      `SELECT e.id FROM (SELECT id, ${first} AS a, ${second} AS b, ${level} AS c FROM logs.edge_logs AS e) AS e
       WHERE a AND b OR c ORDER BY id`,
    );
    expect(rows).toEqual([{ id: 'e1' }, { id: 'e5' }, { id: 'e6' }]);
  });

  test('answer more of them than a number has bits', async () => {
    const flags = Array.from({ length: 70 }, (_, n) => `${exists(`r.attempts = ${n}`)} AS f${n}`);
    const rows = await rowsOf(`SELECT ${flags.join(', ')} FROM logs.edge_logs AS e WHERE e.id = 'e4'`);
    expect(Object.values(rows?.[0]).map(Number)).toEqual(flags.map((_, n) => Number(n === 3)));
  });

  const [first, second] = CONDITIONS.map(([condition]) => exists(condition)) as [string, string];
  const level = `EXISTS (SELECT 1 FROM UNNEST(e.metadata) AS m WHERE m.level = 'info')`;
  test.each([
    ['two over the same', `SELECT ${first} AS a, ${second} AS b FROM logs.edge_logs AS e`, 1],
    ['one alone', `SELECT ${first} AS a FROM logs.edge_logs AS e`, 0],
    ['two over others', `SELECT ${first} AS a, ${level} AS b FROM logs.edge_logs AS e`, 0],
    [
      'one of which is not used',
      `SELECT a FROM (SELECT ${first} AS a, ${second} AS b FROM logs.edge_logs AS e)`,
      0,
    ],
    [
      'two pairs',
      `SELECT ${first} AS a, ${second} AS b, ${level} AS c, ${level} AS d FROM logs.edge_logs AS e`,
      2,
    ],
    [
      'one of which tests the way to them',
      `SELECT ${first} AS a, ${exists("m.level = 'info' AND r.attempts > 1")} AS b FROM logs.edge_logs AS e`,
      0,
    ],
  ])('look at them once: %s', (_, sql, numbers) => {
    const { plan, changedBy } = passedQuery(sql, CONTRACT_TABLES, ['path']);
    expect(changedBy.includes('common array work')).toBe(numbers > 0);
    expect(printPlan(plan).match(/BIT_OR\(/g) ?? []).toHaveLength(numbers);
  });

  test('are counted by groups', async () => {
    const [first, second] = CONDITIONS.map(([condition]) => exists(condition));
    const rows = await rowsOf(
      `SELECT COUNTIF(${first}) AS a, COUNTIF(${second}) AS b, COUNTIF(${first} AND ${second}) AS c FROM logs.edge_logs AS e`,
    );
    expect(rows).toEqual([{ a: 3, b: 3, c: 2 }]);
  });
});
