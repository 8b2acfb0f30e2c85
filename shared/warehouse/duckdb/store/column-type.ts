import type { FieldSchema, FieldType, TableSchema } from '../../../schema/table-schema.ts';
import { quoteIdentifier } from '../quote.ts';

/**
 * DuckDB's type for each scalar type of GoogleSQL. TIMESTAMP and DATETIME are both microseconds without a zone,
 * the former in UTC. BIGNUMERIC keeps 20 digits before the point and 18 after it, the most that fits.
 */
export const SCALAR_TYPES: Readonly<Record<Exclude<FieldType, 'STRUCT'>, string>> = {
  STRING: 'VARCHAR',
  BYTES: 'BLOB',
  INT64: 'BIGINT',
  FLOAT64: 'DOUBLE',
  NUMERIC: 'DECIMAL(38,9)',
  BIGNUMERIC: 'DECIMAL(38,18)',
  BOOL: 'BOOLEAN',
  TIMESTAMP: 'TIMESTAMP',
  DATETIME: 'TIMESTAMP',
  DATE: 'DATE',
  TIME: 'TIME',
  JSON: 'JSON',
};

/** The DuckDB type of a column or nested field: REPEATED is a LIST, RECORD a STRUCT. */
export function columnType(field: FieldSchema): string {
  const single =
    field.type === 'STRUCT' ? `STRUCT(${columnDefinitions(field.fields)})` : SCALAR_TYPES[field.type];
  return field.mode === 'REPEATED' ? `${single}[]` : single;
}

/** Names and types as CREATE TABLE and STRUCT(…) take them. */
export function columnDefinitions(fields: TableSchema): string {
  return fields.map((field) => `${quoteIdentifier(field.name)} ${columnType(field)}`).join(', ');
}
