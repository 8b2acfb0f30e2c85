import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { bindParameters } from '../../../shared/endpoints/bind-parameters.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { FieldSchema } from '../../../shared/schema/table-schema.ts';
import { parseStatement } from '../../../shared/sql/parser/parse-query.ts';
import type { Column } from '../../../shared/sql/types/sql-type.ts';
import { makeBigQueryWarehouse } from '../../../shared/warehouse/bigquery/bigquery-warehouse.ts';
import { makeDuckDbWarehouse } from '../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../shared/warehouse/duckdb/store/open-store.ts';
import { readLayouts } from '../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { storedText } from '../../../shared/warehouse/query-text.ts';
import type { RunOptions, Warehouse, WarehouseQuery } from '../../../shared/warehouse/warehouse.ts';
import { startFakeBigQuery } from './bigquery/support/fake-bigquery.ts';

/** Tables that count how often somebody looks one up: whoever resolves or compiles a query does. */
class WatchedTables extends Map<string, readonly FieldSchema[]> {
  lookups = 0;
  override get(name: string) {
    this.lookups += 1;
    return super.get(name);
  }
}

const tables = new WatchedTables(await loadTableSchemas('queries/sources'));
const endpoints = (await loadEndpoints('queries')).all;
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** What the fake of BigQuery answers: no rows of these columns. */
const expected: { columns: readonly Column[] } = { columns: [] };

async function openDuckDb(): Promise<Warehouse> {
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 256, threads: 2 });
  for (const source of tables.keys()) await loadEntries({ store, schemas: tables, source, lines: [] });
  await installFunctions(store);
  await store.lock();
  const warehouse = makeDuckDbWarehouse(store, tables, { layouts: await readLayouts(store) });
  closing.push(() => warehouse.close());
  return warehouse;
}

async function openBigQuery(): Promise<Warehouse> {
  const fake = await startFakeBigQuery(() => {
    const fields = expected.columns.map(({ name }) => ({ name, type: 'STRING', mode: 'NULLABLE' }));
    return { json: { jobComplete: true, schema: { fields }, totalBytesProcessed: '1000' } };
  });
  const warehouse = makeBigQueryWarehouse({
    ...{ tables, project: 'a-project', dataset: 'logs', location: null, emulatorHost: fake.host },
    warn: () => {},
  });
  closing.push(
    () => fake.close(),
    () => warehouse.close(),
  );
  return warehouse;
}

const REQUESTS = [
  { project: ['demo'], interval: ['daily'] },
  { project: ['other'], interval: ['hourly'], iso_timestamp_start: ['2026-01-01T00:00:00Z'] },
  { project: ['other'], interval: ['minutely'], iso_timestamp_end: ['2026-01-01T00:00:00Z'] },
];

/** The endpoint's own query with the values of some requests. */
async function queriesOf(endpoint: Endpoint): Promise<readonly WarehouseQuery[]> {
  const bound = REQUESTS.map((request) => bindParameters(endpoint, new Map(Object.entries(request))));
  return (await Promise.all(bound)).map(({ values: parameters }) => ({ sql: endpoint.sql, parameters }));
}

const opened = { DuckDB: await openDuckDb(), BigQuery: await openBigQuery() };

describe.each(Object.entries(opened))('on %s', (name, warehouse) => {
  beforeEach(() => {
    tables.lookups = 0;
  });
  const optionsFor = ({ maxRows, timeWindow }: Endpoint): RunOptions => {
    return { maxRows, timeWindow, deadlineMs: 600_000, nowMicros: 1_767_225_600_000_000n };
  };

  test.each(endpoints.map((endpoint) => [endpoint.name, endpoint] as const))(
    'the stored query of %s is analysed when it is prepared, and never again for whatever is asked of it',
    async (_, endpoint) => {
      expected.columns = (await warehouse.prepare(storedText(endpoint), endpoint.maxRows)).columns;
      expect(tables.lookups).toBeGreaterThan(0);
      const prepared = tables.lookups;
      const options = optionsFor(endpoint);
      for (const query of await queriesOf(endpoint)) {
        await warehouse.run(query, options);
        await warehouse.estimate?.(query, options);
        await warehouse.prepare(storedText(endpoint), endpoint.maxRows);
        if (name === 'DuckDB') await warehouse.run(query, { ...options, maxRows: 10 });
      }
      expect(tables.lookups).toBe(prepared);
    },
  );

  test('a query that comes with its tree is not parsed', async () => {
    const tree = parseStatement('SELECT id AS a FROM logs.edge_logs');
    const text = { sql: 'text that nobody parses', tree, parameterTypes: new Map() };
    const { columns } = await warehouse.prepare(text, 10);
    expect(columns).toEqual([{ name: 'a', type: { kind: 'STRING' } }]);
  });

  test('the same text with a parameter of another type is another query', async () => {
    const columnsOf = async (type: 'STRING' | 'INT64') => {
      const text = { sql: 'SELECT @a AS a FROM logs.edge_logs', parameterTypes: new Map([['a', type]]) };
      const { columns } = await warehouse.prepare(text, 10);
      return columns.map((column) => column.type.kind);
    };
    expect(await columnsOf('STRING')).toEqual(['STRING']);
    expect(await columnsOf('INT64')).toEqual(['INT64']);
    expect(await columnsOf('STRING')).toEqual(['STRING']);
  });

  test('a query that cannot run is refused each time', async () => {
    const text = { sql: 'SELECT nothing FROM logs.edge_logs', parameterTypes: new Map() };
    for (const _ of [1, 2])
      await expect(warehouse.prepare(text, 10)).rejects.toMatchObject({ kind: 'invalid_argument' });
  });
});
