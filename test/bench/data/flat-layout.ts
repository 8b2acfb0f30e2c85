import type { DuckDBConnection } from '@duckdb/node-api';
import type { FieldSchema, TableSchema } from '../../../shared/schema/table-schema.ts';
import { columnOfLists, valueOfLists } from '../../../shared/warehouse/duckdb/loading/column-of-lists.ts';
import { makeTablesBeside } from '../../../shared/warehouse/duckdb/loading/element-tables.ts';
import { quoteIdentifier } from '../../../shared/warehouse/duckdb/quote.ts';
import {
  columnsSql,
  isPartOf,
  type PhysicalColumn,
  type Presence,
  physicalColumns,
  REPEATED_COLUMN,
  repeatedColumns,
  type TableLayout,
  valueColumn,
} from '../../../shared/warehouse/duckdb/store/layout.ts';
import { tableName } from '../../../shared/warehouse/duckdb/store/log-tables.ts';

/** Copies a source's table, in which records are lists, into another database, laid out as the loader does it. */
export async function copyFlat(
  connection: DuckDBConnection,
  { source, schema, from, into }: Copy,
): Promise<TableLayout> {
  const input = tableName(source, from);
  const target = tableName(source, into);
  const flat = new Map(recordPaths(schema).map((path): [string, Presence] => [path, 'sometimes']));
  const columns = physicalColumns(schema, { flat });
  const lists = columns.filter(({ kind, field }) => kind === 'presence' && field.mode === 'REPEATED');
  const isTwice = (column: PhysicalColumn) => `coalesce(len(${valueOfLists(schema, column.path)}), 0) > 1`;
  const anyTwice = lists.length === 0 ? 'false' : lists.map(isTwice).join(' OR ');
  const twice: string[] = [];
  for (const column of lists) {
    const isAny = await firstValue(connection, `SELECT bool_or(${isTwice(column)}) FROM ${input}`);
    if (isAny === true) twice.push(valueColumn(column.path));
  }
  const hasRepeated = twice.length > 0;
  const single = columns.map((column) => {
    const value = valueSql(schema, column, anyTwice);
    const record = twice.find((path) => isPartOf(column.name, path));
    if (record === undefined) return value;
    const isOnce = `coalesce(len(${valueOfLists(schema, record.split('.'))}), 0) <= 1`;
    return `CASE WHEN ${isOnce} THEN ${value} ${column.kind === 'presence' ? 'ELSE false ' : ''}END`;
  });
  await fill(connection, target, columns, single, `FROM ${input}`);
  const isFlat = (path: string) => !twice.some((record) => path === record || path.startsWith(`${record}.`));
  for (const path of flat.keys()) {
    const rows = isFlat(path) ? target : `(FROM ${target} WHERE NOT ${quoteIdentifier(REPEATED_COLUMN)})`;
    flat.set(path, await presenceOf(connection, rows, path));
  }
  if (!hasRepeated) return { flat, hasRepeated };
  const flatRepeated = new Map([...flat].filter(([path]) => isFlat(path)));
  const values = repeatedColumns(schema, { flat, flatRepeated }).map(
    (column) => `${valueSql(schema, column, anyTwice)} AS ${quoteIdentifier(column.name)}`,
  );
  const beside = await makeTablesBeside(connection, {
    source,
    schema,
    layout: { flat, flatRepeated },
    records: twice,
    only: twice.length === 1 ? (twice[0] ?? null) : null,
    rows: `(SELECT ${values.join(', ')} FROM ${input} WHERE ${anyTwice})`,
    order: [],
  });
  return { ...beside, flat };
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
  const columns = physicalColumns(schema, { flat }).filter(({ kind }) => kind === 'value' || kind === 'text');
  const values = columns.map((column) => valueSql(schema, column, 'false'));
  await fill(connection, tableName(source, into), columns, values, `FROM ${tableName(source, from)}`);
}

async function fill(
  connection: DuckDBConnection,
  table: string,
  columns: readonly PhysicalColumn[],
  values: readonly string[],
  rows: string,
): Promise<void> {
  await connection.run(`CREATE TABLE ${table} (${columnsSql(columns)})`);
  await connection.run(`INSERT INTO ${table} SELECT ${values.join(', ')} ${rows}`);
}

function valueSql(schema: TableSchema, column: PhysicalColumn, anyTwice: string): string {
  if (column.kind === 'repeated') return anyTwice;
  if (column.kind === 'text') return `to_json(${valueOfLists(schema, column.path)})::VARCHAR`;
  return columnOfLists(schema, column);
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
