import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import { LOGS_CATALOG } from './log-tables.ts';
import { readSchemasFrom } from './stored-schemas.ts';

export interface StoreOptions {
  /**
   * The DuckDB file that keeps the logs. Null keeps nothing: they lie in a file in the temporary folder, because
   * DuckDB lays out tables in memory in row groups too large for fast answers.
   */
  readonly databaseFile: string | null;
  /** What DuckDB may use for its cache and for queries; more goes to temporary files where it can. */
  readonly memoryLimitMiB: number;
  /** Without it, as many as the machine has. */
  readonly threads?: number;
  /** The folder that the store makes its own temporary folder in; the system's without it. */
  readonly temporaryParent?: string;
}

/** A DuckDB engine with the log tables attached as `logs.main.<source>`. */
export interface Store {
  readonly databaseFile: string | null;
  /** Readable by this user only; it goes away with `close`. */
  readonly temporaryDirectory: string;
  /** A connection that lives until it is closed or the store is. */
  connect(): Promise<DuckDBConnection>;
  /** Runs `work` with a connection of its own and closes that connection. */
  use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /**
   * From here on nothing outside the log tables and the temporary folder can be read or written, no extension
   * loaded and no setting changed, over any connection. Call it when everything is loaded: it cannot be undone.
   */
  lock(): Promise<void>;
  /** Writes what is pending into the database file, closes all connections and removes the temporary files. */
  close(): Promise<void>;
}

/** Small row groups let a query skip nearly everything outside its time range, as the tables are sorted by time. */
const ROW_GROUP_SIZE = 16_384;

/** Up to this LIMIT, "newest n" finds the rows by time first and reads their nested columns only then. */
const LATE_MATERIALIZATION_ROWS = 2_000;

/**
 * Opens the engine and the database with the logs. Throws a ConfigurationError when the database file cannot be
 * used: locked by another process, not a DuckDB file, or with other tables than this program makes.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const temporaryDirectory = await mkdtemp(join(options.temporaryParent ?? tmpdir(), 'lqe-'));
  const removeTemporary = () => rm(temporaryDirectory, { recursive: true, force: true });
  try {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${options.memoryLimitMiB}MiB`,
      temp_directory: temporaryDirectory,
      preserve_insertion_order: 'true',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
    });
    const store = storeOver(instance, options.databaseFile, temporaryDirectory, removeTemporary);
    try {
      await store.use((connection) => attachLogs(connection, options.databaseFile, temporaryDirectory));
      return store;
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  } catch (error) {
    await removeTemporary();
    throw error;
  }
}

function storeOver(
  instance: DuckDBInstance,
  databaseFile: string | null,
  temporaryDirectory: string,
  removeTemporary: () => Promise<void>,
): Store {
  const open = new Set<DuckDBConnection>();
  const connect = async () => {
    const connection = await instance.connect();
    open.add(connection);
    return connection;
  };
  const use = async <T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> => {
    const connection = await connect();
    try {
      return await work(connection);
    } finally {
      open.delete(connection);
      connection.closeSync();
    }
  };
  return {
    databaseFile,
    temporaryDirectory,
    connect,
    use,
    lock: () =>
      use(async (connection) => {
        await connection.run('SET GLOBAL allow_community_extensions = false');
        await connection.run('SET GLOBAL enable_external_access = false');
        await connection.run('SET GLOBAL lock_configuration = true');
        // The engine holds the file open; without a name it goes away with the process, even if that is killed.
        if (databaseFile === null && process.platform !== 'win32')
          await rm(temporaryDatabase(temporaryDirectory));
      }),
    close: async () => {
      try {
        for (const connection of open) connection.closeSync();
        open.clear();
        if (databaseFile !== null) await use((connection) => checkpointLogs(connection));
      } finally {
        instance.closeSync();
        await removeTemporary();
      }
    },
  };
}

/** Moves what was committed into its final, compressed form. */
export async function checkpointLogs(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CHECKPOINT ${quoteIdentifier(LOGS_CATALOG)}`);
}

async function attachLogs(
  connection: DuckDBConnection,
  databaseFile: string | null,
  temporaryDirectory: string,
): Promise<void> {
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  await connection.run(`SET GLOBAL late_materialization_max_rows = ${LATE_MATERIALIZATION_ROWS}`);
  const path = databaseFile === null ? temporaryDatabase(temporaryDirectory) : resolve(databaseFile);
  try {
    await connection.run(
      `ATTACH ${quoteLiteral(path)} AS ${quoteIdentifier(LOGS_CATALOG)} (STORAGE_VERSION 'latest', ROW_GROUP_SIZE ${ROW_GROUP_SIZE})`,
    );
  } catch (error) {
    throw new ConfigurationError(`${databaseFile ?? path}: ${attachProblem(error)}`);
  }
  await readSchemasFrom(connection, databaseFile ?? path);
}

function temporaryDatabase(temporaryDirectory: string): string {
  return join(temporaryDirectory, 'logs.db');
}

/** DuckDB tells its refusals apart by their text only. */
const ATTACH_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/could not set lock/i, 'another process has this database open; stop that one or name another file'],
  [/is a directory/i, 'it is a folder; name a file'],
  [/no such file or directory/i, 'the folder that it lies in does not exist; make it first'],
  [/permission denied|read-only file system/i, 'it may not be read and written; change its permissions'],
  [/not a valid duckdb database/i, 'it is not a DuckDB database; name another file'],
  [/version/i, 'another version of DuckDB wrote it; name another file'],
];

function attachProblem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const known = ATTACH_PROBLEMS.find(([pattern]) => pattern.test(text));
  return known?.[1] ?? 'it cannot be opened as a DuckDB database; name another file';
}
