import type { DuckDBConnection } from '@duckdb/node-api';
import type { FieldSchema, TableSchema } from '../../../shared/schema/table-schema.ts';
import { quoteIdentifier } from '../../../shared/warehouse/duckdb/quote.ts';
import {
  columnsSql,
  type PhysicalColumn,
  type Presence,
  physicalColumns,
  repeatedColumns,
  repeatedTable,
  type TableLayout,
} from '../../../shared/warehouse/duckdb/store/layout.ts';
import { tableName } from '../../../shared/warehouse/duckdb/store/log-tables.ts';

/** Copies a source's table, in which records are lists, into another database, laid out as the loader does it. */
export async function copyFlat(
  connection: DuckDBConnection,
  { source, schema, from, into }: Copy,
): Promise<TableLayout> {
  const input = tableName(source, from);
  const flat = new Map(recordPaths(schema).map((path): [string, Presence] => [path, 'sometimes']));
  const columns = physicalColumns(schema, { flat });
  const twice = columns
    .filter(({ kind, field }) => kind === 'presence' && field.mode === 'REPEATED')
    .map(({ path }) => `coalesce(len(${valueSql(schema, path)}), 0) > 1`);
  const anyTwice = twice.length === 0 ? 'false' : twice.join(' OR ');
  await fill(connection, tableName(source, into), columns, schema, `FROM ${input} WHERE NOT (${anyTwice})`);
  const hasRepeated = (await firstValue(connection, `SELECT bool_or(${anyTwice}) FROM ${input}`)) === true;
  if (hasRepeated) {
    const others = repeatedColumns(schema, { flat });
    await fill(
      connection,
      tableName(repeatedTable(source), into),
      others,
      schema,
      `FROM ${input} WHERE ${anyTwice}`,
    );
  }
  for (const path of flat.keys()) {
    flat.set(path, await presenceOf(connection, tableName(source, into), path));
  }
  return { flat, hasRepeated };
}

interface Copy {
  readonly source: string;
  readonly schema: TableSchema;
  /** The database that the table lies in. */
  readonly from: string;
  readonly into: string;
}

/** Copies a source's table into one with a column for each field: of records that repeat, the first one. */
export async function copyByHand(
  connection: DuckDBConnection,
  { source, schema, from, into }: Copy,
): Promise<void> {
  const flat = new Map(recordPaths(schema).map((path): [string, Presence] => [path, 'sometimes']));
  const columns = physicalColumns(schema, { flat }).filter(({ kind }) => kind !== 'presence');
  await fill(connection, tableName(source, into), columns, schema, `FROM ${tableName(source, from)}`);
}

async function fill(
  connection: DuckDBConnection,
  table: string,
  columns: readonly PhysicalColumn[],
  schema: TableSchema,
  rows: string,
): Promise<void> {
  await connection.run(`CREATE TABLE ${table} (${columnsSql(columns)})`);
  const values = columns.map((column) => columnSql(schema, column));
  await connection.run(`INSERT INTO ${table} SELECT ${values.join(', ')} ${rows}`);
}

function columnSql(schema: TableSchema, { kind, path, field }: PhysicalColumn): string {
  const value = valueSql(schema, path);
  if (kind === 'text') return `to_json(${value})::VARCHAR`;
  if (kind === 'value') return value;
  return field.mode === 'REPEATED' ? `coalesce(len(${value}) > 0, false)` : `${value} IS NOT NULL`;
}

/** A field by its path, of the first element wherever a record above it repeats. */
function valueSql(schema: TableSchema, path: readonly string[]): string {
  let fields = schema;
  let sql = '';
  for (const [index, name] of path.entries()) {
    const field = fields.find((one) => one.name === name);
    if (field === undefined) throw new TypeError(`no field ${name}`);
    sql += index === 0 ? quoteIdentifier(name) : `.${quoteIdentifier(name)}`;
    if (index < path.length - 1 && field.mode === 'REPEATED') sql = `(${sql})[1]`;
    fields = field.fields;
  }
  return sql;
}

function recordPaths(fields: readonly FieldSchema[], parent = ''): readonly string[] {
  return fields
    .filter(({ type }) => type === 'STRUCT')
    .flatMap(({ name, fields: nested }) => [`${parent}${name}`, ...recordPaths(nested, `${parent}${name}.`)]);
}

async function presenceOf(connection: DuckDBConnection, table: string, path: string): Promise<Presence> {
  const column = quoteIdentifier(`${path}?`);
  if ((await firstValue(connection, `SELECT bool_and(${column}) FROM ${table}`)) === true) return 'always';
  return (await firstValue(connection, `SELECT bool_or(${column}) FROM ${table}`)) === true
    ? 'sometimes'
    : 'never';
}

async function firstValue(connection: DuckDBConnection, sql: string): Promise<unknown> {
  return (await connection.runAndReadAll(sql)).getRowsJS()[0]?.[0];
}
