import type { FieldSchema, TableSchema } from '../../../schema/table-schema.ts';
import { quoteName } from './quote-name.ts';

/** A subquery with the columns of a schema and no rows. It reads no table. */
export function emptyRelation(schema: TableSchema): string {
  const columns = schema.map((field) => `CAST(NULL AS ${typeText(field)}) AS ${quoteName(field.name)}`);
  return `(SELECT ${columns.join(', ')} FROM UNNEST([1]) WHERE FALSE)`;
}

function typeText(field: FieldSchema): string {
  const { type, fields, mode } = field;
  const inner = fields.map((one) => `${quoteName(one.name)} ${typeText(one)}`);
  const text = type === 'STRUCT' ? `STRUCT<${inner.join(', ')}>` : type;
  return mode === 'REPEATED' ? `ARRAY<${text}>` : text;
}
