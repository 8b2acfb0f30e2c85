import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bytesBilledByRule } from '../../../../shared/warehouse/bytes-billed.ts';
import { readNewestFirst } from '../../../../shared/warehouse/newest-first/newest-first-warehouse.ts';
import type { RunOptions, Warehouse, WarehouseQuery } from '../../../../shared/warehouse/warehouse.ts';
import {
  type CountingWarehouse,
  ENTRY_BYTES,
  type Entry,
  openCountingWarehouse,
} from './support/counting-warehouse.ts';
import { logsQuery, newestLogs, TIME_WINDOW } from './support/logs-queries.ts';

const MINUTE = 60_000_000n;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
const NOW = 1_767_225_600_000_000n;

function options(more: Partial<RunOptions> = {}): RunOptions {
  return { maxRows: 1000, deadlineMs: 600_000, nowMicros: NOW, timeWindow: TIME_WINDOW, ...more };
}

/** One entry in ten minutes over so many days up to the present. */
function steadyEntries(days: number, project = 'demo'): Entry[] {
  return Array.from({ length: days * 144 }, (_, index) => {
    return { id: `${project}-${index}`, micros: NOW - BigInt(index) * 10n * MINUTE, project };
  });
}

const open = new Map<string, CountingWarehouse>();
/** The warehouse of a name, with these entries; opened once. */
async function openWith(name: string, entries: () => readonly Entry[]): Promise<CountingWarehouse> {
  const warehouse = open.get(name) ?? (await openCountingWarehouse(entries()));
  open.set(name, warehouse);
  warehouse.runs.length = 0;
  return warehouse;
}
const openSteady = (days: number) => openWith(`${days} days`, () => steadyEntries(days));
afterAll(async () => {
  for (const warehouse of open.values()) await warehouse.close();
});

async function bytesOf(warehouse: Warehouse, query: WarehouseQuery): Promise<number> {
  return (await warehouse.run(query, options())).bytesProcessed ?? 0;
}

describe('what a call costs', () => {
  test.each([
    ['the stored query', null],
    ['a query for the newest rows', 'select id, event_message from edge_logs limit 100'],
    [
      'a search that finds enough',
      "select id from edge_logs where id like '%1%' order by timestamp desc limit 20",
    ],
  ])('%s: no more with 365 days of logs than with 30', async (_, sql) => {
    const costs: number[] = [];
    for (const days of [1, 30, 365]) {
      const inner = await openSteady(days);
      costs.push(await bytesOf(readNewestFirst(inner, newestLogs), logsQuery(sql, 'demo')));
      expect(await bytesOf(inner, logsQuery(sql, 'demo'))).toBe(days * 144 * ENTRY_BYTES);
    }
    const [, month = 0, year = 0] = costs;
    expect(year).toBe(month);
    expect(year).toBeLessThanOrEqual(4 * 144 * ENTRY_BYTES);
  });

  test('is less than three times everything for what is hardly there, and everything the next time', async () => {
    const sparse = { id: 'only', micros: NOW - 300n * DAY, project: 'sparse' };
    const inner = await openWith('sparse', () => [...steadyEntries(365), sparse]);
    const everything = (365 * 144 + 1) * ENTRY_BYTES;
    const warehouse = readNewestFirst(inner, newestLogs);
    const query = logsQuery(null, 'sparse');
    const first = await warehouse.run(query, options());
    expect(first.rows).toHaveLength(1);
    expect(inner.runs.length).toBeGreaterThan(2);
    expect(first.bytesProcessed).toBe(inner.runs.reduce((sum, bytes) => sum + bytes));
    expect(first.bytesBilled).toBe(inner.runs.reduce((sum, bytes) => sum + bytesBilledByRule(bytes, 1), 0));
    expect(first.bytesProcessed).toBeLessThan(3 * everything);
    inner.runs.length = 0;
    expect((await warehouse.run(query, options())).rows).toEqual(first.rows);
    expect(inner.runs).toEqual([everything]);
  });

  test.each<[string, WarehouseQuery, Partial<RunOptions>]>([
    ['its own lower bound', logsQuery(null, 'demo', { start: NOW - 9n * DAY }), {}],
    ['no time window', logsQuery(null, 'demo'), { timeWindow: null }],
    ['another shape', logsQuery('select count(*) as n from edge_logs', 'demo'), {}],
  ])('is one run with %s', async (_, query, more) => {
    const inner = await openSteady(30);
    const result = await readNewestFirst(inner, newestLogs).run(query, options(more));
    expect(inner.runs).toHaveLength(1);
    expect(result).toEqual(await inner.run(query, options(more)));
  });
});

