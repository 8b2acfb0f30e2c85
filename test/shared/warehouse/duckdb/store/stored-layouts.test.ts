import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type TableSchemas, tableSchema } from '../../../../../shared/schema/table-schema.ts';
import { loadEntries, loadLogs } from '../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore, type Store } from '../../../../../shared/warehouse/duckdb/store/open-store.ts';
import {
  readLayouts,
  readStoredSchemas,
} from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { readTimeRanges } from '../../../../../shared/warehouse/duckdb/store/time-ranges.ts';
import { logicalTable } from './support/logical-table.ts';

const SCHEMA = tableSchema.parse([
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
  {
    name: 'metadata',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'level', type: 'STRING' },
      { name: 'request', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'path', type: 'STRING' }] },
    ],
  },
]);
const SCHEMAS: TableSchemas = new Map([
  ['auth_logs', SCHEMA],
  ['edge_logs', SCHEMA],
]);

/** What the first version of the program wrote. */
const VERSION_1 = ['auth_logs', 'edge_logs'].flatMap((source) => [
  `CREATE TABLE logs.main."${source}" ("id" VARCHAR, "timestamp" TIMESTAMP,
     "metadata" STRUCT("level" VARCHAR, "request" STRUCT("path" VARCHAR)[])[])`,
  `INSERT INTO logs.main."${source}" VALUES
     ('old1', '2024-01-01', [{level: 'info', request: [{path: '/old'}]}]),
     ('old2', '2024-01-02', [{level: 'a', request: []}, {level: 'b', request: NULL}]), ('old3', '2024-01-03', [])`,
]);
const VERSION_1_SCHEMAS = 'CREATE TABLE logs.main._schemas (source VARCHAR, schema VARCHAR, layout INTEGER)';

let folder: string;
let file: string;
const stores: Store[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stored-layouts-'));
  file = join(folder, 'kept.db');
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await rm(folder, { recursive: true });
});

async function open(): Promise<Store> {
  const store = await openStore({ databaseFile: file, memoryLimitMiB: 256, threads: 1 });
  stores.push(store);
  return store;
}

async function change(...statements: readonly string[]): Promise<void> {
  for (const store of stores.splice(0)) await store.close();
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`ATTACH '${file}' AS logs (STORAGE_VERSION 'latest', ROW_GROUP_SIZE 16384)`);
  for (const statement of statements) await connection.run(statement);
  // The file stays open in this process as long as a connection to it does.
  await connection.run('DETACH logs');
  connection.closeSync();
  instance.closeSync();
}

async function writeVersion1(): Promise<void> {
  const rows = [...SCHEMAS].map(
    ([source, schema]) =>
      `INSERT INTO logs.main._schemas VALUES ('${source}', '${JSON.stringify(schema)}', 1)`,
  );
  await change(...VERSION_1, VERSION_1_SCHEMAS, ...rows);
}

async function entriesOf(store: Store, source: string): Promise<unknown[]> {
  const table = await logicalTable(store, source);
  const sql = `SELECT id, to_json(metadata)::VARCHAR FROM ${table} ORDER BY timestamp`;
  return store.use(async (connection) => (await connection.runAndReadAll(sql)).getRowsJson());
}

const OLD_ENTRIES = [
  ['old1', '[{"level":"info","request":[{"path":"/old"}]}]'],
  ['old2', '[{"level":"a","request":[]},{"level":"b","request":null}]'],
  ['old3', '[]'],
];

const NEW_LINES = [
  { id: 'new1', timestamp: '2025-01-01', metadata: { level: 'x', request: { path: '/new' } } },
  { id: 'new2', timestamp: '2025-01-02', metadata: { request: [{ path: '/a' }, { path: '/b' }] } },
].map((entry) => JSON.stringify(entry));
const NEW_ENTRIES = [
  ['new1', '[{"level":"x","request":[{"path":"/new"}]}]'],
  ['new2', '[{"level":null,"request":[{"path":"/a"},{"path":"/b"}]}]'],
];

