import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { FieldSchema, FieldType, TableSchema } from '../../../schema/table-schema.ts';
import { TIME_COLUMN } from '../../stored-dataset.ts';
import { quoteIdentifier, quoteLiteral } from '../quote.ts';
import { SCALAR_TYPES } from '../store/column-type.ts';
import { createTable, tableName } from '../store/log-tables.ts';
import type { Staging } from './staging.ts';

export interface TableSinkOptions {
  /** In a transaction, in which the source's table is made anew. */
  readonly connection: DuckDBConnection;
  readonly staging: Staging;
  readonly source: string;
  readonly schema: TableSchema;
  /** Whether the entries come in order of time, as far as is known at the start. */
  readonly sorted: boolean;
}

/** Takes a source's entries into its table. */
export interface TableSink {
  /**
   * Takes entries as the entry writer writes them. Resolves when there is room for more, which is before these are
   * in the table; an error of theirs comes from a later call.
   */
  insert(entries: readonly string[]): Promise<void>;
  /** Puts the table into its final order. */
  finish(sorted: boolean): Promise<void>;
  /** Waits for what is under way, whatever comes of it. */
  settle(): Promise<void>;
}

/** Entries in order go straight into the table, others into the staging database and sorted from there. */
export async function openTableSink(options: TableSinkOptions): Promise<TableSink> {
  const { connection, staging, source, schema } = options;
  const target = tableName(source);
  const { name: table, connection: writer } = options.sorted
    ? { name: target, connection }
    : await staging.createTable(source, schema);
  if (options.sorted) await createTable(connection, target, schema);
  const statement = await writer.prepare(
    `INSERT INTO ${table} SELECT e.* FROM (SELECT unnest(from_json($1, ${jsonStructure(schema)})) AS e)`,
  );
  const inserts = oneAtATime(statement);
  return {
    insert: inserts.start,
    settle: inserts.settle,
    finish: async (sorted) => {
      await inserts.finish();
      if (!options.sorted) return sortInto(connection, table, target, schema);
      if (sorted) return;
      const unsorted = quoteIdentifier(`_unsorted_${source}`);
      await connection.run(`ALTER TABLE ${target} RENAME TO ${unsorted}`);
      await sortInto(connection, tableName(`_unsorted_${source}`), target, schema);
      await connection.run(`DROP TABLE ${tableName(`_unsorted_${source}`)}`);
    },
  };
}

/** While DuckDB inserts a batch on its own thread, the next one can be written here. */
function oneAtATime(statement: DuckDBPreparedStatement) {
  let running: Promise<{ error?: unknown }> = Promise.resolve({});
  const finish = async () => {
    const { error } = await running;
    if (error !== undefined) throw error;
  };
  return {
    finish,
    start: async (entries: readonly string[]) => {
      await finish();
      statement.bindVarchar(1, `[${entries.join(',')}]`);
      running = statement.run().then(
        () => ({}),
        (error: unknown) => ({ error }),
      );
    },
    settle: async () => {
      await running;
    },
  };
}

async function sortInto(
  connection: DuckDBConnection,
  from: string,
  into: string,
  schema: TableSchema,
): Promise<void> {
  await createTable(connection, into, schema);
  const hasId = schema.some(
    ({ name, type, mode }) => name === 'id' && type !== 'STRUCT' && mode !== 'REPEATED',
  );
  const order = [TIME_COLUMN, ...(hasId ? ['id'] : [])].map(quoteIdentifier).join(', ');
  await connection.run(`INSERT INTO ${into} SELECT * FROM ${from} ORDER BY ${order}`);
}

/** The structure that from_json reads entries by, as an SQL literal. */
function jsonStructure(schema: TableSchema): string {
  return quoteLiteral(JSON.stringify([recordStructure(schema)]));
}

function recordStructure(fields: TableSchema): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, fieldStructure(field)]));
}

function fieldStructure(field: FieldSchema): unknown {
  const single = field.type === 'STRUCT' ? recordStructure(field.fields) : jsonType(field.type);
  return field.mode === 'REPEATED' ? [single] : single;
}

/** BYTES arrive as text in DuckDB's escaped form, which the table's own type decodes and from_json does not. */
function jsonType(type: Exclude<FieldType, 'STRUCT'>): string {
  return type === 'BYTES' ? 'VARCHAR' : SCALAR_TYPES[type];
}