describe('answers', () => {
  let inner: CountingWarehouse;
  let warehouse: Warehouse;
  beforeAll(async () => {
    // Dense and sparse times, equal ones, on the edges of windows, later than now, at the ends of the calendar.
    const offsets = [
      0n,
      1n,
      -1n,
      HOUR,
      HOUR + 1n,
      HOUR - 1n,
      DAY,
      DAY - 1n,
      7n * DAY,
      30n * DAY,
      365n * DAY,
      -HOUR,
    ];
    const edges = offsets.flatMap((offset, index) =>
      ['a', 'b', 'c'].map((letter) => ({ id: `${letter}${index}`, micros: NOW - offset, project: 'demo' })),
    );
    const spread = Array.from({ length: 120 }, (_, index) => {
      return {
        id: `s${index}`,
        micros: NOW - 2n ** BigInt(index % 43) * 1000n,
        project: index % 4 === 0 ? 'other' : 'demo',
      };
    });
    const oldest = { id: 'oldest', micros: -62_135_596_799_999_999n, project: 'demo' };
    inner = await openWith('edges', () => [...edges, ...spread, oldest]);
    warehouse = readNewestFirst(inner, newestLogs);
  });

  const count = fc.integer({ min: 0, max: 40 });
  const sql = fc.oneof(
    fc.constant(null),
    count.map(
      (limit) => `select id, timestamp from edge_logs order by timestamp desc, id desc limit ${limit}`,
    ),
    fc
      .tuple(count, count)
      .map(
        ([limit, skipped]) =>
          `select id, timestamp from edge_logs order by timestamp desc, id limit ${limit} offset ${skipped}`,
      ),
    fc.constant("select timestamp, id from edge_logs where id like '%3%' order by timestamp desc, id"),
    count.map((limit) => `select timestamp from edge_logs limit ${limit}`),
    fc.constant('select timestamp from edge_logs'),
    fc.constant('select count(*) as n from edge_logs'),
  );
  const moment = fc.bigInt({ min: NOW - 400n * DAY, max: NOW + DAY });
  const end = fc.option(fc.oneof(moment, fc.constantFrom(NOW, NOW - HOUR, -62_135_596_799_000_000n)), {
    nil: null,
  });

  test('are those of reading everything', async () => {
    await fc.assert(
      fc.asyncProperty(
        sql,
        end,
        moment,
        fc.integer({ min: 1, max: 50 }),
        async (text, bound, now, maxRows) => {
          const query = logsQuery(text, 'demo', { end: bound });
          const wanted = await inner.run(query, options({ nowMicros: now, maxRows }));
          const found = await warehouse.run(query, options({ nowMicros: now, maxRows }));
          const page = { bytesProcessed: 0, bytesBilled: 0, pageToken: undefined };
          expect({ ...found, ...page }).toEqual({ ...wanted, ...page });
        },
      ),
      { numRuns: 300 },
    );
  });

  test('continue page by page without a gap, and report a window that ends before the rows do', async () => {
    await fc.assert(
      fc.asyncProperty(sql, end, fc.integer({ min: 5, max: 50 }), async (text, bound, maxRows) => {
        const query = logsQuery(text, 'demo', { end: bound });
        const whole = await inner.run(query, options());
        let page = await warehouse.run(query, options({ maxRows }));
        const rows = [...page.rows];
        while (page.pageToken !== undefined) {
          page = (await warehouse.nextPage?.(page.pageToken, options({ maxRows }))) ?? page;
          rows.push(...page.rows);
        }
        expect(rows).toEqual(whole.rows.slice(0, rows.length));
        if (!page.truncated) expect(rows).toHaveLength(whole.rows.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe('an estimate', () => {
  const NEWEST = 'select id from edge_logs limit 100';
  const COUNT = 'select count(*) as entries from edge_logs';
  const start = NOW - 3n * DAY;

  test.each<[string, string, number, { readonly start?: bigint }, boolean | null]>([
    ['fits as a whole', NEWEST, 30 * 144, {}, false],
    ['begins with a window that fits', NEWEST, 200, {}, null],
    ['begins with a window that does not', NEWEST, 20, {}, true],
    ['has its own bound', NEWEST, 200, { start }, true],
    ['reads everything at once', COUNT, 200, {}, true],
  ])('of a query that %s', async (_, sql, mostEntries, bounds, isRefused) => {
    const warehouse = readNewestFirst(await openSteady(30), newestLogs);
    const capped = options({ maxBytesBilled: mostEntries * ENTRY_BYTES });
    const estimate = await warehouse.estimate?.(logsQuery(sql, 'demo', bounds), capped);
    expect(estimate?.isRefused).toBe(isRefused);
  });
});
