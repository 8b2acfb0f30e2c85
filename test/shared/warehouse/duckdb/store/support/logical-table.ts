import type { FieldSchema } from '../../../../../../shared/schema/table-schema.ts';
import { quoteIdentifier } from '../../../../../../shared/warehouse/duckdb/quote.ts';
import {
  presenceColumn,
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
  const columns = schema.map(
    (field) => `${logicalValue(field, [], layout)} AS ${quoteIdentifier(field.name)}`,
  );
  const main = `SELECT ${columns.join(', ')} FROM ${tableName(source)}`;
  if (!layout.hasRepeated) return `(${main})`;
  const names = schema.map(({ name }) => quoteIdentifier(name)).join(', ');
  return `(${main} UNION ALL SELECT ${names} FROM ${tableName(repeatedTable(source))})`;
}

function logicalValue(field: FieldSchema, parent: readonly string[], layout: TableLayout): string {
  const path = [...parent, field.name];
  if (field.type !== 'STRUCT' || !layout.flat.has(valueColumn(path))) {
    const value = quoteIdentifier(valueColumn(path));
    return field.mode === 'REPEATED' ? `coalesce(${value}, [])` : value;
  }
  const fields = field.fields.map(
    (nested) => `${quoteIdentifier(nested.name)} := ${logicalValue(nested, path, layout)}`,
  );
  const record = `struct_pack(${fields.join(', ')})`;
  const isThere = quoteIdentifier(presenceColumn(path));
  return field.mode === 'REPEATED'
    ? `CASE WHEN ${isThere} THEN [${record}] ELSE [] END`
    : `CASE WHEN ${isThere} THEN ${record} END`;
}
