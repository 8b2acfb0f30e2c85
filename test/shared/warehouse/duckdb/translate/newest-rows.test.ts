import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeDuckDbWarehouse } from '../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installMacros } from '../../../../../shared/warehouse/duckdb/install-macros.ts';
import { loadEntries } from '../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../../../shared/warehouse/duckdb/store/open-store.ts';
import { readStoredSchemas } from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import type { Warehouse } from '../../../../../shared/warehouse/warehouse.ts';
import { CONTRACT_TABLES } from '../../contract/contract-logs.ts';

interface Entry {
  readonly id: string;
  readonly timestamp: number;
  readonly project: string;
}

/** Many entries of few instants, so that limits cut through entries of one instant. */
const ENTRIES: readonly Entry[] = Array.from({ length: 90 }, (_, index) => ({
  id: `e${String((index * 37) % 90).padStart(2, '0')}`,
  timestamp: 1_767_225_600_000_000 + Math.floor(index / 13),
  project: index % 3 === 0 ? 'a' : 'b',
}));

const byId = (one: Entry, other: Entry) => (one.id < other.id ? -1 : 1);
const upwards = ENTRIES.toSorted((one, other) => one.timestamp - other.timestamp || byId(one, other));
const downwards = ENTRIES.toSorted((one, other) => other.timestamp - one.timestamp || byId(one, other));

describe('the newest or oldest rows with all that they hold', () => {
  const opened: Warehouse[] = [];
  beforeAll(async () => {
    const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 2 });
    const lines = ENTRIES.map((entry) =>
      JSON.stringify({ ...entry, event_message: 'x', metadata: [{ request: [{ path: '/x' }] }] }),
    );
    await loadEntries({ store, schemas: CONTRACT_TABLES, source: 'edge_logs', lines });
    await installMacros(store);
    await store.lock();
    opened.push(makeDuckDbWarehouse(store, await readStoredSchemas(store)));
  });
  afterAll(() => opened[0]?.close());

  const idsOf = async (sql: string) => {
    const options = { maxRows: 1000, deadlineMs: 30_000, nowMicros: 0n };
    const result = await opened[0]?.run({ sql, parameters: new Map() }, options);
    return result?.rows.map((row) => JSON.parse(row).id);
  };
  const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id);

  test.each([
    ['timestamp DESC, id LIMIT 20', ids(downwards.slice(0, 20))],
    ['timestamp DESC, id LIMIT 20 OFFSET 17', ids(downwards.slice(17, 37))],
    ['timestamp, id LIMIT 20', ids(upwards.slice(0, 20))],
    ['timestamp, id LIMIT 5 OFFSET 88', ids(upwards.slice(88))],
    ['timestamp DESC, id LIMIT 500', ids(downwards)],
    ['timestamp DESC, id LIMIT 0', []],
    ['timestamp DESC, id', ids(downwards)],
    ['id DESC, timestamp LIMIT 3', ['e89', 'e88', 'e87']],
  ])('are those that the order says: %s', async (order, expected) => {
    expect(await idsOf(`SELECT id, metadata FROM logs.edge_logs ORDER BY ${order}`)).toEqual(expected);
  });

  test('are found among those that a condition leaves', async () => {
    const sql = `SELECT * FROM logs.edge_logs WHERE project = 'a' ORDER BY timestamp DESC, id LIMIT 7`;
    expect(await idsOf(sql)).toEqual(ids(downwards.filter(({ project }) => project === 'a').slice(0, 7)));
  });

  test('are none where no row meets the condition', async () => {
    const sql = `SELECT * FROM logs.edge_logs WHERE project = 'c' ORDER BY timestamp DESC LIMIT 7`;
    expect(await idsOf(sql)).toEqual([]);
  });

  test('are found under another name of the time', async () => {
    const sql = `WITH t AS (SELECT id, timestamp AS instant, metadata FROM logs.edge_logs)
      SELECT * FROM t ORDER BY instant DESC, id LIMIT 20`;
    expect(await idsOf(sql)).toEqual(ids(downwards.slice(0, 20)));
  });

  test('are counted after a join has repeated or added rows', async () => {
    const sql = `SELECT e.id, e.metadata FROM UNNEST([1, 2]) AS n LEFT JOIN logs.edge_logs AS e
      ON n = 1 AND e.project = 'a' ORDER BY e.timestamp, e.id LIMIT 3`;
    expect(await idsOf(sql)).toEqual([
      null,
      ...ids(upwards.filter(({ project }) => project === 'a').slice(0, 2)),
    ]);
  });

  test('keep the window values of all rows', async () => {
    const sql = `SELECT id, metadata FROM (
        SELECT id, timestamp, metadata, COUNT(*) OVER () AS n FROM logs.edge_logs
      ) WHERE n = 90 ORDER BY timestamp DESC, id LIMIT 4`;
    expect(await idsOf(sql)).toEqual(ids(downwards.slice(0, 4)));
  });
});
