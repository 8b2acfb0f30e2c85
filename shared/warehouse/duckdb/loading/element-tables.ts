import type { DuckDBConnection } from '@duckdb/node-api';
import type { FieldSchema, TableSchema } from '../../../schema/table-schema.ts';
import { quoteIdentifier } from '../quote.ts';
import {
  elementColumns,
  elementsTable,
  OFFSET_COLUMN,
  type PhysicalColumn,
  repeatedColumns,
  repeatedTable,
  sharedColumns,
  type TableLayout,
  valueColumn,
} from '../store/layout.ts';
import { createTable, tableName } from '../store/log-tables.ts';
import { columnOfLists } from './column-of-lists.ts';
import { readPresence } from './presence.ts';

/** With more elements than this for each entry, their table would repeat the entries' columns too often. */
const MOST_ELEMENTS = 4;

/** Entries that have flat records twice, and where they are. */
export interface RepeatedEntries {
  readonly source: string;
  readonly schema: TableSchema;
  /** What is flat in the source's own table, and those of it that no entry has twice. */
  readonly layout: Required<Pick<TableLayout, 'flat' | 'flatRepeated'>>;
  /** Records that some entries have twice, where no record that they lie in, or that lies in them, is there twice. */
  readonly records: readonly string[];
  /** The one record that all these entries have twice; null for several. */
  readonly only: string | null;
  /** SQL of a relation that has the columns of `repeatedColumns`. */
  readonly rows: string;
  /** The columns that the tables are sorted by; empty where the rows are in order. */
  readonly order: readonly string[];
}

/** Makes the tables beside a source's own, and answers what of its layout is about them. */
export async function makeTablesBeside(
  connection: DuckDBConnection,
  entries: RepeatedEntries,
): Promise<Omit<TableLayout, 'flat'>> {
  const { source, schema, layout, records, only, rows, order } = entries;
  const beside = repeatedTable(source);
  const known = { hasRepeated: true, ...(only === null ? {} : { onlyRepeated: only }) };
  if (only !== null && records.includes(only) && (await hasFewElements(connection, rows, only))) {
    await fillElements(connection, entries, { table: beside, record: only, from: rows, order });
    const flat = await readPresence(connection, beside, layout.flat);
    const flatRepeated = new Map([...flat].filter(([path]) => layout.flatRepeated.has(path)));
    return { ...known, flatRepeated, elements: new Map([[only, flat]]), sharesElements: true };
  }
  const from = tableName(beside);
  await createTable(connection, from, repeatedColumns(schema, layout));
  await connection.run(`INSERT INTO ${from} SELECT * FROM ${rows}${orderBy(order)}`);
  const elements = new Map<string, TableLayout['flat']>();
  for (const record of records) {
    if (!(await hasFewElements(connection, from, record))) continue;
    const table = elementsTable(source, record);
    await fillElements(connection, entries, { table, record, from, order: [] });
    elements.set(record, await readPresence(connection, table, layout.flat));
  }
  const flatRepeated = await readPresence(connection, beside, layout.flatRepeated);
  return { ...known, flatRepeated, ...(elements.size === 0 ? {} : { elements }) };
}

async function hasFewElements(connection: DuckDBConnection, from: string, record: string): Promise<boolean> {
  const count = `len(${quoteIdentifier(record)})`;
  const counted = await connection.runAndReadAll(
    `SELECT coalesce(sum(${count}) <= ${MOST_ELEMENTS} * count(*), FALSE) FROM ${from} WHERE ${count} > 1`,
  );
  return counted.getRowsJS()[0]?.[0] === true;
}

interface ElementRows {
  readonly table: string;
  readonly record: string;
  /** SQL of the relation with the entries. */
  readonly from: string;
  readonly order: readonly string[];
}

/** Makes a table with a row for each element of a record that entries have twice. */
async function fillElements(
  connection: DuckDBConnection,
  { source, schema, layout }: RepeatedEntries,
  { table, record, from, order }: ElementRows,
): Promise<void> {
  const isShared = table === repeatedTable(source);
  const columns = isShared ? sharedColumns(schema, layout, record) : elementColumns(schema, layout);
  const kept = new Set(repeatedColumns(schema, layout).map(({ name }) => name));
  const values = columns.map((column) => elementValue(column, { schema, record, kept }));
  const list = quoteIdentifier(record);
  await createTable(connection, tableName(table), columns);
  await connection.run(`INSERT INTO ${tableName(table)} SELECT ${values.join(', ')} FROM (
    SELECT *, unnest(${list}) AS ${ELEMENT}, unnest(range(len(${list}))) AS ${PLACE} FROM ${from}
      WHERE len(${list}) > 1)${orderBy(order.length === 0 ? [] : [...order, PLACE])}`);
}

function orderBy(columns: readonly string[]): string {
  return columns.length === 0 ? '' : ` ORDER BY ${columns.join(', ')}`;
}

// No field has such a name.
const ELEMENT = quoteIdentifier('$element');
const PLACE = quoteIdentifier('$place');

interface Elements {
  readonly schema: TableSchema;
  readonly record: string;
  /** The columns of the entries, of which the record is one. */
  readonly kept: ReadonlySet<string>;
}

/** SQL for a column of an element's row. */
function elementValue(column: PhysicalColumn, { schema, record, kept }: Elements): string {
  const { kind, name, path } = column;
  if (name === OFFSET_COLUMN) return PLACE;
  if (name === record || kind === 'text') return `CASE WHEN ${PLACE} = 0 THEN ${quoteIdentifier(name)} END`;
  const depth = record.split('.').length;
  if (valueColumn(path.slice(0, depth)) !== record) {
    if (kept.has(name)) return quoteIdentifier(name);
    // Of another record that the entry may have twice.
    return kind === 'presence' ? 'FALSE' : 'NULL';
  }
  if (path.length === depth) return 'TRUE';
  const element: FieldSchema = {
    name: '$element',
    type: 'STRUCT',
    mode: 'NULLABLE',
    fields: fieldsAt(schema, path.slice(0, depth)),
  };
  return columnOfLists([element], { ...column, path: ['$element', ...path.slice(depth)] });
}

function fieldsAt(schema: TableSchema, path: readonly string[]): readonly FieldSchema[] {
  let fields = schema;
  for (const name of path) fields = fields.find((one) => one.name === name)?.fields ?? [];
  return fields;
}
