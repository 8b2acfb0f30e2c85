import { link, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { joinPlainRows, type PackedRows } from '../loading/packed-columns.ts';
import { TableInserter, tableInput } from '../loading/table-input.ts';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import { repeatedTable } from '../store/layout.ts';
import type { Store } from '../store/open-store.ts';
import { decodeRecord } from './entry-records.ts';
import { type LiveSnapshot, type LiveTable, type LiveView, NOTHING_LIVE, recordPath } from './live-view.ts';
import { shapeColumns } from './part-columns.ts';
import { FILE_START, type RecordPosition, readRecords } from './record-file.ts';
import { type TableShape, treeOf } from './table-shape.ts';
import { LIVE_SCHEMA, segmentCatalog, tailTable, unionViews } from './union-views.ts';

/** How a file of records gets into the tables of one engine. */
interface Tail {
  read: RecordPosition;
  /** By the name of the source, or of its repeated table. */
  readonly inserts: Map<string, TableInserter>;
}

/**
 * Makes a locked store's engine see entries that arrived after the store was loaded: it attaches segments, reads what is
 * new in the files of records into tables in memory, and puts views over all parts of a source.
 */
export class LiveReader {
  readonly #store: Store;
  readonly #listeners: (() => void)[] = [];
  #connection: DuckDBConnection | null = null;
  #snapshot: LiveSnapshot = NOTHING_LIVE;
  readonly #attached = new Set<string>();
  readonly #tails = new Map<number, Tail>();
  /** What each source's views were made of, and the statement that made each view. */
  readonly #made = new Map<string, string>();
  readonly #views = new Map<string, string>();
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Calls `listener` whenever statements that were prepared before may not see all entries. */
  onNewViews(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Resolves when queries see all of a view, which has to be held meanwhile. They may see more. */
  async see(view: LiveView): Promise<void> {
    if (this.#hasSeen(view)) return;
    const turn = this.#last.then(() => this.#advance(view));
    this.#last = turn.catch(() => {});
    await turn;
  }

  /** Waits until nothing is read any more; before the store is closed, whose connections may not be in use then. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    for (const { inserts } of this.#tails.values())
      for (const inserter of inserts.values()) inserter.destroy();
    this.#tails.clear();
  }

  #hasSeen({ snapshot, positions }: LiveView): boolean {
    if (snapshot.version < this.#snapshot.version) return positions.every((one) => this.#isRead(one));
    return snapshot.version === this.#snapshot.version && positions.every((one) => this.#isRead(one));
  }

  /** A file that is not known any more was read to its end, and is in a segment now. */
  #isRead({ file, bytes }: LiveView['positions'][number]): boolean {
    const tail = this.#tails.get(file);
    return tail === undefined || tail.read.offset >= bytes;
  }

  async #advance(view: LiveView): Promise<void> {
    if (this.#hasSeen(view)) return;
    if (this.#isClosed) throw new TypeError('live entries are read after the end');
    this.#connection ??= await this.#store.connect();
    if (view.snapshot.version > this.#snapshot.version) await this.#apply(this.#connection, view.snapshot);
    await this.#readTails(this.#connection, view);
  }

  async #apply(connection: DuckDBConnection, snapshot: LiveSnapshot): Promise<void> {
    const segments = new Set(
      [...snapshot.tables.values()].flatMap((table) => table.segments.map(({ file }) => file)),
    );
    for (const file of segments)
      if (!this.#attached.has(file)) await this.#attach(connection, snapshot, file);
    const files = new Set(
      [...snapshot.tables.values()].flatMap(({ tails }) => tails.map(({ file }) => file)),
    );
    const gone = [...this.#tails.keys()].filter((file) => !files.has(file));
    const made = new Map<string, string>();
    const views = new Map<string, string>();
    await inTransaction(connection, async () => {
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${LIVE_SCHEMA}`);
      for (const [source, table] of snapshot.tables) {
        const key = keyOf(table, snapshot.oldestMicros);
        if (this.#made.get(source) === key) continue;
        await this.#createTails(connection, source, table);
        for (const [name, view] of unionViews(source, table, snapshot.oldestMicros)) {
          if (this.#views.get(name) === view) continue;
          await connection.run(view);
          views.set(name, view);
        }
        made.set(source, key);
      }
      for (const file of gone) {
        for (const table of this.#tails.get(file)?.inserts.keys() ?? [])
          await connection.run(`DROP TABLE ${tailTable(table, file)}`);
      }
    });
    for (const [source, key] of made) this.#made.set(source, key);
    for (const [name, view] of views) this.#views.set(name, view);
    for (const file of gone) {
      for (const inserter of this.#tails.get(file)?.inserts.values() ?? []) inserter.destroy();
      this.#tails.delete(file);
    }
    this.#snapshot = snapshot;
    for (const listener of this.#listeners) listener();
    for (const file of this.#attached) if (!segments.has(file)) await this.#detach(connection, file);
  }

  /** The engine is locked and opens files in its own folder only, so that is where a segment has another name. */
  async #attach(connection: DuckDBConnection, { directory }: LiveSnapshot, file: string): Promise<void> {
    const folder = this.#store.attachDirectory;
    if (folder === null) throw new TypeError('the store was opened without a place for segments');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = join(folder, file);
    await rm(name, { force: true });
    await link(join(directory, file), name);
    await connection.run(
      `ATTACH ${quoteLiteral(name)} AS ${quoteIdentifier(segmentCatalog(file))} (READ_ONLY)`,
    );
    this.#attached.add(file);
  }

  async #detach(connection: DuckDBConnection, file: string): Promise<void> {
    this.#attached.delete(file);
    await connection.run(`DETACH ${quoteIdentifier(segmentCatalog(file))}`);
    await rm(join(this.#store.attachDirectory ?? '', file), { force: true });
  }

  async #createTails(connection: DuckDBConnection, source: string, { tails }: LiveTable): Promise<void> {
    for (const { file, shape } of tails) {
      const tail = this.#tails.get(file) ?? { read: FILE_START, inserts: new Map() };
      this.#tails.set(file, tail);
      for (const isRepeated of [false, true]) {
        const table = isRepeated ? repeatedTable(source) : source;
        if (tail.inserts.has(table)) continue;
        tail.inserts.set(table, await createTail(connection, tailTable(table, file), shape, isRepeated));
      }
    }
  }

  /** In one transaction, so that no query sees a part of a batch. */
  async #readTails(connection: DuckDBConnection, { snapshot, positions }: LiveView): Promise<void> {
    const read = new Map<Tail, RecordPosition>();
    await inTransaction(connection, async () => {
      for (const { file, bytes } of positions) {
        const tail = this.#tails.get(file);
        if (tail === undefined || tail.read.offset >= bytes) continue;
        const { records, end } = await readRecords(recordPath(snapshot.directory, file), tail.read, bytes);
        if (end.offset < bytes) throw new Error(`records-${file}.log ends before byte ${bytes}`);
        for (const [table, rows] of rowsByTable(records)) {
          const inserter = tail.inserts.get(table);
          if (inserter === undefined) throw new TypeError(`${table} has no table for live entries`);
          await insertRows(inserter, rows);
        }
        read.set(tail, end);
      }
    });
    for (const [tail, end] of read) tail.read = end;
  }
}

/** The rows in records by the table that they go to. */
export function rowsByTable(records: readonly Buffer[]): ReadonlyMap<string, readonly PackedRows[]> {
  const rows = new Map<string, PackedRows[]>();
  const add = (table: string, packed: PackedRows | null) => {
    if (packed === null) return;
    const known = rows.get(table);
    if (known === undefined) rows.set(table, [packed]);
    else known.push(packed);
  };
  for (const bytes of records) {
    const record = decodeRecord(bytes);
    if (record.kind !== 'batch') continue;
    add(record.source, record.rows);
    add(repeatedTable(record.source), record.repeated);
  }
  return rows;
}

/** Rows that DuckDB takes at once: enough to make a statement's cost small. */
const ROWS_AT_ONCE = 4_096;

/** Puts packed rows into a table, many at once. */
export async function insertRows(inserter: TableInserter, all: readonly PackedRows[]): Promise<void> {
  let plain: PackedRows[] = [];
  let count = 0;
  const flush = async () => {
    if (plain.length > 0) await inserter.insert(joinPlainRows(plain));
    plain = [];
    count = 0;
  };
  for (const rows of all) {
    if (rows.form === 'json') {
      await flush();
      await inserter.insert(rows);
      continue;
    }
    plain.push(rows);
    count += rows.count;
    if (count >= ROWS_AT_ONCE) await flush();
  }
  await flush();
}

/** Makes a table for rows as they are in records, and answers what puts them into it. */
export async function createTail(
  connection: DuckDBConnection,
  table: string,
  shape: TableShape,
  isRepeated: boolean,
): Promise<TableInserter> {
  const columns = shapeColumns(shape, isRepeated);
  const definitions = columns.map(({ name, type }) => `${quoteIdentifier(name)} ${type}`);
  await connection.run(`CREATE TABLE ${table} (${definitions.join(', ')})`);
  return new TableInserter(connection, table, tableInput(columns, treeOf(shape)));
}

export async function inTransaction(connection: DuckDBConnection, work: () => Promise<void>): Promise<void> {
  await connection.run('BEGIN TRANSACTION');
  try {
    await work();
    await connection.run('COMMIT');
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {});
    throw error;
  }
}

function keyOf(table: LiveTable, oldestMicros: bigint | null): string {
  return `${oldestMicros} ${JSON.stringify(table)}`;
}
