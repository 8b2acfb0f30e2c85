import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { nextPage } from '../../contract/paging.ts';
import { type OpenService, openService } from './open-isolated.ts';

/** More than two groups of rows, one entry a second. */
const ENTRIES = 40_000;
const GROUP = 16_384;
const START_MICROS = 1_767_225_600_000_000;

const lines = Array.from({ length: ENTRIES }, (_, index) =>
  JSON.stringify({ id: `e${index}`, timestamp: START_MICROS + index * 1_000_000, event_message: 'm' }),
);

describe('the rows that a query scans', () => {
  let service: OpenService;
  beforeAll(async () => {
    service = await openService({}, undefined, undefined, new Map([['edge_logs', lines]]));
  });
  afterAll(() => service.warehouse.close());

  const last = `timestamp > TIMESTAMP_MICROS(${START_MICROS + (ENTRIES - 10) * 1_000_000})`;
  const scanned = async (sql: string) => (await service.ask(sql)).rowsScanned;

  test('are all of a table, and those of each query alone', async () => {
    const all = "SELECT COUNT(*) AS n FROM logs.edge_logs WHERE event_message LIKE '%x%'";
    expect(await scanned(all)).toBe(ENTRIES);
    expect(await scanned(all)).toBe(ENTRIES);
    expect(await scanned(`${all} UNION ALL ${all.replace('%x%', '%y%')}`)).toBe(2 * ENTRIES);
  });

  test('are those of the groups that can match', async () => {
    const count = await scanned(`SELECT id FROM logs.edge_logs WHERE ${last}`);
    expect(count).toBeGreaterThanOrEqual(9);
    expect(count).toBeLessThanOrEqual(GROUP);
    const newest = await scanned('SELECT id FROM logs.edge_logs ORDER BY timestamp DESC LIMIT 5');
    expect(newest).toBeLessThanOrEqual(GROUP);
  });

  test('are none where it reads no table', async () => {
    expect(await scanned('SELECT 1 AS n')).toBe(0);
  });

  test('are not those of a query before it that failed', async () => {
    await expect(service.ask("SELECT ERROR(id) FROM logs.edge_logs WHERE id = 'e39999'")).rejects.toThrow(
      'e39999',
    );
    expect(await scanned('SELECT 1 AS n')).toBe(0);
  });

  test('are unknown of a result that waits for its next page, and of later pages', async () => {
    const page = await service.ask('SELECT id FROM logs.edge_logs', { maxRows: 30_000 });
    const rest = await nextPage(service.warehouse, page.pageToken, { maxRows: 30_000 });
    expect(page.rows.length + rest.rows.length).toBe(ENTRIES);
    expect([page.rowsScanned, rest.rowsScanned]).toEqual([undefined, undefined]);
    expect(await scanned('SELECT 1 AS n')).toBe(0);
  });

  const ofStored = async (sql: string, changed = {}) =>
    (await service.askStored(sql, { countsRows: true, ...changed })).rowsScanned;

  test('are counted for a stored query, which runs in the service, where it is asked for', async () => {
    const all = 'SELECT event_message, COUNT(*) AS n FROM logs.edge_logs GROUP BY 1';
    expect((await service.askStored(all)).rowsScanned).toBe(undefined);
    expect(await ofStored(all)).toBe(ENTRIES);
    expect(await ofStored(`${all} LIMIT 10`)).toBe(ENTRIES);
    expect(await ofStored('SELECT 1 AS n')).toBe(0);
    const newest = await ofStored(`SELECT id FROM logs.edge_logs WHERE ${last} ORDER BY timestamp DESC`);
    expect(newest).toBeGreaterThanOrEqual(9);
    // A query that is read by stretches of time looks for the end of one first.
    expect(newest).toBeLessThanOrEqual(2 * GROUP);
  });

  test('are unknown of a stored query whose rows go on', async () => {
    expect(await ofStored('SELECT id FROM logs.edge_logs', { maxRows: 100 })).toBe(undefined);
  });
});