describe('a file of the first layout', () => {
  beforeEach(writeVersion1);

  test('is read as it is', async () => {
    const store = await open();
    expect(await readStoredSchemas(store)).toEqual(SCHEMAS);
    expect(await readLayouts(store)).toEqual(
      new Map([
        ['auth_logs', { flat: new Map(), hasRepeated: false }],
        ['edge_logs', { flat: new Map(), hasRepeated: false }],
      ]),
    );
    expect(await entriesOf(store, 'edge_logs')).toEqual(OLD_ENTRIES);
    expect((await readTimeRanges(store, SCHEMAS)).get('edge_logs')).toEqual({
      firstMicros: BigInt(Date.parse('2024-01-01')) * 1000n,
      lastMicros: BigInt(Date.parse('2024-01-03')) * 1000n,
    });
  });

  test('keeps its other sources when entries of one are replaced, and lays these out again', async () => {
    const store = await open();
    await loadEntries({ store, schemas: SCHEMAS, source: 'edge_logs', lines: NEW_LINES, records: 'flat' });
    await change();
    const opened = await open();
    expect(await entriesOf(opened, 'auth_logs')).toEqual(OLD_ENTRIES);
    expect(await entriesOf(opened, 'edge_logs')).toEqual(NEW_ENTRIES);
    const layouts = await readLayouts(opened);
    expect(layouts.get('auth_logs')).toEqual({ flat: new Map(), hasRepeated: false });
    expect(layouts.get('edge_logs')).toEqual({
      flat: new Map([
        ['metadata', 'always'],
        ['metadata.request', 'always'],
      ]),
      hasRepeated: true,
      flatRepeated: new Map([['metadata', 'always']]),
      onlyRepeated: 'metadata.request',
      elements: new Map([
        [
          'metadata.request',
          new Map([
            ['metadata', 'always'],
            ['metadata.request', 'always'],
          ]),
        ],
      ]),
      sharesElements: true,
    });
  });

  test('is laid out again when all its logs are replaced', async () => {
    const store = await open();
    await loadLogs({
      store,
      schemas: SCHEMAS,
      directory: folder,
      skipInvalid: false,
      records: 'flat',
      progress: () => {},
      warn: () => {},
    });
    await change();
    const opened = await open();
    expect(await entriesOf(opened, 'edge_logs')).toEqual([]);
    expect([...((await readLayouts(opened)).get('edge_logs')?.flat.keys() ?? [])]).toEqual([
      'metadata',
      'metadata.request',
    ]);
  });

  test('is as it was when a load fails', async () => {
    const store = await open();
    const lines = [...NEW_LINES, '{"id":"bad"}'];
    await expect(
      loadEntries({ store, schemas: SCHEMAS, source: 'edge_logs', lines, records: 'flat' }),
    ).rejects.toThrow(/entry 3: timestamp: is missing/);
    expect(await entriesOf(store, 'edge_logs')).toEqual(OLD_ENTRIES);
    await change();
    expect(await readStoredSchemas(await open())).toEqual(SCHEMAS);
  });
});

/** Changes a source's tables into those of layout 4, in which elements have a table of their own. */
function withOwnElements(source: string): readonly string[] {
  const [beside, elements] = ['$repeated', '$elements.metadata.request'].map(
    (suffix) => `logs.main."${source}${suffix}"`,
  );
  const ofEntry = '"metadata.request", "metadata$"';
  return [
    `CREATE TABLE ${elements} AS SELECT * EXCLUDE (${ofEntry}) FROM ${beside}`,
    `DELETE FROM ${beside} WHERE "$offset" > 0`,
    ...['$offset', 'metadata.request?', 'metadata.request.path'].map(
      (column) => `ALTER TABLE ${beside} DROP COLUMN "${column}"`,
    ),
    `UPDATE logs.main._schemas SET layout = 4, records = replace(records, '"sharesElements":true,', '') WHERE source = '${source}'`,
  ];
}

