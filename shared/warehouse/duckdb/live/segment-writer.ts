import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { defineFunctions } from '../install-functions.ts';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import { repeatedTable } from '../store/layout.ts';
import { tableName } from '../store/log-tables.ts';
import { publishFile } from './durable-files.ts';
import { inTransaction } from './in-transaction.ts';
import { segmentCatalog } from './live-parts.ts';
import { recordPath } from './live-view.ts';
import type { Segment, SegmentTable } from './manifest.ts';
import { type PartTable, partTable } from './part-table.ts';
import { FILE_START, readRecords } from './record-file.ts';
import { createTail, insertRows, rowsByTable } from './record-tables.ts';
import { partsBySource, type SourceParts, writeSource } from './segment-tables.ts';
import type { TableShape } from './table-shape.ts';

export interface SegmentWriterOptions {
  /** Where files of records and segments lie. */
  readonly directory: string;
  /** Where sorting may spill. */
  readonly temporaryDirectory: string;
}

/** Sorting more than that goes to temporary files. */
const MEMORY_LIMIT_MIB = 512;
const ROW_GROUP_SIZE = 16_384;

/** Writes segments with an engine of its own, which no query uses. One call at a time. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  #instance: DuckDBInstance | null = null;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
  }

  /** Writes the entries of a file of records, `bytes` from its start, into a segment. */
  async seal(
    records: {
      readonly file: number;
      readonly bytes: number;
      readonly shapes: ReadonlyMap<string, TableShape>;
    },
    segmentNumber: number,
  ): Promise<Segment> {
    return this.#use(async (connection) => {
      const path = recordPath(this.#options.directory, records.file);
      const read = await readRecords(path, FILE_START, records.bytes);
      if (read.end.offset < records.bytes) throw new Error(`${path} ends before byte ${records.bytes}`);
      const rows = rowsByTable(read.records);
      const sources: SourceParts[] = [];
      for (const [source, shape] of records.shapes) {
        const parts: PartTable[] = [];
        const names = {
          own: tableName(source, 'memory'),
          beside: tableName(repeatedTable(source), 'memory'),
        };
        for (const isRepeated of [false, true]) {
          const table = isRepeated ? repeatedTable(source) : source;
          const packed = rows.get(table);
          if (packed === undefined) continue;
          const part = partTable(names, shape, isRepeated);
          const inserter = await createTail(connection, part.name, shape, isRepeated);
          await insertRows(inserter, packed);
          inserter.destroy();
          parts.push(part);
        }
        if (parts.length > 0) sources.push({ source, shape, parts });
      }
      const segment = await this.#write(connection, sources, segmentNumber, null);
      for (const { parts } of sources)
        for (const { name } of parts) await connection.run(`DROP TABLE ${name}`);
      return segment;
    });
  }

  /** Writes the entries of segments into one, those before `oldestMicros` left out. */
  async merge(
    segments: readonly Segment[],
    segmentNumber: number,
    oldestMicros: bigint | null,
  ): Promise<Segment> {
    return this.#use(async (connection) => {
      const attached: string[] = [];
      try {
        for (const { file } of segments) {
          const catalog = segmentCatalog(file);
          const path = join(this.#options.directory, file);
          await connection.run(`ATTACH ${quoteLiteral(path)} AS ${quoteIdentifier(catalog)} (READ_ONLY)`);
          attached.push(catalog);
        }
        return await this.#write(connection, partsBySource(segments), segmentNumber, oldestMicros);
      } finally {
        for (const catalog of attached) await connection.run(`DETACH ${quoteIdentifier(catalog)}`);
      }
    });
  }

  async close(): Promise<void> {
    this.#instance?.closeSync();
    this.#instance = null;
  }

  async #write(
    connection: DuckDBConnection,
    sources: readonly SourceParts[],
    segmentNumber: number,
    oldestMicros: bigint | null,
  ): Promise<Segment> {
    const file = `segment-${segmentNumber}.db`;
    const path = join(this.#options.directory, file);
    const temporary = `${path}.tmp`;
    const catalog = 'new_segment';
    await removeDatabase(temporary);
    try {
      await connection.run(
        `ATTACH ${quoteLiteral(temporary)} AS ${catalog} (STORAGE_VERSION 'latest', ROW_GROUP_SIZE ${ROW_GROUP_SIZE})`,
      );
      const tables: SegmentTable[] = [];
      try {
        await inTransaction(connection, async () => {
          for (const one of sources) tables.push(await writeSource(connection, one, catalog, oldestMicros));
        });
        await connection.run(`CHECKPOINT ${catalog}`);
      } finally {
        await connection.run(`DETACH ${catalog}`);
      }
      // Nothing changes a segment, and no program needs to be able to.
      await chmod(temporary, 0o400);
      await publishFile(temporary, path);
      return { file, tables: tables.filter(({ rows }) => rows > 0) };
    } catch (error) {
      await removeDatabase(temporary);
      throw error;
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
      await this.close();
      throw error;
    } finally {
      connection.closeSync();
    }
  }

  async #open(): Promise<DuckDBInstance> {
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: `${MEMORY_LIMIT_MIB}MiB`,
      threads: '1',
      temp_directory: this.#options.temporaryDirectory,
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

async function removeDatabase(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(`${path}.wal`, { force: true });
}
