import { parseTimestamp } from '../../../sql/values/civil-time.ts';
import type { FieldSchema } from '../rest/answers.ts';
import { InvalidResponse } from '../rest/invalid-response.ts';

/** Writes a value of BigQuery's REST form as JSON text in wire types (docs/http-api.md). */
type Write = (value: unknown) => string;

/** Whole numbers with fewer digits than this are exact in every JSON reader. */
const EXACT_DIGITS = 16;
const LARGEST_EXACT = 2n ** 53n;

/** For a value that is not in the form which BigQuery documents for its type. */
function malformed(type: string): InvalidResponse {
  return new InvalidResponse(`a value of type ${type} is not in its REST form`);
}

/**
 * Makes the function that writes one row, `{"f":[{"v":…}]}`, as the text of a JSON object. The columns are called
 * `names`; their types are those of the schema. It throws InvalidResponse for a row of another shape.
 */
export function makeRowWriter(
  schema: readonly FieldSchema[],
  names: readonly string[],
): (row: unknown) => string {
  if (schema.length !== names.length) throw malformed('row');
  return structWriter(schema, names);
}

function structWriter(fields: readonly FieldSchema[], names: readonly string[]): Write {
  const heads = names.map((name, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  const writers = fields.map(fieldWriter);
  return (value) => {
    const cells = cellsOf(value);
    if (cells?.length !== writers.length) throw malformed('STRUCT');
    let text = '';
    for (let index = 0; index < writers.length; index++) {
      text += heads[index];
      text += writers[index]?.(cellValue(cells[index]));
    }
    return text === '' ? '{}' : `${text}}`;
  };
}

function cellsOf(row: unknown): readonly unknown[] | null {
  const isRow = typeof row === 'object' && row !== null && 'f' in row && Array.isArray(row.f);
  return isRow ? (row as { f: readonly unknown[] }).f : null;
}

function cellValue(cell: unknown): unknown {
  if (typeof cell !== 'object' || cell === null || !('v' in cell)) throw malformed('cell');
  return cell.v;
}

function fieldWriter(field: FieldSchema): Write {
  const write = valueWriter(field);
  if (field.mode !== 'REPEATED') return (value) => (value === null ? 'null' : write(value));
  return (value) => {
    if (value === null) return '[]';
    if (!Array.isArray(value)) throw malformed('ARRAY');
    let text = '';
    for (let index = 0; index < value.length; index++) {
      const element = cellValue(value[index]);
      if (index > 0) text += ',';
      text += element === null ? 'null' : write(element);
    }
    return `[${text}]`;
  };
}

function valueWriter({ type, fields }: FieldSchema): Write {
  if (type === 'RECORD' || type === 'STRUCT') return structWriter(fields ?? [], fieldNames(fields ?? []));
  const write = SCALARS.get(type);
  if (write === undefined) throw malformed(type);
  return (value) => {
    if (typeof value !== 'string') throw malformed(type);
    return write(value);
  };
}

/** Fields of a struct may lack a name, or share one; keys of an object may not. */
function fieldNames(fields: readonly FieldSchema[]): readonly string[] {
  const taken = new Set<string>();
  return fields.map(({ name = '' }, index) => {
    const wanted = name === '' ? `_field_${index + 1}` : name;
    const unique = taken.has(wanted.toLowerCase()) ? `${wanted}_${index + 1}` : wanted;
    taken.add(unique.toLowerCase());
    return unique;
  });
}

const SCALARS: ReadonlyMap<string, (text: string) => string> = new Map([
  ['STRING', JSON.stringify],
  ['BYTES', JSON.stringify],
  ['NUMERIC', JSON.stringify],
  ['BIGNUMERIC', JSON.stringify],
  ['DATE', JSON.stringify],
  ['INTERVAL', JSON.stringify],
  ['GEOGRAPHY', JSON.stringify],
  ['INTEGER', writeInteger],
  ['INT64', writeInteger],
  ['FLOAT', writeFloat],
  ['FLOAT64', writeFloat],
  ['BOOLEAN', writeBoolean],
  ['BOOL', writeBoolean],
  ['TIMESTAMP', writeTimestamp],
  ['DATETIME', writeClockTime],
  ['TIME', writeClockTime],
  // BigQuery writes JSON values as JSON text, so that they are part of the row as they are.
  ['JSON', (text) => text],
]);

const WHOLE_NUMBER = /^-?\d+$/;

function writeInteger(text: string): string {
  if (!WHOLE_NUMBER.test(text)) throw malformed('INT64');
  if (text.length < EXACT_DIGITS) return text;
  const value = BigInt(text);
  return value <= LARGEST_EXACT && value >= -LARGEST_EXACT ? text : `"${text}"`;
}

/**
 * Asked for as microseconds since the epoch, which stay a number however large they are. The emulator writes those in
 * arrays and structs as text.
 */
function writeTimestamp(text: string): string {
  if (WHOLE_NUMBER.test(text)) return text;
  const micros = parseTimestamp(text);
  if (micros === null) throw malformed('TIMESTAMP');
  return String(micros);
}

function writeFloat(text: string): string {
  const value = Number(text);
  if (Number.isFinite(value) && text !== '') return JSON.stringify(value);
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(text);
  if (infinity !== null) return infinity[1] === '-' ? '"-Infinity"' : '"Infinity"';
  if (/^nan$/i.test(text)) return '"NaN"';
  throw malformed('FLOAT64');
}

function writeBoolean(text: string): string {
  if (text !== 'true' && text !== 'false') throw malformed('BOOL');
  return text;
}

/** Fractions of a second have six digits or none. */
function writeClockTime(text: string): string {
  const dot = text.indexOf('.');
  if (dot < 0) return JSON.stringify(text);
  const fraction = text.slice(dot + 1).padEnd(6, '0');
  return JSON.stringify(fraction === '000000' ? text.slice(0, dot) : `${text.slice(0, dot)}.${fraction}`);
}