describe('a file of the present layout', () => {
  beforeEach(async () => {
    const store = await open();
    for (const source of SCHEMAS.keys()) {
      await loadEntries({ store, schemas: SCHEMAS, source, lines: NEW_LINES, records: 'flat' });
    }
  });

  test('holds its layout for the next start', async () => {
    await change();
    const store = await open();
    expect(await entriesOf(store, 'edge_logs')).toEqual(NEW_ENTRIES);
    expect((await readLayouts(store)).get('edge_logs')?.hasRepeated).toBe(true);
  });

  test('loses its tables of elements with the entries that are replaced', async () => {
    const [first] = NEW_LINES;
    const store = stores[0] as Store;
    await loadEntries({
      store,
      schemas: SCHEMAS,
      source: 'edge_logs',
      lines: [first ?? ''],
      records: 'flat',
    });
    await change();
    expect((await readLayouts(await open())).get('edge_logs')).not.toHaveProperty('elements');
  });

  test('is read with tables of elements apart, as an earlier version left it', async () => {
    await change(...withOwnElements('edge_logs'));
    const store = await open();
    expect(await entriesOf(store, 'edge_logs')).toEqual(NEW_ENTRIES);
    const layout = (await readLayouts(store)).get('edge_logs');
    expect([...(layout?.elements?.keys() ?? [])]).toEqual(['metadata.request']);
    expect(layout).not.toHaveProperty('sharesElements');
    await loadEntries({ store, schemas: SCHEMAS, source: 'edge_logs', lines: NEW_LINES, records: 'flat' });
    expect((await readLayouts(store)).get('edge_logs')?.sharesElements).toBe(true);
  });

  test('is refused with tables of elements apart of which one is missing', async () => {
    await change(
      ...withOwnElements('edge_logs'),
      'DROP TABLE logs.main."edge_logs$elements.metadata.request"',
    );
    await expect(open()).rejects.toThrow(/tables were not written by this version/);
  });

  test('is read without tables of elements, as an earlier version left it', async () => {
    const drops = [...SCHEMAS.keys()].flatMap((source) => [
      ...withOwnElements(source),
      `DROP TABLE logs.main."${source}$elements.metadata.request"`,
    ]);
    await change(
      ...drops,
      `UPDATE logs.main._schemas SET layout = 3, records = regexp_replace(records, '"elements":.*]]]],?', '')`,
      `UPDATE logs.main._schemas SET records = replace(records, ',}', '}')`,
    );
    const store = await open();
    expect(await entriesOf(store, 'edge_logs')).toEqual(NEW_ENTRIES);
    expect((await readLayouts(store)).get('edge_logs')).toMatchObject({ onlyRepeated: 'metadata.request' });
  });

  test('is as it was when a load fails', async () => {
    const store = stores[0] as Store;
    const lines = [JSON.stringify({ id: 'a', timestamp: 1 }), '{"id":"bad"}'];
    await expect(
      loadEntries({ store, schemas: SCHEMAS, source: 'edge_logs', lines, records: 'flat' }),
    ).rejects.toThrow(/entry 2/);
    expect(await entriesOf(store, 'edge_logs')).toEqual(NEW_ENTRIES);
  });

  test.each([
    ['without the table beside one', `DROP TABLE logs.main."edge_logs$repeated"`],
    ['of a later layout', 'UPDATE logs.main._schemas SET layout = 6'],
    [
      'with elements of no record in the table beside one',
      `UPDATE logs.main._schemas SET records = replace(records, '"onlyRepeated":"metadata.request",', '')`,
    ],
    ['of an earlier one that nothing writes any more', 'UPDATE logs.main._schemas SET layout = 2'],
    [
      'with a record that the schema lacks',
      recordsText('[["metadata","always"],["metadata.requests","always"]]'),
    ],
    ['with a record in one that is a list', recordsText('[["metadata.request","always"]]')],
    [
      'with a record that is a column only where entries have it twice',
      recordsText('[["metadata","always"]]', '[["metadata","always"],["metadata.request","always"]]'),
    ],
    [
      'with elements of a record that no entry has twice',
      `UPDATE logs.main._schemas SET records = replace(records, '"elements":[["metadata.request"', '"elements":[["metadata"')`,
    ],
    [
      'with elements that lack a record',
      `UPDATE logs.main._schemas SET records = replace(records, '"elements":[["metadata.request",[["metadata","always"],', '"elements":[["metadata.request",[')`,
    ],
    ['with unknown statistics', recordsText('[["metadata","often"]]')],
    ['with a text that is no layout', `UPDATE logs.main._schemas SET records = 'x'`],
  ])('%s is refused', async (_name, statement) => {
    await change(statement);
    await expect(open()).rejects.toThrow(/tables were not written by this version/);
  });
});

function recordsText(flat: string, flatRepeated = '[]'): string {
  const text = `{"flat":${flat},"hasRepeated":true,"flatRepeated":${flatRepeated}}`;
  return `UPDATE logs.main._schemas SET records = '${text}'`;
}
