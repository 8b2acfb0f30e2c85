import type { DuckDBConnection } from '@duckdb/node-api';
import * as z from 'zod';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { FieldSchema, TableSchemas } from '../../../schema/table-schema.ts';
import { NESTED_LAYOUT, type TableLayout } from './layout.ts';
import { listTables, tableName } from './log-tables.ts';

/** The table beside the log tables that keeps their GoogleSQL schemas, which DuckDB's types do not show. */
export const SCHEMAS_TABLE = '_schemas';

/** Grows whenever tables are laid out in another way; a file of another layout is refused. */
const LAYOUT_VERSION = 1;

const storedField: z.ZodType<FieldSchema> = z.lazy(() =>
  z.strictObject({
    name: z.string().min(1),
    type: z.enum([
      'STRING',
      'BYTES',
      'INT64',
      'FLOAT64',
      'NUMERIC',
      'BIGNUMERIC',
      'BOOL',
      'TIMESTAMP',
      'DATETIME',
      'DATE',
      'TIME',
      'JSON',
      'STRUCT',
    ]),
    mode: z.enum(['NULLABLE', 'REQUIRED', 'REPEATED']),
    fields: z.array(storedField),
  }),
);
const storedRow = z.tuple([
  z.string(),
  z.string().transform((text) => z.array(storedField).min(1).parse(JSON.parse(text))),
  z.literal(LAYOUT_VERSION),
]);

/** A database with the name of its file; null for a temporary one. */
interface SchemaStore {
  readonly databaseFile: string | null;
  use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
}

/** Writes down the schemas of the tables in place of what was written down before. */
export async function writeStoredSchemas(connection: DuckDBConnection, schemas: TableSchemas): Promise<void> {
  const table = tableName(SCHEMAS_TABLE);
  await connection.run(`DROP TABLE IF EXISTS ${table}`);
  await connection.run(`CREATE TABLE ${table} (source VARCHAR, schema VARCHAR, layout INTEGER)`);
  for (const [source, schema] of schemas) {
    await connection.run(`INSERT INTO ${table} VALUES ($1, $2, $3)`, [
      source,
      JSON.stringify(schema),
      LAYOUT_VERSION,
    ]);
  }
}

/**
 * The schemas of the tables that a store holds, with the fields that were added when they were loaded; empty for
 * a new store. Throws a ConfigurationError when the database is not one that this program wrote.
 */
export async function readStoredSchemas(store: SchemaStore): Promise<TableSchemas> {
  return store.use((connection) =>
    readSchemasFrom(connection, store.databaseFile ?? 'the temporary database'),
  );
}

/** How the tables that a store holds are laid out, by source. It holds as long as nothing is loaded. */
export async function readLayouts(store: SchemaStore): Promise<ReadonlyMap<string, TableLayout>> {
  const schemas = await readStoredSchemas(store);
  return new Map([...schemas.keys()].map((source) => [source, NESTED_LAYOUT]));
}

/** Whether the store holds log tables, be they empty. */
export async function hasLogs(store: SchemaStore): Promise<boolean> {
  return (await readStoredSchemas(store)).size > 0;
}

/** `readStoredSchemas` over a connection at hand; `file` is what an error calls the database. */
export async function readSchemasFrom(connection: DuckDBConnection, file: string): Promise<TableSchemas> {
  const tables = await listTables(connection);
  if (tables.length === 0) return new Map();
  const foreign = new ConfigurationError(
    `${file}: its tables were not written by this version of this program; name another file`,
  );
  if (!tables.includes(SCHEMAS_TABLE)) throw foreign;
  const rows = await readRows(connection);
  const schemas = new Map(rows?.map(([source, schema]) => [source, schema]));
  const expected = [...schemas.keys(), SCHEMAS_TABLE].sort();
  if (rows === null || expected.join('\n') !== [...tables].sort().join('\n')) throw foreign;
  return schemas;
}

/** The rows as they were written; null when the table has other columns or other contents. */
async function readRows(connection: DuckDBConnection): Promise<z.output<typeof storedRow>[] | null> {
  try {
    const reader = await connection.runAndReadAll(
      `SELECT source, schema, layout FROM ${tableName(SCHEMAS_TABLE)} ORDER BY rowid`,
    );
    return z.array(storedRow).parse(reader.getRowsJS());
  } catch {
    return null;
  }
}
