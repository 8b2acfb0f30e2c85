import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import { LOGS_CATALOG } from './log-tables.ts';
import { readTablesFrom } from './stored-schemas.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts';

/**
 * Who may have the database open. `exclusive`: this process. `shared`: this process until `lock`, from then on it and
 * any number of readers. `read-only`: this process is such a reader.
 */
export type StoreAccess = 'exclusive' | 'shared' | 'read-only';

export interface StoreOptions {
  /**
   * The DuckDB file that keeps the logs. Null keeps nothing: they lie in a file in the temporary folder, because
   * DuckDB lays out tables in memory in row groups too large for fast answers.
   */
  readonly databaseFile: string | null;
  /** `exclusive` without it. */
  readonly access?: StoreAccess;
  /** What DuckDB may use for its cache and for queries; more goes to temporary files where it can. */
  readonly memoryLimitMiB: number;
  /** Without it, as many as the machine has. */
  readonly threads?: number;
  /** The folder that the store makes its own temporary folder in; the system's without it. */
  readonly temporaryParent?: string;
  /** Whether entries may arrive later, in files of `liveDirectory`: the engine then can attach some of them when it is locked. */
  readonly takesEntries?: boolean;
}

/** A DuckDB engine with the log tables attached as `logs.main.<source>`. */
export interface Store {
  readonly databaseFile: string | null;
  /** The file that the logs lie in, the temporary one included. Others may open it once a `shared` store is locked. */
  readonly databasePath: string;
  /** Readable by this user only; it goes away with `close`. */
  readonly temporaryDirectory: string;
  /** The folder beside the database for entries that arrive later. It is made when it is needed. */
  readonly liveDirectory: string;
  /** Where files lie that a locked store may attach; null where there are none. It goes away with `close`. */
  readonly attachDirectory: string | null;
  /** A connection that lives until it is closed or the store is. */
  connect(): Promise<DuckDBConnection>;
  /** Runs `work` with its own connection and closes that connection. */
  use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
  /**
   * From here on nothing outside the log tables and the temporary folder can be read or written, no extension
   * loaded and no setting changed, over any connection. Call it when everything is loaded: it cannot be undone. A
   * `shared` store is opened anew for that and is read-only afterwards; the temporary database of an `exclusive` one
   * loses its name.
   */
  lock(): Promise<void>;
  /** Writes what is pending into the database file, closes all connections and removes the temporary files. */
  close(): Promise<void>;
}

/** The folder in a folder of live entries in which each engine has its own with the files that it has open. */
export const ATTACHED = 'attached';

/** Small row groups let a query skip nearly everything outside its time range, as the tables are sorted by time. */
const ROW_GROUP_SIZE = 16_384;

/** Bytes of a block of a new file. Columns of row groups that small leave less room in such blocks than in DuckDB's own, twice as large. */
const BLOCK_SIZE = 131_072;

/**
 * Opens the engine and the database with the logs. Throws a ConfigurationError when the database file cannot be
 * used: locked by another process, not a DuckDB file, or with other tables than this program makes.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const temporary = await makeTemporaryDirectory(options.temporaryParent ?? tmpdir());
  try {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${options.memoryLimitMiB}MiB`,
      temp_directory: temporary.path,
      preserve_insertion_order: 'true',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      ...(options.threads === undefined ? {} : { threads: String(options.threads) }),
    });
    const file = logsFile(options, temporary.path);
    const attachDirectory =
      options.takesEntries === true ? join(liveDirectoryOf(file), ATTACHED, basename(temporary.path)) : null;
    const store = storeOver(instance, file, temporary, attachDirectory);
    try {
      await store.use(async (connection) => {
        await setUp(connection);
        await attachLogs(connection, file, file.access === 'read-only');
        await readTablesFrom(connection, file.name);
      });
      return store;
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  } catch (error) {
    await temporary.remove();
    throw error;
  }
}

/** The database with the logs. */
interface LogsFile {
  readonly path: string;
  /** As the operator named it. */
  readonly name: string;
  readonly isTemporary: boolean;
  readonly access: StoreAccess;
}

const liveDirectoryOf = ({ path }: LogsFile): string => `${path}.live`;

