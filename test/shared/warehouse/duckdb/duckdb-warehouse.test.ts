import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceError } from '../../../../shared/errors/service-error.ts';
import { makeDuckDbWarehouse } from '../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries } from '../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import { openStore } from '../../../../shared/warehouse/duckdb/store/open-store.ts';
import { readLayouts, readStoredSchemas } from '../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import type { Warehouse } from '../../../../shared/warehouse/warehouse.ts';
import { type OpenWarehouse, warehouseContract } from '../contract/contract.ts';
import { CONTRACT_LINES, CONTRACT_TABLES } from '../contract/contract-logs.ts';

const open =
  (memoryLimitMiB: number): OpenWarehouse =>
  async (schemas, entries) => {
    const store = await openStore({ databaseFile: null, memoryLimitMiB, threads: 2 });
    for (const source of schemas.keys()) {
      await loadEntries({ store, schemas, source, lines: entries.get(source) ?? [] });
    }
    await installFunctions(store);
    await store.lock();
    return makeDuckDbWarehouse(store, await readStoredSchemas(store), {
      layouts: await readLayouts(store),
    });
  };

warehouseContract('DuckDB', open(512));

describe('a DuckDB warehouse', () => {
  const opened: Warehouse[] = [];
  const small = () => opened[0] as Warehouse;
  beforeAll(async () => {
    opened.push(await open(64)(CONTRACT_TABLES, new Map([['edge_logs', CONTRACT_LINES]])));
  });
  afterAll(() => small().close());

  const run = (warehouse: Warehouse, sql: string) =>
    warehouse.run({ sql, parameters: new Map() }, { maxRows: 1000, deadlineMs: 600_000, nowMicros: 0n });
  const failure = (warehouse: Warehouse, sql: string) =>
    run(warehouse, sql).then(
      () => null,
      (error: ServiceError) => error,
    );

  test('refuses a query that needs more memory than there is, and lives on', async () => {
    const hungry = `SELECT ARRAY_AGG(REPEAT('x', 1000)) FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a`;
    const error = await failure(small(), hungry);
    expect(error).toMatchObject({ kind: 'resource_exhausted' });
    expect(error?.message).not.toMatch(/DuckDB|MiB|allocate/);
    await small().ping();
    expect((await run(small(), 'SELECT COUNT(*) AS n FROM logs.edge_logs')).rows).toEqual(['{"n":3}']);
  });

  test('knows a parameter of the caller from its own, whatever the caller calls it', async () => {
    const names = [' now', 'now', ' slice start', 'slice end', 'Symbol(now)'];
    const sql = `SELECT ${names.map((name, index) => `@\`${name}\` AS p${index}`).join(', ')}, timestamp >= CURRENT_TIMESTAMP() AS is_later FROM logs.edge_logs ORDER BY timestamp DESC`;
    const parameters = new Map(names.map((name) => [name, { type: 'STRING', value: `of ${name}` } as const]));
    const options = { maxRows: 2, deadlineMs: 600_000, nowMicros: 0n };
    const { rows } = await small().run({ sql, parameters }, options);
    const expected = Object.fromEntries(names.map((name, index) => [`p${index}`, `of ${name}`]));
    expect(rows.map((row) => JSON.parse(String(row)))).toEqual(
      rows.map(() => ({ ...expected, is_later: true })),
    );
    expect(rows).toHaveLength(2);
  });

  test('refuses an answer that is too long to be sent, and lives on', async () => {
    const warehouse = await open(512)(CONTRACT_TABLES, new Map());
    try {
      const long = `SELECT REPEAT('x', 500000) FROM UNNEST(GENERATE_ARRAY(1, 100)) AS a`;
      expect(await failure(warehouse, long)).toMatchObject({
        kind: 'resource_exhausted',
        message: 'The answer is longer than 32 MiB; select fewer columns or rows.',
      });
      expect((await run(warehouse, 'SELECT 1 AS a')).rows).toEqual(['{"a":1}']);
    } finally {
      await warehouse.close();
    }
  });

  test.each([
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    'SELECT * FROM `/etc/passwd`',
    'SELECT * FROM logs.`/etc/passwd`',
    'SELECT * FROM logs._schemas',
    'SELECT * FROM logs.main.edge_logs',
    'SELECT * FROM duckdb_tables()',
    'SELECT * FROM information_schema.tables',
    'SELECT * FROM pg_catalog.pg_tables',
    "SELECT getenv('HOME')",
    "SELECT current_setting('memory_limit')",
    "SELECT gsql_raise('x')",
    "SELECT read_text('/etc/passwd')",
    "COPY logs.edge_logs TO '/tmp/x'",
    "ATTACH '/tmp/x'",
    'PRAGMA version',
    'SELECT 1; SELECT 2',
  ])('refuses %s before DuckDB sees it', async (sql) => {
    const error = await failure(small(), sql);
    expect(error).toMatchObject({ kind: 'invalid_argument', details: [{ line: 1 }] });
    expect(error?.cause).toBeUndefined();
  });

  test('refuses queries with a reason when it is closed', async () => {
    const warehouse = await open(64)(CONTRACT_TABLES, new Map());
    await warehouse.close();
    await expect(warehouse.ping()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await failure(warehouse, 'SELECT 1')).toMatchObject({ kind: 'unavailable' });
  });
});
