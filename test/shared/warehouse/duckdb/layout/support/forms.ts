import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '../../../../../../shared/errors/service-error.ts';
import type { TableSchema, TableSchemas } from '../../../../../../shared/schema/table-schema.ts';
import { makeDuckDbWarehouse } from '../../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadEntries, loadLogs } from '../../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import type { RecordForm } from '../../../../../../shared/warehouse/duckdb/loading/load-table.ts';
import { quoteLiteral } from '../../../../../../shared/warehouse/duckdb/quote.ts';
import {
  columnDefinitions,
  columnType,
} from '../../../../../../shared/warehouse/duckdb/store/column-type.ts';
import { tableName } from '../../../../../../shared/warehouse/duckdb/store/log-tables.ts';
import { openStore, type Store } from '../../../../../../shared/warehouse/duckdb/store/open-store.ts';
import {
  readLayouts,
  writeStoredSchemas,
} from '../../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { readTimeRanges } from '../../../../../../shared/warehouse/duckdb/store/time-ranges.ts';
import type { QueryResult } from '../../../../../../shared/warehouse/warehouse.ts';
import { openLive } from '../../live/support/open-live.ts';
import { duckLiteral } from './duck-literal.ts';
import { extendedEntry, type MadeEntry } from './made-entries.ts';
import { nestedStructure, nestedText } from './nested-text.ts';
import { typeOf } from './types.ts';

/** What is in the tables. */
export interface MadeLogs {
  readonly schemas: TableSchemas;
  readonly entries: ReadonlyMap<string, readonly MadeEntry[]>;
}

/** The rows of a query as text, or why there are none. */
export type Outcome =
  | { readonly kind: 'rows'; readonly rows: readonly string[] }
  | { readonly kind: 'refused' | 'failed' | 'broken'; readonly message: string };

/** The logs in one of the forms that a store can keep them in. */
export interface Form {
  /** Of its tables, with the fields that the entries added. */
  readonly schemas: TableSchemas;
  /** Never rejects. */
  run(sql: string): Promise<Outcome>;
  close(): Promise<void>;
}

/** The log files of a folder, loaded as the service does it, into a store that is new or has been `filled` before. */
export function loadedFolder(
  schemas: TableSchemas,
  directory: string,
  records: RecordForm = 'flat',
  filled: (store: Store) => Promise<unknown> = async () => {},
): Promise<Form> {
  return opened(async (store) => {
    await filled(store);
    const warn = (message: string) => {
      throw new Error(message);
    };
    const options = { store, schemas, directory, skipInvalid: false, progress: () => {}, warn };
    return (await loadLogs({ ...options, records })).schemas;
  });
}

/** Lines of log files in tables whose columns are those of the schema, with records as lists and structs. */
export function nestedLines(
  schemas: TableSchemas,
  lines: ReadonlyMap<string, readonly string[]>,
): Promise<Form> {
  return nested(schemas, async (connection, source, schema) => {
    const structure = quoteLiteral(JSON.stringify([nestedStructure(schema)]));
    const insert = await connection.prepare(
      `INSERT INTO ${tableName(source)} SELECT e.* FROM (SELECT unnest(from_json($1, ${structure})) AS e)`,
    );
    const all = lines.get(source) ?? [];
    for (let from = 0; from < all.length; from += LINES_AT_ONCE) {
      const part = all.slice(from, from + LINES_AT_ONCE).map((line) => nestedText(line, schema));
      insert.bindVarchar(1, `[${part.join(',')}]`);
      await insert.run();
    }
  });
}

const LINES_AT_ONCE = 1000;

/** Made entries, loaded from log files as the service does it, in place of the first of them, which were loaded before. */
export function loadedForm({ schemas, entries }: MadeLogs): Promise<Form> {
  return inFolder(entries, (directory) =>
    loadedFolder(schemas, directory, 'flat', async (store) => {
      for (const [source, made] of entries) {
        if (made.length < FIRST_LOAD) continue;
        const lines = made.slice(0, FIRST_LOAD).map(({ line }) => line);
        await loadEntries({ store, schemas, source, lines });
      }
    }),
  );
}

const FIRST_LOAD = 6;

