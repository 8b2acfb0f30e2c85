import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TableSchemas, tableSchema } from '../../../../../shared/schema/table-schema.ts';
import { type LoadLogsOptions, loadLogs } from '../../../../../shared/warehouse/duckdb/loading/load-logs.ts';
import type { LoadReport } from '../../../../../shared/warehouse/duckdb/loading/load-report.ts';
import { openStore, type Store } from '../../../../../shared/warehouse/duckdb/store/open-store.ts';
import { logicalTable } from '../store/support/logical-table.ts';

const field = (name: string, type: string, mode = 'NULLABLE') => ({ name, type, mode });

/** A source with a column of every type and records in records, and one with the usual columns only. */
export const SCHEMAS: TableSchemas = new Map([
  [
    'app_logs',
    tableSchema.parse([
      field('id', 'STRING', 'REQUIRED'),
      field('timestamp', 'TIMESTAMP', 'REQUIRED'),
      field('event_message', 'STRING'),
      field('count', 'INTEGER'),
      field('ratio', 'FLOAT'),
      field('ok', 'BOOLEAN'),
      field('price', 'NUMERIC'),
      field('large', 'BIGNUMERIC'),
      field('raw', 'BYTES'),
      field('seen', 'TIMESTAMP'),
      field('local', 'DATETIME'),
      field('day', 'DATE'),
      field('clock', 'TIME'),
      field('doc', 'JSON'),
      field('tags', 'STRING', 'REPEATED'),
      field('marks', 'INTEGER', 'REPEATED'),
      { ...field('owner', 'RECORD'), fields: [field('name', 'STRING', 'REQUIRED')] },
      {
        ...field('metadata', 'RECORD', 'REPEATED'),
        fields: [
          field('level', 'STRING'),
          {
            ...field('request', 'RECORD', 'REPEATED'),
            fields: [
              field('method', 'STRING'),
              { ...field('headers', 'RECORD', 'REPEATED'), fields: [field('host', 'STRING')] },
            ],
          },
        ],
      },
    ]),
  ],
  [
    'edge_logs',
    tableSchema.parse([
      field('id', 'STRING'),
      field('timestamp', 'TIMESTAMP'),
      { ...field('metadata', 'RECORD', 'REPEATED'), fields: [field('status', 'INTEGER')] },
    ]),
  ],
]);

/** A temporary folder with log files, and the store that they are loaded into. */
export interface LogFolder {
  readonly path: string;
  readonly store: Store;
  readonly warnings: string[];
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>;
  load(options?: Partial<LoadLogsOptions>): Promise<LoadReport>;
  /** The rows of a query, values as text in DuckDB's own form. */
  texts(sql: string): Promise<(string | null)[][]>;
  /** SQL for the entries of a source in the shape of its schema, however they are stored. */
  table(source: string): Promise<string>;
  /** The entries of a source in order of time, each as the JSON that DuckDB makes of it. */
  rows(source?: string): Promise<unknown[]>;
  remove(): Promise<void>;
}

export async function logFolder(databaseFile: string | null = null): Promise<LogFolder> {
  const path = await mkdtemp(join(tmpdir(), 'log-folder-'));
  const store = await openStore({ databaseFile, memoryLimitMiB: 512, threads: 2 });
  const warnings: string[] = [];
  const query = (sql: string) =>
    store.use(async (connection) => (await connection.runAndReadAll(sql)).getRowsJson());
  return {
    path,
    store,
    warnings,
    write: async (files) => {
      for (const [name, contents] of Object.entries(files)) {
        await mkdir(dirname(join(path, name)), { recursive: true });
        await writeFile(join(path, name), contents);
      }
    },
    load: (options) =>
      loadLogs({
        store,
        schemas: SCHEMAS,
        directory: path,
        skipInvalid: false,
        progress: () => {},
        warn: (message) => warnings.push(message),
        ...options,
      }),
    texts: async (sql) => (await query(sql)) as (string | null)[][],
    table: (source) => logicalTable(store, source),
    rows: async (source = 'app_logs') => {
      const sql = `SELECT to_json(row)::VARCHAR FROM ${await logicalTable(store, source)} AS row ORDER BY timestamp, id`;
      return (await query(sql)).map(([text]) => JSON.parse(String(text)));
    },
    remove: async () => {
      await store.close();
      await rm(path, { recursive: true });
    },
  };
}

/** Lines of entries that have an id and ascending timestamps where they do not give them. */
export function ndjson(...entries: readonly Readonly<Record<string, unknown>>[]): string {
  return entries
    .map((entry, index) => {
      const timestamp = new Date(Date.UTC(2024, 0, 1, 0, 0, index)).toISOString();
      return `${JSON.stringify({ id: `e${index}`, timestamp, ...entry })}\n`;
    })
    .join('');
}
