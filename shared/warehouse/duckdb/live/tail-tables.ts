import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableInserter } from '../loading/table-input.ts';
import { repeatedTable } from '../store/layout.ts';
import { inTransaction } from './in-transaction.ts';
import { LIVE_SCHEMA, narrowTailTable, tailTable, tailUnit } from './live-parts.ts';
import { type LiveSnapshot, type LiveView, recordPath } from './live-view.ts';
import { narrowColumns } from './part-columns.ts';
import { FILE_START, type RecordPosition, readRecords } from './record-file.ts';
import { createTail, groupRows, rowsByTable } from './record-tables.ts';
import type { TableShape } from './table-shape.ts';

/** A source's entries of a file of records, with all columns or with few. */
interface Unit {
  readonly source: string;
  readonly file: number;
  readonly shape: TableShape;
  readonly isNarrow: boolean;
}

/** How a unit gets into the tables of one engine. */
interface Tail {
  readonly file: number;
  read: RecordPosition;
  /** By the name that records have for their rows: that of the source, or of its repeated table. */
  readonly tables: ReadonlyMap<string, { readonly name: string; readonly inserter: TableInserter }>;
}

/** The tables in an engine's memory that files of records are read into, those that queries need. */
export class TailTables {
  /** By the name of the unit (`tailUnit`). */
  readonly #tails = new Map<string, Tail>();

  get files(): ReadonlySet<number> {
    return new Set([...this.#tails.values()].map(({ file }) => file));
  }

  /** Whether units have all entries of a view. */
  haveRead(names: Iterable<string>, { positions }: LiveView): boolean {
    const bytes = new Map(positions.map((position) => [position.file, position.bytes]));
    for (const name of names) {
      const tail = this.#tails.get(name);
      if (tail === undefined || tail.read.offset < (bytes.get(tail.file) ?? 0)) return false;
    }
    return true;
  }

  /** Reads on in units up to the positions of a view. In one transaction, so that no query sees a part of a batch. */
  async readOn(connection: DuckDBConnection, view: LiveView, names: ReadonlySet<string>): Promise<void> {
    if (this.haveRead(names, view)) return;
    const { snapshot, positions } = view;
    await this.#create(connection, snapshot, names);
    const read = new Map<Tail, RecordPosition>();
    const inserts: (() => Promise<void>)[] = [];
    for (const { file, bytes } of positions) {
      // Most units of a file have read as far as each other: what they lack is read once.
      for (const tails of Map.groupBy(this.#behind(names, file, bytes), ({ read }) => read.offset).values()) {
        const from = tails[0]?.read;
        const { records, end } = await readRecords(recordPath(snapshot.directory, file), from, bytes);
        if (end.offset < bytes) throw new Error(`records-${file}.log ends before byte ${bytes}`);
        const rows = rowsByTable(records);
        for (const tail of tails) {
          for (const [table, { inserter }] of tail.tables) {
            for (const group of groupRows(inserter, rows.get(table) ?? []))
              inserts.push(() => inserter.insert(group));
          }
          read.set(tail, end);
        }
      }
    }
    const insertAll = async () => {
      for (const insert of inserts) await insert();
    };
    // One statement is a transaction by itself.
    await (inserts.length > 1 ? inTransaction(connection, insertAll) : insertAll());
    for (const [tail, end] of read) tail.read = end;
  }

  /** Drops the tables of a file. */
  async drop(connection: DuckDBConnection, file: number): Promise<void> {
    for (const [unit, tail] of this.#tails) {
      if (tail.file !== file) continue;
      this.#tails.delete(unit);
      for (const { name, inserter } of tail.tables.values()) {
        inserter.destroy();
        await connection.run(`DROP TABLE ${name}`);
      }
    }
  }

  /** Gives up what is prepared. */
  close(): void {
    for (const { tables } of this.#tails.values())
      for (const { inserter } of tables.values()) inserter.destroy();
    this.#tails.clear();
  }

  #behind(names: ReadonlySet<string>, file: number, bytes: number): readonly Tail[] {
    return [...names].flatMap((name) => {
      const tail = this.#tails.get(name);
      return tail?.file === file && tail.read.offset < bytes ? [tail] : [];
    });
  }

  /** Makes the tables of units that have none. */
  async #create(
    connection: DuckDBConnection,
    snapshot: LiveSnapshot,
    names: ReadonlySet<string>,
  ): Promise<void> {
    const missing = unitsOf(snapshot).filter(([name]) => names.has(name) && !this.#tails.has(name));
    if (missing.length === 0) return;
    const made: (readonly [string, Tail])[] = [];
    await inTransaction(connection, async () => {
      await connection.run(`CREATE SCHEMA IF NOT EXISTS ${LIVE_SCHEMA}`);
      for (const [name, unit] of missing) {
        const tables = await createTables(connection, unit);
        made.push([name, { file: unit.file, read: FILE_START, tables }]);
      }
    });
    for (const [name, tail] of made) this.#tails.set(name, tail);
  }
}

/** The units of a snapshot with their names. */
export function unitsOf({ tables }: LiveSnapshot): readonly (readonly [string, Unit])[] {
  return [...tables].flatMap(([source, { tails }]) =>
    tails.flatMap(({ file, shape }) =>
      [false, true].map(
        (isNarrow) => [tailUnit(source, file, isNarrow), { source, file, shape, isNarrow }] as const,
      ),
    ),
  );
}

async function createTables(
  connection: DuckDBConnection,
  { source, file, shape, isNarrow }: Unit,
): Promise<Tail['tables']> {
  if (isNarrow) {
    const name = narrowTailTable(source, file);
    const inserter = await createTail(connection, name, shape, false, narrowColumns(shape));
    return new Map([[source, { name, inserter }]]);
  }
  const tables = new Map<string, { name: string; inserter: TableInserter }>();
  for (const isRepeated of [false, true]) {
    const table = isRepeated ? repeatedTable(source) : source;
    const name = tailTable(table, file);
    tables.set(table, { name, inserter: await createTail(connection, name, shape, isRepeated) });
  }
  return tables;
}
