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
import { makeElementTables } from './element-tables.ts';
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
  let repeated: OpenInput | null = null;
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
      await repeated.finish(sorted);
      const neverTwice = recordsNeverTwice(tree.root);
      const only = onlyRepeated(tree.root);
      const elements = await makeElementTables(connection, {
        source,
        schema,
        layout: { flat, flatRepeated: neverTwice },
        records: repeatedAlone(tree.root),
      });
      return {
        ...(only === null ? {} : { onlyRepeated: only }),
        // Of several such records, one may be in the source's own table where another is beside it.
        flat: await readPresence(connection, source, flat, only === null ? flat : neverTwice),
        hasRepeated: true,
        flatRepeated: await readPresence(connection, repeatedTable(source), neverTwice),
        ...(elements.size === 0 ? {} : { elements }),
      };
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
    await connection.run(`INSERT INTO ${target} SELECT * FROM ${from} ORDER BY ${orderOf(options)}`);
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

async function openRepeated(
  options: TableSinkOptions,
  schema: TableSchema,
  flat: TableLayout['flat'],
): Promise<OpenInput> {
  const { connection, staging, source, tree } = options;
  const name = repeatedTable(source);
  const input = tableInput(repeatedColumns(schema, { flat }), tree);
  const { name: table, connection: writer } = await staging.createTable(name, input.columns);
  return {
    inserter: new TableInserter(writer, table, input),
    finish: async () => {
      const columns = repeatedColumns(schema, { flat, flatRepeated: recordsNeverTwice(tree.root) });
      const target = tableName(name);
      await createTable(connection, target, columns);
      const values = columns.map((column) => columnOfLists(schema, column)).join(', ');
      await connection.run(
        `INSERT INTO ${target} SELECT ${values} FROM ${table} ORDER BY ${orderOf(options)}`,
      );
    },
  };
}

/** The order of a source's tables. */
function orderOf({ tree }: TableSinkOptions): string {
  const hasId = tree.root.columns.some(({ name, record, repeated }) => name === 'id' && !record && !repeated);
  return [TIME_COLUMN, ...(hasId ? ['id'] : [])].map(quoteIdentifier).join(', ');
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
