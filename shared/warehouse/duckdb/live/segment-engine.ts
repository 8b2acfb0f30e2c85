import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { defineFunctions } from '../install-functions.ts';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import { segmentCatalog } from './live-parts.ts';
import { recordPath } from './live-view.ts';
import type { SegmentTable } from './manifest.ts';
import { mergedSources } from './merge-segments.ts';
import { FILE_START, readRecords } from './record-file.ts';
import { sealedSources } from './seal-records.ts';
import type { SealedRecords, SegmentContent, SegmentFolders } from './segment-messages.ts';
import { type SegmentSource, writeSource } from './segment-tables.ts';

/** Sorting more than that goes to temporary files. */
const MEMORY_LIMIT_MIB = 512;
const ROW_GROUP_SIZE = 16_384;
/** The segment that is written. */
const CATALOG = 'new_segment';

/** Writes segments with an engine that no query uses. One at a time. */
export class SegmentEngine {
  readonly #folders: SegmentFolders;
  #instance: DuckDBInstance | null = null;

  constructor(folders: SegmentFolders) {
    this.#folders = folders;
  }

  /** Writes a segment into a new file at `path`; answers its tables that have entries. */
  async write(content: SegmentContent, path: string): Promise<SegmentTable[]> {
    return this.#use((connection) =>
      content.kind === 'seal'
        ? this.#seal(connection, content.records, path)
        : this.#merge(connection, content, path),
    );
  }

  async #seal(
    connection: DuckDBConnection,
    { file, bytes, shapes }: SealedRecords,
    path: string,
  ): Promise<SegmentTable[]> {
    const from = recordPath(this.#folders.directory, file);
    const { records, end } = await readRecords(from, FILE_START, bytes);
    if (end.offset < bytes) throw new Error(`${from} ends before byte ${bytes}`);
    return writeTables(connection, sealedSources(connection, records, shapes), path);
  }

  async #merge(
    connection: DuckDBConnection,
    { segments, oldestMicros }: Extract<SegmentContent, { readonly kind: 'merge' }>,
    path: string,
  ): Promise<SegmentTable[]> {
    const attached: string[] = [];
    try {
      for (const { file } of segments) {
        const catalog = segmentCatalog(file);
        const from = quoteLiteral(join(this.#folders.directory, file));
        await connection.run(`ATTACH ${from} AS ${quoteIdentifier(catalog)} (READ_ONLY)`);
        attached.push(catalog);
      }
      return await writeTables(connection, mergedSources(connection, segments, oldestMicros), path);
    } finally {
      for (const catalog of attached) await connection.run(`DETACH ${quoteIdentifier(catalog)}`);
    }
  }

  async #use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    this.#instance ??= await this.#open();
    const connection = await this.#instance.connect();
    try {
      return await work(connection);
    } catch (error) {
      // What is left of tables and attached files goes with the engine.
      connection.closeSync();
      this.#instance.closeSync();
      this.#instance = null;
      throw error;
    } finally {
      connection.closeSync();
    }
  }

  async #open(): Promise<DuckDBInstance> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${MEMORY_LIMIT_MIB}MiB`,
      threads: '1',
      temp_directory: this.#folders.temporaryDirectory,
      preserve_insertion_order: 'true',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const connection = await instance.connect();
    await connection.run("SET GLOBAL TimeZone = 'UTC'");
    await defineFunctions(connection);
    connection.closeSync();
    return instance;
  }
}

async function writeTables(
  connection: DuckDBConnection,
  sources: readonly SegmentSource[],
  path: string,
): Promise<SegmentTable[]> {
  try {
    await connection.run(
      `ATTACH ${quoteLiteral(path)} AS ${CATALOG} (STORAGE_VERSION 'latest', ROW_GROUP_SIZE ${ROW_GROUP_SIZE})`,
    );
    const tables: SegmentTable[] = [];
    try {
      // No transaction: one may write into one database only, and what fails is removed as a whole.
      for (const source of sources) tables.push(await writeSource(connection, source, CATALOG));
      await connection.run(`CHECKPOINT ${CATALOG}`);
    } finally {
      await connection.run(`DETACH ${CATALOG}`);
    }
    // Nothing changes a segment, and no program needs to be able to.
    await chmod(path, 0o400);
    return tables.filter(({ rows }) => rows > 0);
  } catch (error) {
    await removeDatabase(path);
    throw error;
  }
}

/** Removes a database that was written in part. */
export async function removeDatabase(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.wal`, { force: true });
}
