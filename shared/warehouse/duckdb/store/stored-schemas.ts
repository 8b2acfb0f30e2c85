import type { DuckDBConnection } from '@duckdb/node-api';
import * as z from 'zod';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import type { FieldSchema, TableSchema, TableSchemas } from '../../../schema/table-schema.ts';
import {
  NESTED_LAYOUT,
  repeatedRecords,
  type TableLayout,
  type TableLayouts,
  tablesOf,
  valueColumn,
} from './layout.ts';
import { listTables, tableName } from './log-tables.ts';

/** The table beside the log tables that keeps their GoogleSQL schemas, which DuckDB's types do not show. */
export const SCHEMAS_TABLE = '_schemas';

/**
 * Grows whenever tables are laid out in another way. Files of version 1, in which all tables are laid out as their
 * schemas are, of version 3, which have no tables of elements, and of version 4, in which these are apart from all others, are read as
 * well; a file of another version is refused.
 */
const LAYOUT_VERSION = 5;

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
/** A table's schema as JSON has it. */
export const storedTableSchema: z.ZodType<TableSchema> = z.array(storedField).min(1);
const storedSchema = z.string().transform((text) => storedTableSchema.parse(JSON.parse(text)));
const storedRecords = z
  .array(z.tuple([z.string(), z.enum(['always', 'never', 'sometimes'])]))
  .transform((records): TableLayout['flat'] => new Map(records));
const storedElements = z
  .array(z.tuple([z.string(), storedRecords]))
  .transform((records): NonNullable<TableLayout['elements']> => new Map(records));
const storedLayout = z.string().transform((text): TableLayout => {
  const { flatRepeated, onlyRepeated, elements, sharesElements, ...layout } = z
    .strictObject({
      flat: storedRecords,
      hasRepeated: z.boolean(),
      flatRepeated: storedRecords.optional(),
      onlyRepeated: z.string().optional(),
      elements: storedElements.optional(),
      sharesElements: z.literal(true).optional(),
    })
    .parse(JSON.parse(text));
  return {
    ...layout,
    ...(flatRepeated === undefined ? {} : { flatRepeated }),
    ...(onlyRepeated === undefined ? {} : { onlyRepeated }),
    ...(elements === undefined ? {} : { elements }),
    ...(sharesElements === undefined ? {} : { sharesElements }),
  };
});
const storedRow = z.union([
  z
    .strictObject({ source: z.string(), schema: storedSchema, layout: z.literal(1) })
    .transform(({ source, schema }): StoredTable => ({ source, schema, layout: NESTED_LAYOUT })),
  z
    .strictObject({
      source: z.string(),
      schema: storedSchema,
      layout: z.literal([3, 4, LAYOUT_VERSION]),
      records: storedLayout,
    })
    .refine(({ schema, records }) => isLayoutOf(schema, records))
    .transform(({ source, schema, records }): StoredTable => ({ source, schema, layout: records })),
]);

/** A source's table as it is written down. */
interface StoredTable {
  readonly source: string;
  readonly schema: TableSchema;
  readonly layout: TableLayout;
}

/** Whether the flat records are records of the schema, and what they lie in is flat as well. */
function isLayoutOf(schema: TableSchema, layout: TableLayout): boolean {
  const { flat, flatRepeated = new Map(), onlyRepeated, elements = new Map(), sharesElements } = layout;
  const repeated = new Set([...elements.keys(), ...(onlyRepeated === undefined ? [] : [onlyRepeated])]);
  const known = repeatedRecords(layout);
  return (
    [...repeated].every((record) => known.includes(record)) &&
    (sharesElements === undefined || elements.has(onlyRepeated ?? '')) &&
    areRecordsOf(schema, flat) &&
    areRecordsOf(schema, flatRepeated) &&
    isPartOf(flatRepeated, flat) &&
    [...elements.values()].every((all) => all.size === flat.size && isPartOf(all, flat))
  );
}

const isPartOf = (some: TableLayout['flat'], all: TableLayout['flat']) =>
  [...some.keys()].every((path) => all.has(path));

