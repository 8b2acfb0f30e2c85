import type { TableSchema, TableSchemas } from './table-schema.ts';

/**
 * The fields that tables lack of those that schemas name, as `table.column.field`: the topmost of each, not what lies
 * in it. A table that is not there lacks nothing. Names compare as BigQuery's do, without regard to case.
 */
export function missingFields(tables: TableSchemas, expected: TableSchemas): readonly string[] {
  return [...expected].flatMap(([name, schema]) => {
    const table = tables.get(name);
    return table === undefined ? [] : missingIn(table, schema, `${name}.`);
  });
}

function missingIn(present: TableSchema, expected: TableSchema, prefix: string): readonly string[] {
  const byName = new Map(present.map((field) => [field.name.toLowerCase(), field]));
  return expected.flatMap(({ name, fields }) => {
    const field = byName.get(name.toLowerCase());
    return field === undefined ? [`${prefix}${name}`] : missingIn(field.fields, fields, `${prefix}${name}.`);
  });
}
