import type { TableSchema } from '../../../schema/table-schema.ts';
import { quoteIdentifier } from '../quote.ts';
import type { PhysicalColumn } from '../store/layout.ts';

/** SQL for a column of entries whose records are lists in the columns of the schema; of a list that is flat, the first. */
export function columnOfLists(schema: TableSchema, { kind, name, path, field }: PhysicalColumn): string {
  if (kind === 'text' || kind === 'repeated') return quoteIdentifier(name);
  const value = valueOfLists(schema, path);
  if (kind === 'value') return value;
  return field.mode === 'REPEATED' ? `coalesce(len(${value}) > 0, FALSE)` : `${value} IS NOT NULL`;
}

/** A field by its path, of the first element wherever a record above it repeats. */
export function valueOfLists(schema: TableSchema, path: readonly string[]): string {
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
