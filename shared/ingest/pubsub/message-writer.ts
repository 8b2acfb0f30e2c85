import { malformedEntry } from '../../errors/refused-entry.ts';
import type { FieldSchema, TableSchema } from '../../schema/table-schema.ts';
import { MICROS_PER_SECOND } from '../../time/units.ts';
import { doubledKey } from '../../warehouse/duckdb/loading/doubled-key.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  kindOf,
} from '../../warehouse/duckdb/loading/json-value.ts';
import { MalformedEntry } from '../../warehouse/duckdb/loading/malformed-entry.ts';
import { NeedsExactNumbers, parseExactly } from '../../warehouse/duckdb/loading/number-text.ts';
import { idText, refuseValue, scalarText } from '../../warehouse/duckdb/loading/scalar-text.ts';
import { timestampMicros } from '../../warehouse/duckdb/loading/timestamp-value.ts';
import { wireText } from '../../warehouse/duckdb/loading/wire-text.ts';
import { TIME_COLUMN } from '../../warehouse/stored-dataset.ts';

/**
 * Makes the messages of a table's topic. A BigQuery subscription with `use_table_schema` takes a JSON object whose fields are
 * the table's columns: repeated records as arrays, times in ISO 8601, decimal numbers as text, BYTES in base64
 * (https://cloud.google.com/pubsub/docs/bigquery). What the schema lacks is left out, as the subscription would leave it out.
 *
 * The function throws a ServiceError (invalid_argument) that names the entry by its index and the field which BigQuery would not
 * take, so that what was acknowledged does not end as a dead letter.
 */
export function messageWriter(
  schema: TableSchema,
  nowMicros: () => bigint,
): (text: string, index: number) => string {
  const root = recordOf(schema);
  return (text, index) => {
    const path: string[] = [];
    try {
      try {
        return writeMessage(text, JSON.parse);
      } catch (error) {
        if (!(error instanceof NeedsExactNumbers)) throw error;
        path.length = 0;
        return writeMessage(text, parseExactly);
      }
    } catch (error) {
      if (error instanceof SyntaxError) throw malformedEntry(index, '', `it is not JSON: ${error.message}`);
      if (!(error instanceof MalformedEntry)) throw error;
      throw malformedEntry(index, path.join('.'), error.message);
    }

    function writeMessage(json: string, parse: (json: string) => unknown): string {
      const entry = parse(json) as JsonObject;
      const keys = doubledKey(json, keyCount(entry));
      if (keys !== null) {
        path.push(...keys);
        throw new MalformedEntry('is given twice in one object');
      }
      return writeRecord(root, entry, path, nowMicros());
    }
  };
}

/** The columns of a table, or the fields of a record, by their name in lower case: BigQuery compares names without case. */
interface RecordForm {
  readonly fields: ReadonlyMap<string, FieldForm>;
  readonly required: readonly string[];
  readonly isRoot: boolean;
}

interface FieldForm {
  readonly schema: FieldSchema;
  readonly record: RecordForm | null;
}

function recordOf(schema: TableSchema, isRoot = true): RecordForm {
  return {
    isRoot,
    fields: new Map(
      schema.map((field) => [
        field.name.toLowerCase(),
        { schema: field, record: field.type === 'STRUCT' ? recordOf(field.fields, false) : null },
      ]),
    ),
    required: schema.filter(({ mode }) => mode === 'REQUIRED').map(({ name }) => name),
  };
}

function writeRecord(form: RecordForm, object: JsonObject, path: string[], nowMicros: bigint): string {
  const written = new Map<string, string>();
  for (const name of Object.keys(object)) {
    const value = object[name] ?? null;
    const field = form.fields.get(name.toLowerCase());
    if (field === undefined || value === null) continue;
    path.push(name);
    if (written.has(field.schema.name)) {
      throw new MalformedEntry('appears twice (names of fields are compared without regard to case)');
    }
    if (form.isRoot && field.schema.name === TIME_COLUMN) checkPartition(value, nowMicros);
    written.set(field.schema.name, writeField(form, field, value, path, nowMicros));
    path.pop();
  }
  const missing = form.required.find((name) => !written.has(name));
  if (missing !== undefined) {
    path.push(missing);
    throw new MalformedEntry('is missing');
  }
  return `{${[...written].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

function writeField(
  form: RecordForm,
  field: FieldForm,
  value: JsonValue,
  path: string[],
  nowMicros: bigint,
): string {
  const { schema, record } = field;
  const write = (one: JsonValue): string => {
    if (record === null) return writeScalar(form, schema, one);
    return isObject(one) ? writeRecord(record, one, path, nowMicros) : refuseValue('a record', one);
  };
  if (schema.mode !== 'REPEATED') {
    // One record in an array is how some programs write any record.
    return write(
      record !== null && Array.isArray(value) && value.length === 1 ? (value[0] as JsonValue) : value,
    );
  }
  if (!Array.isArray(value) && record === null) {
    throw new MalformedEntry(`${kindOf(value)} does not fit ARRAY<${schema.type}>`);
  }
  const elements: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  if (elements.includes(null)) throw new MalformedEntry('null in an array, which holds no NULL');
  return `[${elements.map(write).join(',')}]`;
}

function writeScalar({ isRoot }: RecordForm, { name, type }: FieldSchema, value: JsonValue): string {
  if (type === 'STRUCT') throw new TypeError('a record has no scalar');
  if (isRoot && name === 'id' && type === 'STRING') return idText(value);
  const text = scalarText(type, value);
  if (type === 'JSON') return JSON.stringify(text);
  return WIRE_TYPES.has(type) ? wireText(type, text, false) : text;
}

/** Types whose text the loader of log files writes in a way of its own. */
const WIRE_TYPES: ReadonlySet<string> = new Set(['BYTES', 'DATETIME', 'TIME', 'NUMERIC', 'BIGNUMERIC']);

/**
 * How far from the present the partitions are that BigQuery writes streamed entries to
 * (https://cloud.google.com/bigquery/docs/streaming-data-into-bigquery, "time-unit column partitioning").
 */
const PAST_MICROS = 10n * 365n * 86_400n * MICROS_PER_SECOND;
const FUTURE_MICROS = 365n * 86_400n * MICROS_PER_SECOND;

function checkPartition(value: JsonValue, nowMicros: bigint): void {
  const micros = timestampMicros(value);
  if (micros >= nowMicros - PAST_MICROS && micros <= nowMicros + FUTURE_MICROS) return;
  throw new MalformedEntry(
    'it is more than 10 years ago or more than a year ahead, where BigQuery takes no entries',
  );
}

function keyCount(value: JsonValue): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one: JsonValue) => sum + keyCount(one), 0);
  if (!isObject(value)) return 0;
  const nested = Object.values(value);
  return nested.reduce((sum: number, one) => sum + keyCount(one), nested.length);
}
