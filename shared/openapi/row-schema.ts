import type { Column, ScalarTypeName, SqlType, StructType } from '../sql/types/sql-type.ts';
import { closedObject, type JsonSchema, nullable, refTo } from './json-schema.ts';

const TEXT = { type: ['string', 'null'] };

/** What a value of each of GoogleSQL's scalar types is in an answer (docs/http-api.md, "Answers"); each may be NULL. */
export const WIRE_SCHEMAS: Readonly<Record<ScalarTypeName, JsonSchema>> = {
  BOOL: { type: ['boolean', 'null'] },
  INT64: {
    description: 'A number; beyond ±2^53 a string, so that no digit is lost',
    type: ['integer', 'string', 'null'],
    pattern: '^-?[0-9]{16,19}$',
  },
  FLOAT64: {
    description: 'A number, or what JSON has no number for',
    anyOf: [{ type: ['number', 'null'] }, { enum: ['NaN', 'Infinity', '-Infinity'] }],
  },
  NUMERIC: { description: 'A decimal number with all its digits', ...TEXT },
  BIGNUMERIC: { description: 'A decimal number with all its digits', ...TEXT },
  STRING: TEXT,
  BYTES: { ...TEXT, contentEncoding: 'base64' },
  DATE: { ...TEXT, format: 'date' },
  DATETIME: {
    description: 'A date and a time without a zone',
    ...TEXT,
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{6})?$',
  },
  TIME: {
    description: 'A time of day without a zone',
    ...TEXT,
    pattern: '^[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{6})?$',
  },
  TIMESTAMP: {
    description: 'Microseconds since 1970-01-01T00:00:00Z, unless the parameter `timestamps` says otherwise',
    type: ['integer', 'string', 'null'],
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{6})?Z$',
  },
  INTERVAL: TEXT,
  JSON: { description: 'Any JSON value' },
};

/** The schema of a row with these columns. A value may always be null; nested records are lists of objects. */
export function rowSchema(columns: readonly Column[]): JsonSchema {
  return closedObject(Object.fromEntries(columns.map(({ name, type }) => [name, valueSchema(type)])));
}

function valueSchema(type: SqlType): JsonSchema {
  switch (type.kind) {
    case 'ARRAY':
      return { type: ['array', 'null'], items: valueSchema(type.element) };
    case 'STRUCT':
      return nullable(closedObject(fieldSchemas(type)));
    default:
      return refTo('schemas', type.kind);
  }
}

/** A field without a name is called by its place, as everywhere on the wire. */
function fieldSchemas({ fields }: StructType): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    fields.map(({ name, type }, index) => [name === '' ? `_field_${index + 1}` : name, valueSchema(type)]),
  );
}
