import type { SqlType } from '../types/sql-type.ts';

/**
 * Where an explicit cast can go, by type; each type can also be cast to itself.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_rules
 */
const CASTS: Readonly<Record<string, readonly string[]>> = {
  BOOL: ['INT64', 'STRING'],
  INT64: ['BOOL', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC', 'STRING'],
  FLOAT64: ['INT64', 'NUMERIC', 'BIGNUMERIC', 'STRING'],
  NUMERIC: ['INT64', 'FLOAT64', 'BIGNUMERIC', 'STRING'],
  BIGNUMERIC: ['INT64', 'FLOAT64', 'NUMERIC', 'STRING'],
  STRING: [
    'BOOL',
    'INT64',
    'FLOAT64',
    'NUMERIC',
    'BIGNUMERIC',
    'BYTES',
    'DATE',
    'DATETIME',
    'TIME',
    'TIMESTAMP',
    'INTERVAL',
  ],
  BYTES: ['STRING'],
  DATE: ['STRING', 'DATETIME', 'TIMESTAMP'],
  DATETIME: ['STRING', 'DATE', 'TIME', 'TIMESTAMP'],
  TIME: ['STRING'],
  TIMESTAMP: ['STRING', 'DATE', 'DATETIME', 'TIME'],
  INTERVAL: ['STRING'],
  JSON: [],
};

/**
 * Whether GoogleSQL has an explicit cast between two types. Structs cast field by field; arrays only to arrays of the
 * same element type, or of one that the element can be cast to.
 */
export function castAllowed(from: SqlType, to: SqlType): boolean {
  if (from.kind === 'ARRAY') return to.kind === 'ARRAY' && castAllowed(from.element, to.element);
  if (from.kind === 'STRUCT') {
    return (
      to.kind === 'STRUCT' &&
      from.fields.length === to.fields.length &&
      from.fields.every((field, index) => {
        const target = to.fields[index];
        return target !== undefined && castAllowed(field.type, target.type);
      })
    );
  }
  return from.kind === to.kind || (CASTS[from.kind]?.includes(to.kind) ?? false);
}
