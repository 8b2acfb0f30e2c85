import { arrayOf, type Column, type ScalarTypeName, type SqlType } from '../../../sql/types/sql-type.ts';
import type { FieldSchema } from '../rest/answers.ts';
import { InvalidResponse } from '../rest/invalid-response.ts';

/** BigQuery's REST names of types by those of GoogleSQL, where they differ or not. */
const SCALARS: ReadonlyMap<string, ScalarTypeName> = new Map([
  ['BOOL', 'BOOL'],
  ['BOOLEAN', 'BOOL'],
  ['INT64', 'INT64'],
  ['INTEGER', 'INT64'],
  ['FLOAT64', 'FLOAT64'],
  ['FLOAT', 'FLOAT64'],
  ['NUMERIC', 'NUMERIC'],
  ['BIGNUMERIC', 'BIGNUMERIC'],
  ['STRING', 'STRING'],
  ['BYTES', 'BYTES'],
  ['DATE', 'DATE'],
  ['DATETIME', 'DATETIME'],
  ['TIME', 'TIME'],
  ['TIMESTAMP', 'TIMESTAMP'],
  ['INTERVAL', 'INTERVAL'],
  ['JSON', 'JSON'],
]);

/** The columns that a result's schema describes. Throws InvalidResponse for a type that GoogleSQL does not have. */
export function columnsOf(schema: readonly FieldSchema[]): readonly Column[] {
  return schema.map((field) => ({ name: field.name ?? '', type: typeOf(field) }));
}

function typeOf({ type, mode, fields = [] }: FieldSchema): SqlType {
  if (mode === 'REPEATED') return arrayOf(typeOf({ type, fields }));
  if (type === 'RECORD' || type === 'STRUCT') return { kind: 'STRUCT', fields: columnsOf(fields) };
  const kind = SCALARS.get(type);
  if (kind === undefined) throw new InvalidResponse(`there is no type ${type}`);
  return { kind };
}
