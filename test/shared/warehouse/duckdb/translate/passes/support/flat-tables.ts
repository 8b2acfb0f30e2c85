import type { DuckDBConnection } from '@duckdb/node-api';
import type { FieldSchema, TableSchema } from '../../../../../../../shared/schema/table-schema.ts';
import { fieldType } from '../../../../../../../shared/sql/analyzer/resolve-table.ts';
import { quoteIdentifier } from '../../../../../../../shared/warehouse/duckdb/quote.ts';
import {
  type PhysicalColumn,
  physicalColumns,
  repeatedTable,
  type TableLayout,
} from '../../../../../../../shared/warehouse/duckdb/store/layout.ts';
import { tableName } from '../../../../../../../shared/warehouse/duckdb/store/log-tables.ts';
import { tableColumn, word } from '../../../../../../../shared/warehouse/duckdb/translate/duck/sql.ts';
import { encodeRow } from '../../../../../../../shared/warehouse/duckdb/translate/encode-row.ts';

/**
 * Makes the tables `to` and `to$repeated` that a layout says, of the entries of a table that is laid out as its schema
 * is. Answers whether some entries have a flat record twice.
 */
export async function layOut(
  connection: DuckDBConnection,
  from: string,
  to: string,
  schema: TableSchema,
  layout: TableLayout,
): Promise<boolean> {
  const isSingle = flatRecords(schema, layout, [])
    .filter(({ field }) => field.mode === 'REPEATED')
    .map(({ path }) => `coalesce(len(${valueAt(schema, path)}), 0) <= 1`);
  const single = isSingle.length === 0 ? 'true' : isSingle.join(' AND ');
  const columns = physicalColumns(schema, layout);
  const texts = columns.filter(({ kind }) => kind === 'text');
  const listOf = (list: readonly PhysicalColumn[]) =>
    list
      .map((column) => {
        const value = column.kind === 'repeated' ? `NOT (${single})` : physicalValue(schema, column);
        return `${value} AS ${quoteIdentifier(column.name)}`;
      })
      .join(', ');
  const source = `${tableName(from)} AS t`;
  await connection.run(
    `CREATE TABLE ${tableName(to)} AS SELECT ${listOf(columns)} FROM ${source} ORDER BY timestamp`,
  );
  const logical = ['t.*', ...(texts.length === 0 ? [] : [listOf(texts)])].join(', ');
  await connection.run(
    `CREATE TABLE ${tableName(repeatedTable(to))} AS SELECT ${logical} FROM ${source} WHERE NOT (${single}) ORDER BY timestamp`,
  );
  const count = await connection.runAndReadAll(`SELECT count(*) FROM ${tableName(repeatedTable(to))}`);
  return count.getRowsJS()[0]?.[0] !== 0n;
}

interface FlatField {
  readonly field: FieldSchema;
  readonly path: readonly string[];
}

function flatRecords(
  fields: TableSchema,
  layout: TableLayout,
  parent: readonly string[],
): readonly FlatField[] {
  return fields.flatMap((field) => {
    const path = [...parent, field.name];
    if (!layout.flat.has(path.join('.'))) return [];
    return [{ field, path }, ...flatRecords(field.fields, layout, path)];
  });
}

/** A field of the nested row, through the first elements of the records around it. */
function valueAt(schema: TableSchema, path: readonly string[]): string {
  let fields = schema;
  return path.reduce((value, name, index) => {
    const field = fields.find((one) => one.name === name);
    fields = field?.fields ?? [];
    const own = `${value}.${quoteIdentifier(name)}`;
    return field?.type === 'STRUCT' && field.mode === 'REPEATED' && index < path.length - 1
      ? `(${own})[1]`
      : own;
  }, 't');
}

function fieldAt(schema: TableSchema, path: readonly string[]): FieldSchema {
  const [first, ...rest] = path;
  const field = schema.find(({ name }) => name === first);
  if (field === undefined) throw new TypeError(`no field ${first}`);
  return rest.length === 0 ? field : fieldAt(field.fields, rest);
}

function physicalValue(schema: TableSchema, { path, kind }: PhysicalColumn): string {
  if (kind === 'repeated') throw new TypeError('no value of the schema');
  const value = valueAt(schema, path);
  const field = fieldAt(schema, path);
  switch (kind) {
    case 'value':
      return value;
    case 'presence':
      return field.mode === 'REPEATED' ? `coalesce(len(${value}) = 1, false)` : `(${value} IS NOT NULL)`;
    case 'text': {
      const [name] = path;
      const sql = tableColumn(word('t'), name ?? '');
      const row = encodeRow([{ name: 'v', type: fieldType(field), sql }]).sql.text();
      return `substring(${row}, 6, length(${row}) - 6)`;
    }
    default: {
      const unreachable: never = kind;
      throw new TypeError(`${unreachable}`);
    }
  }
}
