import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigurationError } from '../../../../../shared/errors/configuration-error.ts';
import { tableSchema } from '../../../../../shared/schema/table-schema.ts';
import {
  openStore,
  type Store,
  type StoreAccess,
} from '../../../../../shared/warehouse/duckdb/store/open-store.ts';
import { writeStoredSchemas } from '../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';

const OPEN_STORE = new URL('../../../../../shared/warehouse/duckdb/store/open-store.ts', import.meta.url)
  .href;

let folder: string;
let stores: Store[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'open-store-'));
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await rm(folder, { recursive: true });
});

async function open(
  databaseFile: string | null = null,
  memoryLimitMiB = 256,
  access: StoreAccess = 'exclusive',
): Promise<Store> {
  const store = await openStore({
    databaseFile,
    memoryLimitMiB,
    threads: 2,
    temporaryParent: folder,
    access,
  });
  stores.push(store);
  return store;
}

async function rowsOf(store: Store, sql: string): Promise<unknown[][]> {
  return store.use(async (connection) => (await connection.runAndReadAll(sql)).getRowsJS() as unknown[][]);
}

describe('a store that is open', () => {
  test('works in UTC, keeps the order of insertion and loads no extension by itself', async () => {
    const store = await open();
    const settings = ['TimeZone', 'preserve_insertion_order', 'autoload_known_extensions', 'threads'];
    const sql = `SELECT ${settings.map((name) => `current_setting('${name}')::VARCHAR`).join(', ')}`;
    expect(await rowsOf(store, sql)).toEqual([['UTC', 'true', 'false', '2']]);
  });

  test('lays tables out in row groups of 16384, with a database file and without', async () => {
    for (const file of [null, join(folder, 'kept.db')]) {
      const store = await open(file);
      await rowsOf(store, 'CREATE TABLE logs.main.numbers AS SELECT range AS n FROM range(100000)');
      const groups = `SELECT max(count) FROM pragma_storage_info('logs.main.numbers') WHERE segment_type = 'BIGINT'`;
      expect(await rowsOf(store, groups)).toEqual([[16384n]]);
    }
  });

  test('has blocks of 128 KiB in a new file, and leaves an older one its own', async () => {
    const older = join(folder, 'older.db');
    const instance = await DuckDBInstance.create(older);
    instance.closeSync();
    const sizes = [];
    for (const file of [older, join(folder, 'new.db'), null]) {
      const store = await open(file);
      const sql = `SELECT block_size FROM pragma_database_size() WHERE database_name = 'logs'`;
      sizes.push((await rowsOf(store, sql)).flat().map(Number));
      await store.lock();
    }
    expect(sizes).toEqual([[262_144], [131_072], [131_072]]);
  });

  test('keeps its temporary folder to itself and removes it when it closes', async () => {
    const store = await openStore({ databaseFile: null, memoryLimitMiB: 64, temporaryParent: folder });
    expect((await stat(store.temporaryDirectory)).mode & 0o777).toBe(0o700);
    await store.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test('leaves no temporary file with a name once it is locked', async () => {
    const store = await open();
    await rowsOf(store, 'CREATE TABLE logs.main.numbers AS SELECT range AS n FROM range(100000)');
    await store.lock();
    expect(await readdir(store.temporaryDirectory)).not.toContain('logs.db');
    expect(await rowsOf(store, 'SELECT sum(n)::BIGINT FROM logs.main.numbers')).toEqual([[4999950000n]]);
  });

  test('closes connections that are still open and writes what was committed', async () => {
    const file = join(folder, 'kept.db');
    const store = await openStore({ databaseFile: file, memoryLimitMiB: 64, temporaryParent: folder });
    const connection = await store.connect();
    await connection.run('CREATE TABLE logs.main.numbers AS SELECT 1 AS n');
    await store.close();
    expect(existsSync(`${file}.wal`)).toBe(false);
    const instance = await DuckDBInstance.create(file);
    const reader = await (await instance.connect()).runAndReadAll('SELECT n FROM numbers');
    expect(reader.getRowsJS()).toEqual([[1]]);
    instance.closeSync();
  });
});

describe.each(['exclusive', 'shared'] as const)('a store that is locked, %s', (access) => {
  const outside = [
    ['reading CSV', "SELECT * FROM read_csv('/etc/passwd')", /disabled by configuration/],
    ['reading JSON', "SELECT * FROM read_json('/etc/passwd')", /disabled by configuration/],
    ['reading Parquet', "SELECT * FROM read_parquet('/etc/passwd')", /disabled by configuration/],
    ['reading text', "SELECT * FROM read_text('/etc/passwd')", /disabled by configuration/],
    ['reading bytes', "SELECT * FROM read_blob('/etc/passwd')", /disabled by configuration/],
    ['naming a file as a table', "SELECT * FROM '/etc/passwd.csv'", /disabled by configuration/],
    ['listing files', "SELECT * FROM glob('/etc/*')", /disabled by configuration/],
    ['copying to a file', "COPY logs.main.numbers TO '/tmp/numbers.csv'", /disabled by configuration/],
    ['copying from a file', "COPY logs.main.numbers FROM '/etc/passwd'", /disabled by configuration/],
    ['exporting', "EXPORT DATABASE '/tmp/numbers'", /disabled by configuration/],
    ['attaching a file', "ATTACH '/tmp/other.db'", /disabled by configuration/],
    ['installing an extension', 'INSTALL httpfs', /disabled by configuration|Permission Error/],
    ['loading an extension', 'LOAD httpfs', /disabled through configuration/],
    ['changing a setting', 'SET threads = 1', /configuration has been locked/],
    ['changing the time zone', "SET TimeZone = 'Asia/Tokyo'", /configuration has been locked/],
    ['opening up again', 'SET enable_external_access = true', /configuration has been locked/],
    ['unlocking', 'RESET lock_configuration', /configuration has been locked/],
    ['a pragma', 'PRAGMA memory_limit = "10GB"', /configuration has been locked/],
  ] as const;

  test('refuses everything outside the log tables over old and new connections', async () => {
    const store = await open(null, 256, access);
    const old = await store.connect();
    await old.run('CREATE TABLE logs.main.numbers AS SELECT 1 AS n');
    await store.lock();
    for (const connection of [old, await store.connect()]) {
      for (const [what, sql, reason] of outside) {
        const outcome = await connection.run(sql).then(
          () => `${what} went through`,
          (error: Error) => error.message,
        );
        expect([what, outcome]).toEqual([what, expect.stringMatching(reason)]);
      }
      expect((await connection.runAndReadAll('SELECT n FROM logs.main.numbers')).getRowsJS()).toEqual([[1]]);
    }
  });

  test('sorts more than the memory limit with the help of its temporary folder', async () => {
    const store = await open(null, 96, access);
    await rowsOf(
      store,
      'CREATE TABLE logs.main.texts AS SELECT md5(range::VARCHAR) AS a, md5((range + 1)::VARCHAR) AS b FROM range(2000000)',
    );
    await store.lock();
    const sql = `SELECT count(*), max(place) FROM (SELECT row_number() OVER (ORDER BY a, b) AS place, a, b FROM logs.main.texts)`;
    expect(await rowsOf(store, sql)).toEqual([[2000000n, 2000000n]]);
  });

  test('fails cleanly where not even the temporary folder helps', async () => {
    const store = await open(null, 64, access);
    await store.lock();
    const sql = `SELECT length(string_agg(md5(range::VARCHAR), '')) FROM range(20000000)`;
    await expect(rowsOf(store, sql)).rejects.toThrow(/Out of Memory/);
    expect(await rowsOf(store, 'SELECT 1')).toEqual([[1]]);
  });
});

describe('a shared store', () => {
  const NUMBERS = 'CREATE TABLE logs.main.numbers AS SELECT range AS n FROM range(100000)';
  const SUM = 'SELECT sum(n)::BIGINT FROM logs.main.numbers';

  test.each([
    ['in the temporary folder', () => null],
    ['in a database file', () => join(folder, 'kept.db')],
  ])('%s is read by other processes once it is locked, and written by none', async (_name, file) => {
    const store = await open(file(), 256, 'shared');
    const old = await store.connect();
    await old.run(NUMBERS);
    await writeSchemas(store);
    expect(await inAnotherProcess(store.databasePath, SUM, 'read-only')).toMatch(/another process/);
    await store.lock();
    expect(await inAnotherProcess(store.databasePath, SUM, 'read-only')).toBe('4999950000');
    expect(await inAnotherProcess(store.databasePath, SUM, 'exclusive')).toMatch(/another process/);
    expect(await inAnotherProcess(store.databasePath, 'DROP TABLE logs.main.numbers', 'read-only')).toMatch(
      /read-only/,
    );
    await expect(old.run('INSERT INTO logs.main.numbers VALUES (1)')).rejects.toThrow(/read-only/);
    expect((await old.runAndReadAll(SUM)).getRowsJS()).toEqual([[4999950000n]]);
  });

  test('keeps its row groups and leaves nothing to be written', async () => {
    const file = join(folder, 'kept.db');
    const store = await open(file, 256, 'shared');
    await rowsOf(store, NUMBERS);
    await store.lock();
    expect(existsSync(`${file}.wal`)).toBe(false);
    const groups = `SELECT max(count) FROM pragma_storage_info('logs.main.numbers') WHERE segment_type = 'BIGINT'`;
    expect(await rowsOf(store, groups)).toEqual([[16384n]]);
  });

  test('takes the temporary database with it when it is closed', async () => {
    const store = await open(null, 64, 'shared');
    await store.lock();
    expect(existsSync(store.databasePath)).toBe(true);
    await store.close();
    expect(await readdir(folder)).toEqual([]);
  });

  async function writeSchemas(store: Store): Promise<void> {
    const schema = tableSchema.parse([{ name: 'n', type: 'INT64', mode: 'NULLABLE' }]);
    await store.use((connection) => writeStoredSchemas(connection, new Map([['numbers', schema]])));
  }

  /** What the first value of the query is there, or why there is none. */
  async function inAnotherProcess(path: string, sql: string, access: StoreAccess): Promise<string> {
    const script = `
      const { openStore } = await import(${JSON.stringify(OPEN_STORE)});
      const [databaseFile, sql, access, temporaryParent] = process.argv.slice(1);
      try {
        const store = await openStore({ databaseFile, access, temporaryParent, memoryLimitMiB: 64, threads: 1 });
        await store.lock();
        const rows = await store.use(async (connection) => (await connection.runAndReadAll(sql)).getRowsJS());
        process.stdout.write(String(rows[0][0]));
        await store.close();
      } catch (error) {
        process.stdout.write(error.message);
      }`;
    const args = ['--input-type=module', '-e', script, path, sql, access, folder];
    return (await promisify(execFile)(process.execPath, args)).stdout;
  }
});

describe('a database file that cannot be used is refused in one line', () => {
  test.each([
    [
      'no DuckDB file',
      async (path: string) => writeFile(path, 'no database '.repeat(1000)),
      /not a DuckDB database/,
    ],
    ['an empty file', async (path: string) => writeFile(path, ''), /not a DuckDB database/],
    ['a folder', async (path: string) => mkdir(path), /it is a folder/],
    [
      'other tables',
      async (path: string) => makeDatabase(path, 'CREATE TABLE mine (a INT)'),
      /tables were not written by/,
    ],
    [
      'schemas without their tables',
      async (path: string) =>
        makeDatabase(path, `CREATE TABLE _schemas AS SELECT 'a' AS source, '[]' AS schema, 1 AS layout`),
      /tables were not written by/,
    ],
    [
      'another layout',
      async (path: string) =>
        makeDatabase(
          path,
          'CREATE TABLE _schemas (source VARCHAR, schema VARCHAR, layout INTEGER)',
          'CREATE TABLE a (n INT)',
        ),
      /tables were not written by/,
    ],
  ])('%s', async (_name, make, reason) => {
    const file = join(folder, 'given.db');
    await make(file);
    await expectRefused(file, reason);
  });

  test('a folder that does not exist', async () => {
    await expectRefused(join(folder, 'missing', 'a.db'), /folder that it lies in does not exist/);
  });

  test('a file that another process has open', async () => {
    const file = join(folder, 'shared.db');
    const script = `
      const { DuckDBInstance } = await import('@duckdb/node-api');
      const instance = await DuckDBInstance.create(process.argv[1]);
      const connection = await instance.connect();
      await connection.run('SELECT 1');
      process.stdout.write('open');
      process.stdin.resume();`;
    const other = spawn(process.execPath, ['--input-type=module', '-e', script, file], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(other.stdout, 'data');
    await expectRefused(file, /another process has this database open/);
    other.stdin.end();
    other.kill();
    await once(other, 'exit');
  });

  async function expectRefused(file: string, reason: RegExp): Promise<void> {
    const refusal = await open(file).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ConfigurationError);
    expect((refusal as Error).message).toMatch(reason);
    expect((refusal as Error).message).not.toContain('\n');
    expect((refusal as Error).message).toContain(file);
    expect((await readdir(folder)).filter((name) => name.startsWith('lqe-'))).toEqual([]);
  }

  /** Another process makes it, so that no lock of this one is in the way. */
  async function makeDatabase(path: string, ...statements: string[]): Promise<void> {
    const script = `
      const { DuckDBInstance } = await import('@duckdb/node-api');
      const instance = await DuckDBInstance.create(process.argv[1]);
      const connection = await instance.connect();
      for (const sql of process.argv.slice(2)) await connection.run(sql);
      connection.closeSync();
      instance.closeSync();`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, path, ...statements]);
  }
});
