import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableSchema } from '../../../schema/table-schema.ts';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { quoteIdentifier } from '../quote.ts';
import {
  isTableBeside,
  physicalColumns,
  repeatedColumns,
  repeatedTable,
  type TableLayout,
} from '../store/layout.ts';
import { createTable, listTables, tableName } from '../store/log-tables.ts';
import { columnOfLists } from './column-of-lists.ts';
import {
  type ColumnTree,
  flatRecords,
  onlyRepeated,
  recordsNeverTwice,
  repeatedAlone,
  treeSchema,
} from './column-tree.ts';
import { makeTablesBeside } from './element-tables.ts';
import type { PackedRows } from './packed-columns.ts';
import { readPresence } from './presence.ts';
import type { Staging } from './staging.ts';
import { type TableInput, TableInserter, tableInput } from './table-input.ts';

export interface TableSinkOptions {
  /** In a transaction, in which the source's tables are made anew. */
  readonly connection: DuckDBConnection;
  readonly staging: Staging;
  readonly source: string;
  /** Does not change as long as entries are taken. */
  readonly tree: ColumnTree;
  /** Whether the entries come in order of time, as far as is known at the start. */
  readonly sorted: boolean;
}

/** Takes a source's entries into its tables. */
export interface TableSink {
  /**
   * Takes rows of entries, all repeated or none. Resolves when there is room for more, which is before these are
   * in the table; an error of theirs comes from a later call.
   */
  insert(rows: PackedRows, areRepeated: boolean): Promise<void>;
  /** Puts the tables into their final order. */
  finish(sorted: boolean): Promise<TableLayout>;
  /** Waits for what is under way, whatever comes of it. */
  settle(): Promise<void>;
}

/**
 * Entries in order go straight into the table, others into the staging database and sorted from there. Those with a
 * record twice wait there as well, until it is known which records none of them has twice.
 */
export async function openTableSink(options: TableSinkOptions): Promise<TableSink> {
  const { connection, source, tree } = options;
  const flat = flatRecords(tree.root);
  const schema = treeSchema(tree.root);
  for (const table of await listTables(connection)) {
    if (isTableBeside(table, source)) await connection.run(`DROP TABLE ${tableName(table)}`);
  }
  const inserts = oneAtATime();
  const main = await openMain(options, tableInput(physicalColumns(schema, { flat }), tree));
  let repeated: OpenRepeated | null = null;
  return {
    insert: async (rows, areRepeated) => {
      await inserts.finish();
      if (areRepeated) repeated ??= await openRepeated(options, schema, flat);
      inserts.start((areRepeated && repeated !== null ? repeated : main).inserter, rows);
    },
    settle: inserts.settle,
    finish: async (sorted) => {
      await inserts.finish();
      await main.finish(sorted);
      if (repeated === null) {
        return { flat: await readPresence(connection, source, flat), hasRepeated: false };
      }
      const neverTwice = recordsNeverTwice(tree.root);
      const only = onlyRepeated(tree.root);
      const layout = { flat, flatRepeated: neverTwice };
      const values = repeatedColumns(schema, layout).map(
        (column) => `${columnOfLists(schema, column)} AS ${quoteIdentifier(column.name)}`,
      );
      const beside = await makeTablesBeside(connection, {
        source,
        schema,
        layout,
        records: repeatedAlone(tree.root),
        only,
        rows: `(SELECT ${values.join(', ')} FROM ${repeated.table})`,
        order: sorted ? [] : orderOf(options),
      });
      // Of several such records, one may be in the source's own table where another is beside it.
      const inMain = await readPresence(connection, source, flat, only === null ? flat : neverTwice);
      return { ...beside, flat: inMain };
    },
  };
}

interface OpenInput {
  readonly inserter: TableInserter;
  finish(sorted: boolean): Promise<void>;
}

async function openMain(options: TableSinkOptions, input: TableInput): Promise<OpenInput> {
  const { connection, staging, source, sorted: wasSorted } = options;
  const target = tableName(source);
  const { name: table, connection: writer } = wasSorted
    ? { name: target, connection }
    : await staging.createTable(source, input.columns);
  if (wasSorted) await createTable(connection, target, input.columns);
  const sortFrom = async (from: string) => {
    await createTable(connection, target, input.columns);
    await connection.run(
      `INSERT INTO ${target} SELECT * FROM ${from} ORDER BY ${orderOf(options).join(', ')}`,
    );
  };
  return {
    inserter: new TableInserter(writer, table, input),
    finish: async (sorted) => {
      if (!wasSorted) return sortFrom(table);
      if (sorted) return;
      const unsorted = `_unsorted_${source}`;
      await connection.run(`ALTER TABLE ${target} RENAME TO ${quoteIdentifier(unsorted)}`);
      await sortFrom(tableName(unsorted));
      await connection.run(`DROP TABLE ${tableName(unsorted)}`);
    },
  };
}

/** Entries with a record twice, which wait in a table where no record is flat yet. */
interface OpenRepeated {
  readonly inserter: TableInserter;
  /** Its full name. */
  readonly table: string;
}

async function openRepeated(
  { staging, source, tree }: TableSinkOptions,
  schema: TableSchema,
  flat: TableLayout['flat'],
): Promise<OpenRepeated> {
  const input = tableInput(repeatedColumns(schema, { flat }), tree);
  const { name: table, connection: writer } = await staging.createTable(repeatedTable(source), input.columns);
  return { inserter: new TableInserter(writer, table, input), table };
}

/** The order of a source's tables. */
function orderOf({ tree }: TableSinkOptions): readonly string[] {
  const hasId = tree.root.columns.some(({ name, record, repeated }) => name === 'id' && !record && !repeated);
  return [TIME_COLUMN, ...(hasId ? ['id'] : [])].map(quoteIdentifier);
}

/** While DuckDB inserts a batch on its own thread, the next one can be written here; `finish` it before the next `start`. */
function oneAtATime() {
  let running: Promise<{ error?: unknown }> = Promise.resolve({});
  const finish = async () => {
    const { error } = await running;
    if (error !== undefined) throw error;
  };
  return {
    finish,
    start: (inserter: TableInserter, rows: PackedRows) => {
      running = inserter.insert(rows).then(
        () => ({}),
        (error: unknown) => ({ error }),
      );
    },
    settle: async () => {
      await running;
    },
  };
}