function areRecordsOf(schema: TableSchema, flat: TableLayout['flat']): boolean {
  const known = new Set<string>();
  const visit = (fields: TableSchema, parent: readonly string[]): void => {
    for (const { name, type, fields: nested } of fields) {
      const path = [...parent, name];
      if (type !== 'STRUCT' || !flat.has(valueColumn(path))) continue;
      known.add(valueColumn(path));
      visit(nested, path);
    }
  };
  visit(schema, []);
  return known.size === flat.size;
}

/** A database with the name of its file; null for a temporary one. */
interface SchemaStore {
  readonly databaseFile: string | null;
  use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T>;
}

/**
 * Writes down the schemas of the tables, and how they are laid out, in place of what was written down before. A table
 * without a layout is laid out as its schema is.
 */
export async function writeStoredSchemas(
  connection: DuckDBConnection,
  schemas: TableSchemas,
  layouts: TableLayouts = new Map(),
): Promise<void> {
  const table = tableName(SCHEMAS_TABLE);
  await connection.run(`DROP TABLE IF EXISTS ${table}`);
  await connection.run(
    `CREATE TABLE ${table} (source VARCHAR, schema VARCHAR, layout INTEGER, records VARCHAR)`,
  );
  for (const [source, schema] of schemas) {
    const { flat, flatRepeated, elements, ...layout } = layouts.get(source) ?? NESTED_LAYOUT;
    await connection.run(`INSERT INTO ${table} VALUES ($1, $2, $3, $4)`, [
      source,
      JSON.stringify(schema),
      LAYOUT_VERSION,
      JSON.stringify({
        ...layout,
        flat: [...flat],
        ...(flatRepeated === undefined ? {} : { flatRepeated: [...flatRepeated] }),
        ...(elements === undefined ? {} : { elements: [...elements].map(([path, all]) => [path, [...all]]) }),
      }),
    ]);
  }
}

/**
 * The schemas of the tables that a store holds, with the fields that were added when they were loaded; empty for
 * a new store. Throws a ConfigurationError when the database is not one that this program wrote.
 */
export async function readStoredSchemas(store: SchemaStore): Promise<TableSchemas> {
  const tables = await readTables(store);
  return new Map(tables.map(({ source, schema }) => [source, schema]));
}

/**
 * How the tables that a store holds are laid out. It holds as long as nothing is loaded. Throws as `readStoredSchemas`
 * does.
 */
export async function readLayouts(store: SchemaStore): Promise<TableLayouts> {
  const tables = await readTables(store);
  return new Map(tables.map(({ source, layout }) => [source, layout]));
}

/** Whether the store holds log tables, be they empty. */
export async function hasLogs(store: SchemaStore): Promise<boolean> {
  return (await readTables(store)).length > 0;
}

function readTables(store: SchemaStore): Promise<readonly StoredTable[]> {
  return store.use((connection) =>
    readTablesFrom(connection, store.databaseFile ?? 'the temporary database'),
  );
}

/** What a database holds; `file` is what an error calls it. Throws as `readStoredSchemas` does. */
export async function readTablesFrom(
  connection: DuckDBConnection,
  file: string,
): Promise<readonly StoredTable[]> {
  const tables = await listTables(connection);
  if (tables.length === 0) return [];
  const foreign = new ConfigurationError(
    `${file}: its tables were not written by this version of this program; name another file`,
  );
  if (!tables.includes(SCHEMAS_TABLE)) throw foreign;
  const stored = await readRows(connection);
  if (stored === null) throw foreign;
  const expected = stored.flatMap(({ source, layout }) => tablesOf(source, layout));
  if ([...expected, SCHEMAS_TABLE].sort().join('\n') !== [...tables].sort().join('\n')) throw foreign;
  return stored;
}

/** The rows as they were written; null when the table has other columns or other contents. */
async function readRows(connection: DuckDBConnection): Promise<readonly StoredTable[] | null> {
  try {
    const reader = await connection.runAndReadAll(`FROM ${tableName(SCHEMAS_TABLE)} ORDER BY rowid`);
    return z.array(storedRow).parse(reader.getRowObjectsJS());
  } catch {
    return null;
  }
}