/** Made entries, the first of them loaded from log files and the others taken one by one while queries could read them. */
export function liveForm({ schemas, entries }: MadeLogs): Promise<Form> {
  const first = new Map([...entries].map(([source, made]) => [source, made.slice(0, FIRST_LOADED)]));
  return inFolder(first, async (logs) => {
    const folder = await mkdtemp(join(tmpdir(), 'layout-live-'));
    const databaseFile = join(folder, 'logs.db');
    const limits = { sealEntries: 3, mergeCount: 2 };
    const open = await openLive({ schemas, logs, databaseFile, limits });
    for (const [source, made] of entries) {
      for (const { line } of made.slice(FIRST_LOADED)) await open.live.append(source, [line]);
    }
    return {
      schemas,
      run: (sql) => outcomeOf(open.run(sql, OPTIONS)),
      close: async () => {
        await open.close();
        await rm(folder, { recursive: true });
      },
    };
  });
}

const FIRST_LOADED = 3;

/** Entries with further fields than their schema has, in both forms as the loader makes them. */
export async function extendedForms({
  schemas,
  entries,
}: MadeLogs): Promise<{ readonly nested: Form; readonly loaded: Form }> {
  const extended = new Map(
    [...entries].map(([source, made]) => [source, made.map((entry, index) => extendedEntry(entry, index))]),
  );
  return inFolder(extended, async (directory) => {
    const nested = await loadedFolder(schemas, directory, 'nested');
    return { nested, loaded: await loadedFolder(schemas, directory) };
  });
}

async function inFolder<T>(entries: MadeLogs['entries'], use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'layout-'));
  try {
    for (const [source, made] of entries) {
      await writeFile(join(directory, `${source}.ndjson`), made.map(({ line }) => `${line}\n`).join(''));
    }
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Made entries in tables whose columns are those of the schema, without the loader. */
export function nestedForm({ schemas, entries }: MadeLogs): Promise<Form> {
  return nested(schemas, async (connection, source, schema) => {
    const rows = (entries.get(source) ?? []).map(({ row }) => {
      const values = schema.map((field, index) => {
        return `CAST(${duckLiteral(row.values[index] ?? null, typeOf(field))} AS ${columnType(field)})`;
      });
      return `SELECT ${values.join(', ')}`;
    });
    if (rows.length > 0) await connection.run(`INSERT INTO ${tableName(source)} ${rows.join(' UNION ALL ')}`);
  });
}

function nested(
  schemas: TableSchemas,
  fill: (connection: DuckDBConnection, source: string, schema: TableSchema) => Promise<void>,
): Promise<Form> {
  return opened((store) =>
    store.use(async (connection) => {
      for (const [source, schema] of schemas) {
        await connection.run(`CREATE TABLE ${tableName(source)} (${columnDefinitions(schema)})`);
        await fill(connection, source, schema);
      }
      await writeStoredSchemas(connection, schemas);
      return schemas;
    }),
  );
}

/** Opens a store, fills it, and makes a warehouse of it. */
async function opened(fill: (store: Store) => Promise<TableSchemas>): Promise<Form> {
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 512, threads: 1 });
  await installFunctions(store);
  const schemas = await fill(store);
  const timeRanges = await readTimeRanges(store, schemas);
  const layouts = await readLayouts(store);
  const warehouse = makeDuckDbWarehouse(store, schemas, { timeRanges, layouts });
  return {
    schemas,
    close: () => warehouse.close(),
    run: (sql) => outcomeOf(warehouse.run({ sql, parameters: new Map() }, OPTIONS)),
  };
}

const OPTIONS = { maxRows: 100_000, deadlineMs: 60_000, nowMicros: 1_704_067_200_000_000n };

async function outcomeOf(answer: Promise<QueryResult>): Promise<Outcome> {
  try {
    return { kind: 'rows', rows: (await answer).rows };
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): Outcome {
  if (!(error instanceof ServiceError)) return { kind: 'broken', message: String(error) };
  const { kind, message, cause } = error;
  if (message.includes('a construct of this query')) return { kind: 'broken', message: String(cause) };
  if (message.includes('not supported by the embedded engine')) return { kind: 'refused', message };
  if (kind === 'invalid_argument') return { kind: 'failed', message };
  return { kind: 'broken', message: `${message} ${String(cause ?? '')}` };
}
