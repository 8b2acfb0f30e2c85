import type { DuckDBConnection } from '@duckdb/node-api';
import type { FieldSchema, TableSchema } from '../../../schema/table-schema.ts';
import { quoteIdentifier } from '../quote.ts';
import {
  columnsSql,
  elementColumns,
  elementsTable,
  OFFSET_COLUMN,
  type PhysicalColumn,
  repeatedColumns,
  repeatedTable,
  type TableLayout,
  valueColumn,
} from '../store/layout.ts';
import { tableName } from '../store/log-tables.ts';
import { columnOfLists } from './column-of-lists.ts';
import { readPresence } from './presence.ts';

/** With more elements than this for each entry, their table would repeat the entries' columns too often. */
const MOST_ELEMENTS = 4;

interface RepeatedSource {
  readonly source: string;
  readonly schema: TableSchema;
  readonly layout: Pick<TableLayout, 'flat' | 'flatRepeated'>;
  /** Records that some entries have twice, where no record that they lie in, or that lies in them, is there twice. */
  readonly records: readonly string[];
}

/**
 * Makes the tables of the elements of records that entries have twice, from the table beside the source's own, in its order.
 * Answers what is flat in each.
 */
export async function makeElementTables(
  connection: DuckDBConnection,
  { source, schema, layout, records }: RepeatedSource,
): Promise<NonNullable<TableLayout['elements']>> {
  const from = tableName(repeatedTable(source));
  const kept = new Set(repeatedColumns(schema, layout).map(({ name }) => name));
  const made = new Map<string, TableLayout['flat']>();
  for (const record of records) {
    const list = quoteIdentifier(record);
    const twice = `FROM ${from} WHERE len(${list}) > 1`;
    const counted = await connection.runAndReadAll(
      `SELECT coalesce(sum(len(${list})) <= ${MOST_ELEMENTS} * count(*), FALSE) ${twice}`,
    );
    if (counted.getRowsJS()[0]?.[0] !== true) continue;
    const name = elementsTable(source, record);
    const target = tableName(name);
    const columns = elementColumns(schema, layout);
    const values = columns.map((column) => elementValue(column, { schema, record, kept }));
    await connection.run(`DROP TABLE IF EXISTS ${target}`);
    await connection.run(
      `CREATE TABLE ${target} (${columnsSql(columns)}, ${quoteIdentifier(OFFSET_COLUMN)} BIGINT)`,
    );
    await connection.run(`INSERT INTO ${target} SELECT ${values.join(', ')}, ${PLACE} FROM (
      SELECT *, unnest(${list}) AS ${ELEMENT}, unnest(range(len(${list}))) AS ${PLACE} ${twice})`);
    made.set(record, await readPresence(connection, name, layout.flat));
  }
  return made;
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
