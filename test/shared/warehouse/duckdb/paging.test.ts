import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeDuckDbWarehouse } from '../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import {
  OPEN_RESULT_LIMITS,
  type OpenResultLimits,
} from '../../../../shared/warehouse/duckdb/paging/open-results.ts';
import { openStore } from '../../../../shared/warehouse/duckdb/store/open-store.ts';
import { readLayouts, readStoredSchemas } from '../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import type { Warehouse } from '../../../../shared/warehouse/warehouse.ts';
import { CONTRACT_TABLES } from '../contract/contract-logs.ts';
import { allPages, failureKind, firstPage, nextPage } from '../contract/paging.ts';

const opened: Warehouse[] = [];
afterEach(async () => {
  for (const warehouse of opened.splice(0)) await warehouse.close();
});

/** How often an instant has entries; the first is the earliest. */
async function open(
  perInstant: readonly number[] = [],
  limits: Partial<OpenResultLimits> = {},
  memoryLimitMiB = 256,
): Promise<Warehouse> {
  const store = await openStore({ databaseFile: null, memoryLimitMiB, threads: 2 });
  const lines = perInstant.flatMap((count, instant) =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        id: `${instant}.${index}`,
        timestamp: 1_767_225_600_000_000 + instant,
        project: index % 3 === 0 ? 'a' : 'b',
        metadata: [{ level: 'x', request: [{ path: '/0' }, { path: '/1' }] }],
      }),
    ),
  );
  await loadEntries({ store, schemas: CONTRACT_TABLES, source: 'edge_logs', lines });
  await installFunctions(store);
  await store.lock();
  const warehouse = makeDuckDbWarehouse(store, await readStoredSchemas(store), {
    layouts: await readLayouts(store),
    limits: { ...OPEN_RESULT_LIMITS, ...limits },
  });
  opened.push(warehouse);
  return warehouse;
}

const sequence = (count: number) => `SELECT x FROM UNNEST(GENERATE_ARRAY(1, ${count})) AS x`;

/** Each page takes far longer than a millisecond, in steps between which it can be interrupted. */
const SLOW = 'SELECT TO_HEX(SHA256(REPEAT(id, 10000))) AS h FROM logs.edge_logs ORDER BY timestamp DESC';

describe('pages in the order of time', () => {
  const QUERIES = [
    'SELECT id, timestamp AS t FROM logs.edge_logs ORDER BY timestamp DESC',
    'SELECT id, timestamp AS t, metadata FROM logs.edge_logs ORDER BY timestamp, id DESC',
    "SELECT id, timestamp AS t FROM logs.edge_logs WHERE project = 'b' ORDER BY timestamp DESC, id",
    `SELECT CONCAT(id, r.path) AS id, e.timestamp AS t FROM logs.edge_logs AS e, UNNEST(metadata) AS m, UNNEST(m.request) AS r
      ORDER BY e.timestamp DESC`,
    `WITH e AS (SELECT id, timestamp AS t, metadata FROM logs.edge_logs ORDER BY timestamp DESC)
      SELECT id, t FROM e WHERE ARRAY_LENGTH(metadata) = 1`,
    'SELECT id, timestamp AS t FROM logs.edge_logs ORDER BY timestamp DESC LIMIT 17',
    'SELECT id, timestamp AS t FROM logs.edge_logs ORDER BY timestamp DESC LIMIT 17 OFFSET 3',
  ];
  const asked = fc.record({
    perInstant: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 8 }),
    maxRows: fc.integer({ min: 4, max: 30 }),
    sql: fc.constantFrom(...QUERIES),
  });

  test('have the rows that one large page has, wherever an instant has several', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ perInstant, maxRows, sql }) => {
        const warehouse = await open(perInstant);
        const whole = (await firstPage(warehouse, sql)).rows.map((row) => JSON.parse(row));
        const pages = await allPages(warehouse, sql, maxRows);
        const found = pages.flatMap(({ rows }) => rows.map((row) => JSON.parse(row)));
        const isLimited = sql.includes('LIMIT');
        const kept = sql.includes('OFFSET') ? Math.min(whole.length, 4 * maxRows) : whole.length;
        expect(found.map(({ t }) => t)).toEqual(whole.slice(0, kept).map(({ t }) => t));
        expect(new Set(found.map(({ id }) => id)).size).toBe(kept);
        if (!isLimited)
          expect(found.map(({ id }) => id).toSorted()).toEqual(whole.map(({ id }) => id).toSorted());
        expect(pages.every(({ rows }, index) => index === pages.length - 1 || rows.length === maxRows)).toBe(
          true,
        );
        expect(pages.at(-1)?.truncated).toBe(kept < whole.length);
      }),
      { numRuns: 25 },
    );
  });

  test('end within an instant that has more entries than ten pages', async () => {
    const warehouse = await open([3, 25, 3]);
    const sql = 'SELECT id FROM logs.edge_logs ORDER BY timestamp DESC';
    const pages = await allPages(warehouse, sql, 2);
    expect(pages.map(({ rows }) => rows.length)).toEqual(Array(11).fill(2).concat(1));
    expect(pages.at(-1)).toMatchObject({ truncated: true });
    expect(new Set(pages.flatMap(({ rows }) => rows)).size).toBe(23);
  });
});

