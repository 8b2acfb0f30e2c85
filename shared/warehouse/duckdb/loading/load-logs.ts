import { rm } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { TableSchema, TableSchemas } from '../../../schema/table-schema.ts';
import { NESTED_LAYOUT, physicalColumns, type TableLayout } from '../store/layout.ts';
import { createTable, listTables, tableName } from '../store/log-tables.ts';
import { checkpointLogs, type Store } from '../store/open-store.ts';
import {
  readLayouts,
  readStoredSchemas,
  SCHEMAS_TABLE,
  writeStoredSchemas,
} from '../store/stored-schemas.ts';
import { fileInput, generatedInput, type PinnedFiles } from './entry-input.ts';
import { loadFailure } from './load-failure.ts';
import { type LoadProgress, throttledProgress } from './load-progress.ts';
import type { LoadReport, SourceReport } from './load-report.ts';
import { loadTable, type RecordForm } from './load-table.ts';
import { findSourceFiles } from './source-files.ts';
import { type Staging, stagingIn } from './staging.ts';

const RECORDS: RecordForm = 'flat';

export interface LoadLogsOptions {
  /** Not locked yet. */
  readonly store: Store;
  readonly schemas: TableSchemas;
  /** Holds `<source>.ndjson`, `.ndjson.gz`, `.parquet` or folders `<source>/` of such files. */
  readonly directory: string;
  /** What of it is loaded, where the caller has looked for that. */
  readonly pinned?: PinnedFiles;
  /** Whether malformed entries are left out and counted; without it, the first one ends the load. */
  readonly skipInvalid: boolean;
  /** How records are kept to begin with. */
  readonly records?: RecordForm;
  /** Called at most ten times a second while reading. */
  readonly progress: (progress: LoadProgress) => void;
  /** Receives what lies in the folder and is not loaded, a line each. */
  readonly warn: (message: string) => void;
  readonly signal?: AbortSignal;
  /** The clock that spaces the progress reports, in milliseconds. */
  readonly nowMs?: () => number;
}

/**
 * Loads the log files of a folder into the store in place of all that it held; a source without a file becomes an
 * empty table. All or nothing: a ConfigurationError (missing folder, unreadable file, full disk, malformed entry: file,
 * line, field and reason) leaves the store as it was. Arrays are never NULL in the tables.
 */
export async function loadLogs(options: LoadLogsOptions): Promise<LoadReport> {
  const { store, schemas, directory, pinned, skipInvalid, records = RECORDS, signal } = options;
  const files = pinned?.files ?? (await findSourceFiles(directory, [...schemas.keys()], options.warn));
  const progress = throttledProgress(options.progress, options.nowMs ?? (() => performance.now()));
  return replacing(store, signal, async (connection, staging) => {
    for (const table of await listTables(connection)) await connection.run(`DROP TABLE ${tableName(table)}`);
    const sources = new Map<string, SourceReport>();
    const loaded = new Map<string, TableSchema>();
    const layouts = new Map<string, TableLayout>();
    for (const [source, schema] of schemas) {
      checkSourceName(source);
      const inputs = (files.get(source) ?? []).map((file) => fileInput(store, file, pinned));
      const table = { connection, staging, source, schema, inputs, skipInvalid, progress, signal };
      const made = await loadTable({ ...table, records, unknownFields: 'add' });
      sources.set(source, made.report);
      loaded.set(source, made.schema);
      layouts.set(source, made.layout);
    }
    await writeStoredSchemas(connection, loaded, layouts);
    return { sources, schemas: loaded };
  });
}

export interface LoadEntriesOptions {
  /** Not locked yet. */
  readonly store: Store;
  /** Of all tables of the store; those that it does not hold yet are made, empty. */
  readonly schemas: TableSchemas;
  readonly source: string;
  /** The JSON text of an entry each, in the form that the log files have. */
  readonly lines: Iterable<string> | AsyncIterable<string>;
  /** How records are kept to begin with. */
  readonly records?: RecordForm;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Puts made entries into a source's table in place of what it held. Throws a ConfigurationError at an entry that
 * is malformed or has a field that the schema lacks, and leaves the store as it was.
 */
export async function loadEntries({
  store,
  schemas,
  source,
  lines,
  records = RECORDS,
  signal,
}: LoadEntriesOptions): Promise<SourceReport> {
  const schema = schemas.get(source);
  if (schema === undefined) throw new ConfigurationError(`there is no source ${source}`);
  const held = await readStoredSchemas(store);
  const layouts = await readLayouts(store);
  return replacing(store, signal, async (connection, staging) => {
    for (const [other, columns] of schemas) {
      checkSourceName(other);
      if (held.has(other) || other === source) continue;
      await createTable(connection, tableName(other), physicalColumns(columns, NESTED_LAYOUT));
    }
    const { report, layout } = await loadTable({
      connection,
      staging,
      source,
      schema,
      inputs: [generatedInput(source, lines)],
      records,
      unknownFields: 'refuse',
      skipInvalid: false,
      signal,
      progress: () => {},
    });
    const stored = new Map([...schemas, ...held, [source, schema]]);
    await writeStoredSchemas(connection, stored, new Map([...layouts, [source, layout]]));
    return report;
  });
}

/** Runs `work` in one transaction, which is undone when it throws. */
async function replacing<T>(
  store: Store,
  signal: AbortSignal | undefined,
  work: (connection: DuckDBConnection, staging: Staging) => Promise<T>,
): Promise<T> {
  return store.use(async (connection) => {
    const staging = stagingIn(store);
    // Sorting a large table takes long, and looks at no signal itself.
    const interrupt = () => {
      connection.interrupt();
      staging.interrupt();
    };
    signal?.addEventListener('abort', interrupt);
    try {
      signal?.throwIfAborted();
      // From here on the log of writes ahead holds nothing but this transaction.
      await checkpointLogs(connection);
      await connection.run('BEGIN TRANSACTION');
      const result = await work(connection, staging).catch(async (error: unknown) => {
        await connection.run('ROLLBACK').catch(() => {});
        throw error;
      });
      signal?.throwIfAborted();
      await commit(connection, store);
      return result;
    } catch (error) {
      throw loadFailure(error, store.databasePath);
    } finally {
      signal?.removeEventListener('abort', interrupt);
      await staging.remove();
    }
  });
}

/**
 * Commits, and moves what was committed into the tables' own blocks. Where that fails, as it does on a full disk, the
 * engine cannot take the commit back: without the log of writes ahead the file is what it was at the last checkpoint.
 */
async function commit(connection: DuckDBConnection, store: Store): Promise<void> {
  try {
    await connection.run('COMMIT');
    await checkpointLogs(connection);
  } catch (error) {
    await rm(`${store.databasePath}.wal`, { force: true });
    throw error;
  }
}

/** Names that start with an underscore are the store's own. */
function checkSourceName(source: string): void {
  if (source.startsWith('_')) {
    throw new ConfigurationError(
      `the source ${source} needs another name than ${SCHEMAS_TABLE} and the like, one that does not start with _`,
    );
  }
}