function logsFile(
  { databaseFile, access = 'exclusive' }: StoreOptions,
  temporaryDirectory: string,
): LogsFile {
  const path = databaseFile === null ? join(temporaryDirectory, 'logs.db') : resolve(databaseFile);
  return { path, name: databaseFile ?? path, isTemporary: databaseFile === null, access };
}

function storeOver(
  instance: DuckDBInstance,
  file: LogsFile,
  temporary: TemporaryDirectory,
  attachDirectory: string | null,
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
  let isWritten = !file.isTemporary && file.access !== 'read-only';
  return {
    databaseFile: file.isTemporary ? null : file.name,
    databasePath: file.path,
    temporaryDirectory: temporary.path,
    liveDirectory: liveDirectoryOf(file),
    attachDirectory,
    connect,
    use,
    lock: () =>
      use(async (connection) => {
        if (file.access === 'shared') {
          await checkpointLogs(connection);
          isWritten = false;
          await connection.run(`DETACH ${quoteIdentifier(LOGS_CATALOG)}`);
          await attachLogs(connection, file, true);
        }
        if (attachDirectory !== null) {
          await connection.run(`SET GLOBAL allowed_directories = [${quoteLiteral(`${attachDirectory}/`)}]`);
        }
        await connection.run('SET GLOBAL allow_community_extensions = false');
        await connection.run('SET GLOBAL enable_external_access = false');
        await connection.run('SET GLOBAL lock_configuration = true');
        // The engine holds the file open; without a name it goes away with the process, even if that is killed.
        if (file.isTemporary && file.access === 'exclusive' && process.platform !== 'win32')
          await rm(file.path);
      }),
    close: async () => {
      try {
        for (const connection of open) connection.closeSync();
        open.clear();
        if (isWritten) await use((connection) => checkpointLogs(connection));
      } finally {
        instance.closeSync();
        if (attachDirectory !== null) await rm(attachDirectory, { recursive: true, force: true });
        await temporary.remove();
      }
    },
  };
}

/** Moves what was committed into its final, compressed form. */
export async function checkpointLogs(connection: DuckDBConnection): Promise<void> {
  await connection.run(`CHECKPOINT ${quoteIdentifier(LOGS_CATALOG)}`);
}

async function setUp(connection: DuckDBConnection): Promise<void> {
  await connection.run("SET GLOBAL TimeZone = 'UTC'");
  // Translated queries bound "newest n" by time themselves; DuckDB's own way, a join by row, goes through all row groups.
  await connection.run('SET GLOBAL late_materialization_max_rows = 0');
}

async function attachLogs(connection: DuckDBConnection, file: LogsFile, isReadOnly: boolean): Promise<void> {
  // A file keeps the size of its blocks, and DuckDB refuses to open it with another one.
  const blocks = existsSync(file.path) ? '' : `, BLOCK_SIZE ${BLOCK_SIZE}`;
  const options = isReadOnly
    ? 'READ_ONLY'
    : `STORAGE_VERSION 'latest', ROW_GROUP_SIZE ${ROW_GROUP_SIZE}${blocks}`;
  try {
    await connection.run(
      `ATTACH ${quoteLiteral(file.path)} AS ${quoteIdentifier(LOGS_CATALOG)} (${options})`,
    );
  } catch (error) {
    throw new ConfigurationError(`${file.name}: ${attachProblem(error)}`);
  }
}

/** DuckDB distinguishes its refusals by their text only. */
const ATTACH_PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/could not set lock/i, 'another process has this database open; stop that one or name another file'],
  [/no space left on device|disk quota exceeded|file too large/i, 'the disk is full; free some space'],
  [/is a directory/i, 'it is a folder; name a file'],
  [/no such file or directory/i, 'the folder that it lies in does not exist; make it first'],
  [/read-only file system/i, 'its file system is read-only; name a file on another one'],
  [/permission denied/i, 'it may not be read and written; change its permissions'],
  [/not a valid duckdb database/i, 'it is not a DuckDB database; name another file'],
  [/version/i, 'another version of DuckDB wrote it; name another file'],
];

function attachProblem(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const known = ATTACH_PROBLEMS.find(([pattern]) => pattern.test(text));
  return known?.[1] ?? 'it cannot be opened as a DuckDB database; name another file';
}