describe('what is kept', () => {
  test('are four pages where the rows come from one run, and that there are more is said', async () => {
    const pages = await allPages(await open(), `${sequence(50)} ORDER BY x`, 10);
    expect(pages.map(({ rows, truncated }) => [rows.length, truncated])).toEqual(Array(4).fill([10, true]));
    const all = await allPages(await open(), `${sequence(40)} ORDER BY x`, 10);
    expect(all.map(({ truncated }) => truncated)).toEqual([true, true, true, false]);
  });

  test('is given up for newer results, the one read longest ago first', async () => {
    const warehouse = await open([], { results: 2 });
    const [first, second] = [
      await firstPage(warehouse, sequence(50), { maxRows: 10 }),
      await firstPage(warehouse, sequence(50), { maxRows: 10 }),
    ];
    const page = await nextPage(warehouse, first.pageToken, { maxRows: 10 });
    await firstPage(warehouse, sequence(50), { maxRows: 10 });
    expect(await failureKind(nextPage(warehouse, second.pageToken, { maxRows: 10 }))).toBe('gone');
    expect((await nextPage(warehouse, page.pageToken, { maxRows: 10 })).rows[0]).toBe('{"x":21}');
  });

  test('of pages that were read are as many as fit', async () => {
    const warehouse = await open([], { pagesLength: 100 });
    const { pageToken } = await firstPage(warehouse, sequence(40), { maxRows: 10 });
    const second = await nextPage(warehouse, pageToken, { maxRows: 10 });
    expect(await nextPage(warehouse, pageToken, { maxRows: 10 })).toEqual(second);
    await nextPage(warehouse, second.pageToken, { maxRows: 10 });
    expect(await failureKind(nextPage(warehouse, pageToken, { maxRows: 10 }))).toBe('gone');
  });

  test('is limited to what the caller may have now, even if it was more before', async () => {
    const warehouse = await open();
    const { pageToken } = await firstPage(warehouse, sequence(40), { maxRows: 10 });
    await nextPage(warehouse, pageToken, { maxRows: 10 });
    const { rows, truncated } = await nextPage(warehouse, pageToken, { maxRows: 3 });
    expect([rows, truncated]).toEqual([['{"x":11}', '{"x":12}', '{"x":13}'], true]);
  });

  test('goes before a query that needs its memory', async () => {
    const warehouse = await open([], {}, 128);
    const rests = [];
    for (let index = 0; index < 12; index++) {
      const sql = `SELECT x, REPEAT(CAST(x AS STRING), 1000) AS text FROM (${sequence(4000)}) ORDER BY MOD(x * 7919, 5003)`;
      rests.push((await firstPage(warehouse, sql)).pageToken);
    }
    expect(rests).not.toContain(undefined);
    const { rows } = await firstPage(warehouse, `SELECT COUNT(*) AS x FROM (${sequence(1000)})`);
    expect(rows).toEqual(['{"x":1000}']);
  });

  test('is gone when the warehouse is closed', async () => {
    const warehouse = await open();
    const { pageToken } = await firstPage(warehouse, sequence(40), { maxRows: 10 });
    opened.pop();
    await warehouse.close();
    expect(await failureKind(nextPage(warehouse, pageToken, { maxRows: 10 }))).toBe('gone');
  });
});

describe('a page that does not come', () => {
  test('is out of time at its deadline, and the result gone with it', async () => {
    const warehouse = await open(Array(9000).fill(1));
    const { pageToken } = await firstPage(warehouse, SLOW, { maxRows: 4000 });
    const late = nextPage(warehouse, pageToken, { maxRows: 4000, deadlineMs: 1 });
    expect(await failureKind(late)).toBe('deadline_exceeded');
    expect(await failureKind(nextPage(warehouse, pageToken, { maxRows: 4000 }))).toBe('gone');
    expect((await firstPage(warehouse, sequence(1))).rows).toEqual(['{"x":1}']);
  });

  test('is given up when the caller goes away, and kept for another who waits', async () => {
    const warehouse = await open();
    const { pageToken } = await firstPage(warehouse, sequence(40), { maxRows: 10 });
    const caller = new AbortController();
    const left = failureKind(nextPage(warehouse, pageToken, { maxRows: 10, signal: caller.signal }));
    const stays = nextPage(warehouse, pageToken, { maxRows: 10 });
    caller.abort();
    expect(await left).toBe('deadline_exceeded');
    expect((await stays).rows[0]).toBe('{"x":11}');
  });
});
