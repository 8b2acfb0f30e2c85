import type { FieldSchema, TableSchema } from '../../../../shared/schema/table-schema.ts';
import { quoteLiteral } from '../../../../shared/sql/print/quote.ts';
import { timestampText } from '../../../../shared/sql/values/timestamp-text.ts';
import { parseIsoTimestamp } from '../../../../shared/time/iso-timestamp.ts';

/** A whole number that a double does not hold, by its digits. */
interface ExactNumber {
  readonly digits: string;
}

/** Reads a log file's line; whole numbers beyond 2^53 keep their digits. */
export function readEntry(line: string): Readonly<Record<string, unknown>> {
  return JSON.parse(line, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? { digits: context?.source ?? String(value) }
      : value,
  );
}

/** The entry as a row of INSERT … VALUES, every value with its type. */
export function rowLiteral(schema: TableSchema, entry: Readonly<Record<string, unknown>>): string {
  return `(${schema.map((field) => fieldLiteral(field, entry[field.name])).join(', ')})`;
}

function fieldLiteral(field: FieldSchema, value: unknown): string {
  if (field.mode !== 'REPEATED') return valueLiteral(field, value);
  const elements = (Array.isArray(value) ? value : []).map((element) => valueLiteral(field, element));
  return `ARRAY<${typeName(field)}>[${elements.join(', ')}]`;
}

function valueLiteral(field: FieldSchema, value: unknown): string {
  if (value === null || value === undefined) return `CAST(NULL AS ${typeName(field)})`;
  if (field.type !== 'STRUCT') return scalarLiteral(field, value);
  const values = field.fields.map((inner) =>
    fieldLiteral(inner, (value as Readonly<Record<string, unknown>>)[inner.name]),
  );
  return `${typeName(field)}(${values.join(', ')})`;
}

function scalarLiteral({ type }: FieldSchema, value: unknown): string {
  switch (type) {
    case 'STRING':
      return quoteLiteral(String(value));
    case 'TIMESTAMP': {
      const parsed = parseIsoTimestamp(String(value));
      if ('problem' in parsed) throw new TypeError(parsed.problem);
      return `TIMESTAMP '${timestampText(parsed.micros)}'`;
    }
    case 'INT64':
      return `CAST(${(value as ExactNumber).digits ?? String(value)} AS INT64)`;
    case 'FLOAT64':
      return `CAST(${(value as ExactNumber).digits ?? String(value)} AS FLOAT64)`;
    case 'BOOL':
      return value === true ? 'TRUE' : 'FALSE';
    default:
      throw new TypeError(`no literal of type ${type}`);
  }
}

function typeName(field: FieldSchema): string {
  if (field.type !== 'STRUCT') return field.type;
  return `STRUCT<${field.fields.map(columnDefinition).join(', ')}>`;
}

/** A column or field with its type: `` `path` STRING ``. */
export function columnDefinition(field: FieldSchema): string {
  const type = typeName(field);
  return `\`${field.name}\` ${field.mode === 'REPEATED' ? `ARRAY<${type}>` : type}`;
}
