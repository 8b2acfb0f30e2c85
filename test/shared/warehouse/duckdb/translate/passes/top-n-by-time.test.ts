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

/** The paths of an entry's requests, in order: none, one or several, NULL where a left join finds none. */
function pathsOf(id: string): readonly (string | null)[] {
  const number = Number(id.slice(1));
  if (number % 4 === 0) return [null];
  return number % 4 === 1 ? ['/x', '/y', '/z'] : ['/x'];
}

function metadataOf({ id }: Entry): readonly unknown[] {
  const paths = pathsOf(id);
  if (paths[0] === null) return id.endsWith('0') ? [] : [{ request: [] }];
  return [{ request: paths.map((path) => ({ path })) }];
}

/** Whether the entries of a query are bounded in time. */
const isBounded = (sql: string) => passedQuery(sql, CONTRACT_TABLES).changedBy.includes('top-n by time');

const byId = (one: Entry, other: Entry) => (one.id < other.id ? -1 : 1);
const upwards = ENTRIES.toSorted((one, other) => one.timestamp - other.timestamp || byId(one, other));
const downwards = ENTRIES.toSorted((one, other) => other.timestamp - one.timestamp || byId(one, other));

describe('the newest or oldest rows with all that they hold', () => {
  const opened: Warehouse[] = [];
  beforeAll(async () => {
    const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 2 });
    const lines = ENTRIES.map((entry) =>
      JSON.stringify({ ...entry, event_message: 'x', metadata: metadataOf(entry) }),
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

  const idsOf = async (sql: string) => {
    const options = { maxRows: 1000, deadlineMs: 600_000, nowMicros: 0n };
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

  test.each([
    ['whole metadata', 'SELECT * FROM logs.edge_logs ORDER BY timestamp DESC LIMIT 9', true],
    ['a page of it', 'SELECT * FROM logs.edge_logs ORDER BY timestamp LIMIT 9 OFFSET 9', true],
    [
      'a value made of it',
      'SELECT ARRAY_LENGTH(metadata) AS n FROM logs.edge_logs ORDER BY timestamp DESC LIMIT 9',
      true,
    ],
    [
      'it, of a CTE that is read once',
      'WITH a AS (SELECT * FROM logs.edge_logs ORDER BY timestamp DESC LIMIT 9) SELECT metadata FROM a',
      true,
    ],
    [
      'nothing of it, of such a CTE',
      'WITH a AS (SELECT * FROM logs.edge_logs ORDER BY timestamp DESC LIMIT 9) SELECT id FROM a',
      false,
    ],
    ['narrow columns', 'SELECT id, event_message FROM logs.edge_logs ORDER BY timestamp DESC LIMIT 9', false],
    [
      'a condition on metadata alone',
      'SELECT id FROM logs.edge_logs WHERE ARRAY_LENGTH(metadata) > 0 ORDER BY timestamp DESC LIMIT 9',
      false,
    ],
    [
      'more rows than are worth it',
      'SELECT * FROM logs.edge_logs ORDER BY timestamp DESC LIMIT 999 OFFSET 9002',
      false,
    ],
    ['another order', 'SELECT * FROM logs.edge_logs ORDER BY id, timestamp LIMIT 9', false],
    ['rows without an order', 'SELECT * FROM logs.edge_logs LIMIT 9', false],
  ])('are bounded where that saves reading: %s', (_, sql, expected) => {
    expect(isBounded(sql)).toBe(expected);
  });

  test('are bounded a few times in one query, however deep its subqueries lie', () => {
    const nested = (depth: number): string =>
      `(SELECT ANY_VALUE(metadata) FROM (SELECT metadata FROM logs.edge_logs
        ${depth === 0 ? '' : `WHERE ARRAY_LENGTH(${nested(depth - 1)}) > 0`} ORDER BY timestamp DESC LIMIT 1))`;
    const { plan, changedBy } = passedQuery(`SELECT ${nested(12)} AS m`, CONTRACT_TABLES);
    expect(changedBy).toContain('top-n by time');
    expect(printPlan(plan).match(/MIN\(/g)).toHaveLength(16);
  });

  const entriesOf = (pairs: readonly { readonly id: string; readonly path: string | null }[]) =>
    pairs.map(({ id, path }) => `${id} ${path}`);

  describe('through left joins with nested records', () => {
    const LEFT = 'LEFT JOIN UNNEST(t.metadata) AS m LEFT JOIN UNNEST(m.request) AS r';
    const rowsOf = (entries: readonly Entry[]) =>
      entriesOf(entries.flatMap(({ id }) => pathsOf(id).map((path) => ({ id, path }))));
    const answers = async (sql: string) => {
      const options = { maxRows: 1000, deadlineMs: 600_000, nowMicros: 0n };
      const result = await opened[0]?.run({ sql, parameters: new Map() }, options);
      return entriesOf(result?.rows.map((row) => JSON.parse(row)) ?? []);
    };

    test.each([
      ['t.timestamp DESC, t.id, r.path LIMIT 20', rowsOf(downwards).slice(0, 20)],
      ['t.timestamp DESC, t.id, r.path LIMIT 20 OFFSET 17', rowsOf(downwards).slice(17, 37)],
      ['t.timestamp, t.id, r.path LIMIT 20', rowsOf(upwards).slice(0, 20)],
      ['t.timestamp, t.id, r.path LIMIT 500', rowsOf(upwards)],
      ['t.timestamp DESC LIMIT 0', []],
    ])('are those that the order says: %s', async (order, expected) => {
      const sql = `SELECT t.id, r.path FROM logs.edge_logs AS t ${LEFT} ORDER BY ${order}`;
      expect(await answers(sql)).toEqual(expected);
      expect(isBounded(sql)).toBe(true);
    });

    test('are found among the entries that a condition leaves', async () => {
      const sql = `SELECT t.id, r.path FROM logs.edge_logs AS t ${LEFT} WHERE t.project = 'a'
        ORDER BY t.timestamp DESC, t.id, r.path LIMIT 7`;
      const entries = downwards.filter(({ project }) => project === 'a');
      expect(await answers(sql)).toEqual(rowsOf(entries).slice(0, 7));
      expect(isBounded(sql)).toBe(true);
    });

    test('are found through a CTE and under another name of the time', async () => {
      const sql = `WITH named AS (SELECT id, timestamp AS instant, metadata FROM logs.edge_logs)
        SELECT t.id, r.path FROM named AS t ${LEFT} ORDER BY instant DESC, t.id, r.path LIMIT 7`;
      expect(await answers(sql)).toEqual(rowsOf(downwards).slice(0, 7));
      expect(isBounded(sql)).toBe(true);
    });

    test.each([
      ['a condition on elements', LEFT, `WHERE r.path = '/y'`, (path: string | null) => path === '/y'],
      ['a condition that few meet', LEFT, 'WHERE r.path IS NULL', (path: string | null) => path === null],
      [
        'a join that drops entries',
        'LEFT JOIN UNNEST(t.metadata) AS m JOIN UNNEST(m.request) AS r',
        '',
        (path: string | null) => path !== null,
      ],
      [
        'a left join behind one that drops entries',
        'JOIN UNNEST(t.metadata) AS m JOIN UNNEST(m.request) AS r LEFT JOIN UNNEST(r.tags) AS tag',
        '',
        (path: string | null) => path !== null,
      ],
    ])('are looked for further back with %s', async (_, from, where, isLeft) => {
      const sql = `SELECT t.id, r.path FROM logs.edge_logs AS t ${from} ${where}
        ORDER BY t.timestamp DESC, t.id, r.path LIMIT 20`;
      const pairs = downwards.flatMap(({ id }) => pathsOf(id).map((path) => ({ id, path })));
      expect(await answers(sql)).toEqual(entriesOf(pairs.filter(({ path }) => isLeft(path))).slice(0, 20));
      expect(isBounded(sql)).toBe(false);
    });

    test.each([
      [
        'rows are grouped',
        `SELECT t.timestamp, COUNT(*) FROM logs.edge_logs AS t ${LEFT} GROUP BY 1 ORDER BY 1 LIMIT 3`,
      ],
      [
        'a window looks at all rows',
        `SELECT t.id, COUNT(*) OVER () FROM logs.edge_logs AS t ${LEFT} ORDER BY t.timestamp LIMIT 3`,
      ],
      [
        'entries are cut off already',
        `SELECT t.id FROM (SELECT * FROM logs.edge_logs ORDER BY id LIMIT 9) AS t ${LEFT} ORDER BY t.timestamp LIMIT 3`,
      ],
      ['another order comes first', `SELECT t.id FROM logs.edge_logs AS t ${LEFT} ORDER BY t.id LIMIT 3`],
    ])('are not bounded where %s', (_, sql) => {
      expect(isBounded(sql)).toBe(false);
    });
  });
});
