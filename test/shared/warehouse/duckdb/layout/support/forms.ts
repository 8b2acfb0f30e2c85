import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../../../../../../shared/errors/service-error.ts';
import type { TableSchemas } from '../../../../../../shared/schema/table-schema.ts';
import { makeDuckDbWarehouse } from '../../../../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../../../../shared/warehouse/duckdb/install-functions.ts';
import { loadLogs } from '../../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import {
  columnDefinitions,
  columnType,
} from '../../../../../../shared/warehouse/duckdb/store/column-type.ts';
import { tableName } from '../../../../../../shared/warehouse/duckdb/store/log-tables.ts';
import { openStore, type Store } from '../../../../../../shared/warehouse/duckdb/store/open-store.ts';
import { readTimeRanges } from '../../../../../../shared/warehouse/duckdb/store/time-ranges.ts';
import { duckLiteral } from './duck-literal.ts';
import type { MadeEntry } from './made-entries.ts';
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
  readonly store: Store;
  /** Never rejects. */
  run(sql: string): Promise<Outcome>;
  close(): Promise<void>;
}

/** Loaded from log files, as the service does it. */
export async function loadedForm({ schemas, entries }: MadeLogs): Promise<Form> {
  const directory = await mkdtemp(join(tmpdir(), 'layout-'));
  try {
    for (const [source, made] of entries) {
      await writeFile(join(directory, `${source}.ndjson`), made.map(({ line }) => `${line}\n`).join(''));
    }
    return await opened(schemas, async (store) => {
      const warn = (message: string) => {
        throw new Error(message);
      };
      await loadLogs({ store, schemas, directory, skipInvalid: false, progress: () => {}, warn });
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Tables whose columns are those of the schema, with records as lists and structs. */
export function nestedForm({ schemas, entries }: MadeLogs): Promise<Form> {
  return opened(schemas, (store) =>
    store.use(async (connection) => {
      for (const [source, schema] of schemas) {
        const table = tableName(source);
        await connection.run(`CREATE TABLE ${table} (${columnDefinitions(schema)})`);
        const rows = (entries.get(source) ?? []).map(({ row }) => {
          const values = schema.map(
            (field, index) =>
              `CAST(${duckLiteral(row.values[index] ?? null, typeOf(field))} AS ${columnType(field)})`,
          );
          return `SELECT ${values.join(', ')}`;
        });
        if (rows.length > 0) await connection.run(`INSERT INTO ${table} ${rows.join(' UNION ALL ')}`);
      }
    }),
  );
}

async function opened(schemas: TableSchemas, fill: (store: Store) => Promise<void>): Promise<Form> {
  const store = await openStore({ databaseFile: null, memoryLimitMiB: 512, threads: 1 });
  await installFunctions(store);
  await fill(store);
  const timeRanges = await readTimeRanges(store, schemas);
  const warehouse = makeDuckDbWarehouse(store, schemas, { timeRanges });
  return {
    store,
    close: () => warehouse.close(),
    run: async (sql) => {
      const options = { maxRows: 10_000, deadlineMs: 60_000, nowMicros: 1_704_067_200_000_000n };
      try {
        const { rows } = await warehouse.run({ sql, parameters: new Map() }, options);
        return { kind: 'rows', rows };
      } catch (error) {
        return outcomeOf(error);
      }
    },
  };
}

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof ServiceError)) return { kind: 'broken', message: String(error) };
  const { kind, message, cause } = error;
  if (message.includes('a construct of this query')) return { kind: 'broken', message: String(cause) };
  if (message.includes('not supported by the embedded engine')) return { kind: 'refused', message };
  if (kind === 'invalid_argument') return { kind: 'failed', message };
  return { kind: 'broken', message: `${message} ${String(cause ?? '')}` };
}
