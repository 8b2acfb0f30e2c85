import type { FieldSchema } from '../../../../../../shared/schema/table-schema.ts';
import { quoteIdentifier } from '../../../../../../shared/warehouse/duckdb/quote.ts';
import {
  OFFSET_COLUMN,
  presenceColumn,
  REPEATED_COLUMN,
  repeatedTable,
  type TableLayout,
  valueColumn,
} from '../../../../../../shared/warehouse/duckdb/store/layout.ts';
import { tableName } from '../../../../../../shared/warehouse/duckdb/store/log-tables.ts';
import type { Store } from '../../../../../../shared/warehouse/duckdb/store/open-store.ts';
import {
  readLayouts,
  readStoredSchemas,
} from '../../../../../../shared/warehouse/duckdb/store/stored-schemas.ts';

/** SQL for a source's entries in the shape of its schema, however its tables are laid out. */
export async function logicalTable(store: Store, source: string): Promise<string> {
  const schema = (await readStoredSchemas(store)).get(source) ?? [];
  const layout = (await readLayouts(store)).get(source);
  if (layout === undefined) throw new TypeError(`no table ${source}`);
  const columnsOf = (flat: TableLayout['flat']) =>
    schema.map((field) => `${logicalValue(field, [], flat)} AS ${quoteIdentifier(field.name)}`).join(', ');
  const main = `SELECT ${columnsOf(layout.flat)} FROM ${tableName(source)}`;
  if (!layout.hasRepeated) return `(${main})`;
  const others = `${main} WHERE NOT ${quoteIdentifier(REPEATED_COLUMN)}`;
  const repeated = `SELECT ${columnsOf(layout.flatRepeated ?? new Map())} FROM ${repeatedEntries(source, layout)}`;
  return `(${others} UNION ALL ${repeated})`;
}

/** The table with the entries that have a record twice; where it has several rows of an entry, the first ones. */
export function repeatedEntries(source: string, { sharesElements }: TableLayout): string {
  const table = tableName(repeatedTable(source));
  return sharesElements ? `(FROM ${table} WHERE ${quoteIdentifier(OFFSET_COLUMN)} = 0)` : table;
}

function logicalValue(field: FieldSchema, parent: readonly string[], flat: TableLayout['flat']): string {
  const path = [...parent, field.name];
  if (field.type !== 'STRUCT' || !flat.has(valueColumn(path))) {
    const value = quoteIdentifier(valueColumn(path));
    return field.mode === 'REPEATED' ? `coalesce(${value}, [])` : value;
  }
  const fields = field.fields.map(
    (nested) => `${quoteIdentifier(nested.name)} := ${logicalValue(nested, path, flat)}`,
  );
  const record = `struct_pack(${fields.join(', ')})`;
  const isThere = quoteIdentifier(presenceColumn(path));
  return field.mode === 'REPEATED'
    ? `CASE WHEN ${isThere} THEN [${record}] ELSE [] END`
    : `CASE WHEN ${isThere} THEN ${record} END`;
}
