import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableInserter } from '../loading/table-input.ts';
import { repeatedTable } from '../store/layout.ts';
import { inTransaction } from './in-transaction.ts';
import { LIVE_SCHEMA, tailTable } from './live-parts.ts';
import { type LiveSnapshot, type LiveView, recordPath } from './live-view.ts';
import { FILE_START, type RecordPosition, readRecords } from './record-file.ts';
import { createTail, insertRows, rowsByTable } from './record-tables.ts';

/** How a file of records gets into the tables of one engine. */
interface Tail {
  read: RecordPosition;
  /** By the name of the source, or of its repeated table. */
  readonly inserters: Map<string, TableInserter>;
}

/** The tables in an engine's memory that files of records are read into. */
export class TailTables {
  readonly #tails = new Map<number, Tail>();

  get files(): Iterable<number> {
    return this.#tails.keys();
  }

  /** Whether a file was read so far. One that has no tables has nothing to read. */
  hasRead(file: number, bytes: number): boolean {
    const tail = this.#tails.get(file);
    return tail === undefined || tail.read.offset >= bytes;
  }

  /** Makes the tables for the files of a snapshot that have none. */
  async create(connection: DuckDBConnection, { tables }: LiveSnapshot): Promise<void> {
    const made: { readonly file: number; readonly table: string; readonly inserter: TableInserter }[] = [];
    await inTransaction(connection, async () => {
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${LIVE_SCHEMA}`);
      for (const [source, { tails }] of tables) {
        for (const { file, shape } of tails) {
          for (const isRepeated of [false, true]) {
            const table = isRepeated ? repeatedTable(source) : source;
            if (this.#tails.get(file)?.inserters.has(table)) continue;
            const inserter = await createTail(connection, tailTable(table, file), shape, isRepeated);
            made.push({ file, table, inserter });
          }
        }
      }
    });
    for (const { file, table, inserter } of made) {
      const tail = this.#tails.get(file) ?? { read: FILE_START, inserters: new Map() };
      tail.inserters.set(table, inserter);
      this.#tails.set(file, tail);
    }
  }

  /** Reads on, up to the positions of a view. In one transaction, so that no query sees a part of a batch. */
  async readOn(connection: DuckDBConnection, { snapshot, positions }: LiveView): Promise<void> {
    const behind = positions.filter(({ file, bytes }) => !this.hasRead(file, bytes));
    if (behind.length === 0) return;
    const read = new Map<Tail, RecordPosition>();
    await inTransaction(connection, async () => {
      for (const { file, bytes } of behind) {
        const tail = this.#tails.get(file);
        if (tail === undefined) continue;
        const { records, end } = await readRecords(recordPath(snapshot.directory, file), tail.read, bytes);
        if (end.offset < bytes) throw new Error(`records-${file}.log ends before byte ${bytes}`);
        for (const [table, rows] of rowsByTable(records)) {
          const inserter = tail.inserters.get(table);
          if (inserter === undefined) throw new TypeError(`${table} has no table for live entries`);
          await insertRows(inserter, rows);
        }
        read.set(tail, end);
      }
    });
    for (const [tail, end] of read) tail.read = end;
  }

  async drop(connection: DuckDBConnection, file: number): Promise<void> {
    const tail = this.#tails.get(file);
    this.#tails.delete(file);
    for (const [table, inserter] of tail?.inserters ?? []) {
      inserter.destroy();
      await connection.run(`DROP TABLE ${tailTable(table, file)}`);
    }
  }

  /** Gives up what is prepared. */
  close(): void {
    for (const { inserters } of this.#tails.values())
      for (const inserter of inserters.values()) inserter.destroy();
    this.#tails.clear();
  }
}
