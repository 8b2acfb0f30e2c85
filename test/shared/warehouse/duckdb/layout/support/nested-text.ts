import type { FieldSchema, TableSchema } from '../../../../../../shared/schema/table-schema.ts';
import { parseExactly } from '../../../../../../shared/warehouse/duckdb/loading/number-text.ts';
import {
  timestampMicros,
  timestampText,
} from '../../../../../../shared/warehouse/duckdb/loading/timestamp-value.ts';
import { SCALAR_TYPES } from '../../../../../../shared/warehouse/duckdb/store/column-type.ts';

type Json = Readonly<Record<string, unknown>>;

/** An entry of a log file as JSON that DuckDB's from_json reads: every field is there, and records are in arrays where they repeat. */
export function nestedText(line: string, schema: TableSchema): string {
  return JSON.stringify(recordOf(parseExactly(line) as Json, schema));
}

function recordOf(record: Json, fields: TableSchema): Json {
  return Object.fromEntries(fields.map((field) => [field.name, fieldOf(record[field.name] ?? null, field)]));
}

function fieldOf(value: unknown, field: FieldSchema): unknown {
  if (field.mode !== 'REPEATED') return singleOf(value, field);
  const elements = Array.isArray(value) ? value : value === null ? [] : [value];
  return elements.map((element: unknown) => singleOf(element, field));
}

function singleOf(value: unknown, { type, fields }: FieldSchema): unknown {
  if (value === null) return null;
  if (type === 'STRUCT') return recordOf(value as Json, fields);
  if (type === 'TIMESTAMP') {
    return JSON.parse(timestampText(timestampMicros(value as Parameters<typeof timestampMicros>[0])));
  }
  // A field whose entries hold several types is text.
  return type === 'STRING' && typeof value !== 'string' ? String(value) : value;
}

/** The structure that from_json reads such entries by. */
export function nestedStructure(fields: TableSchema): Json {
  return Object.fromEntries(
    fields.map((field) => {
      const single = field.type === 'STRUCT' ? nestedStructure(field.fields) : SCALAR_TYPES[field.type];
      return [field.name, field.mode === 'REPEATED' ? [single] : single];
    }),
  );
}
