import type { FieldSchema, FieldType, TableSchema } from './table-schema.ts';

/** What the entries of a table take in BigQuery, by leaf column. */
export interface LeafBytes {
  readonly entries: number;
  /** Bytes of all entries together by the leaf's path, such as `metadata.request.url`; every leaf of the schema is there. */
  readonly bytes: ReadonlyMap<string, number>;
}

/** Adds entries up, one after the other. */
export interface LeafMeter {
  /** Counts an entry as its line of NDJSON has it; fields that the schema does not have count nothing. */
  add(entry: unknown): void;
  total(): LeafBytes;
}

/** Logical bytes of a value by its type, from BigQuery's documentation ("Data type sizes"); null for text, which has its own. */
const FIXED_BYTES: Readonly<Record<FieldType, number | null>> = {
  STRING: null,
  BYTES: null,
  JSON: null,
  INT64: 8,
  FLOAT64: 8,
  NUMERIC: 16,
  BIGNUMERIC: 32,
  BOOL: 1,
  TIMESTAMP: 8,
  DATETIME: 8,
  DATE: 8,
  TIME: 8,
  STRUCT: 0,
};
/** A text takes so many bytes besides its characters. */
const TEXT_BYTES = 2;

/** Measures how many logical bytes entries of a schema take, which is what BigQuery stores and bills them as. */
export function leafMeter(schema: TableSchema): LeafMeter {
  const bytes = new Map<string, number>(
    schema.flatMap((field) => leavesOf(field, '')).map((leaf) => [leaf, 0]),
  );
  let entries = 0;

  function addField(field: FieldSchema, value: unknown, prefix: string): void {
    if (value === null || value === undefined) return;
    const elements = field.mode === 'REPEATED' && Array.isArray(value) ? value : [value];
    for (const element of elements) addValue(field, element, `${prefix}${field.name}`);
  }

  function addValue(field: FieldSchema, value: unknown, path: string): void {
    if (value === null || value === undefined) return;
    if (field.type === 'STRUCT') {
      for (const inner of field.fields) addField(inner, memberOf(value, inner.name), `${path}.`);
    } else bytes.set(path, (bytes.get(path) ?? 0) + bytesOf(field.type, value));
  }

  return {
    add(entry) {
      entries += 1;
      for (const field of schema) addField(field, memberOf(entry, field.name), '');
    },
    total: () => ({ entries, bytes: new Map(bytes) }),
  };
}

/** The paths of the leaves in a field, in the schema's order. */
function leavesOf({ name, fields }: FieldSchema, prefix: string): readonly string[] {
  const path = `${prefix}${name}`;
  return fields.length === 0 ? [path] : fields.flatMap((field) => leavesOf(field, `${path}.`));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function bytesOf(type: FieldType, value: unknown): number {
  const fixed = FIXED_BYTES[type];
  if (fixed !== null) return fixed;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const length = Buffer.byteLength(text);
  return TEXT_BYTES + (type === 'BYTES' ? Math.floor((length * 3) / 4) : length);
}
