import type { FieldSchema, TableSchema } from '../../../../../../shared/schema/table-schema.ts';
import type { Choices } from './choices.ts';
import type { ScalarName } from './types.ts';
import { Json, Struct, type Value } from './values.ts';

/** An entry of a source: what is in it, and the line of a log file that says so. */
export interface MadeEntry {
  readonly row: Struct;
  readonly line: string;
}

/** A value, and JSON that the loader reads as this value; `undefined` for a field that is left out. */
interface Made {
  readonly value: Value;
  readonly json: unknown;
}

/** Texts that are alike in part, so that conditions meet some of them. */
export const TEXTS = [
  ...['a', 'b', '', 'Bc', '/rest/v1/a', '/auth/v1', '/rest', 'it\'s "x" \\', 'Ä€😀', 'line\nbreak\t', 'NULL'],
  ...['{"a":1}', '9007199254740993', 'NaN', 'null', '[]', '%_', '\u007f\u2028'],
];
export const INTEGERS = [
  ...[0n, 1n, 2n, 200n, 404n, -1n, 500n, 9007199254740991n, 9007199254740992n, 9007199254740993n],
  ...[-9007199254740993n, 9223372036854775807n, -9223372036854775808n],
];
const FLOATS = [0, 1.5, -2.25, 1e300, 1e-7, 3, 123456789.125, 1e21];
const NUMERICS = ['0', '1.5', '-2', '12345678901234567890.123456789', '100'];
const BYTES = ['', 'AA==', '//79', 'aGVsbG8='];
export const DATES = ['2024-01-01', '2024-02-29', '1969-12-31', '9999-12-31'];
const TIMES = ['00:00:00', '23:59:59.999999', '12:30:00.500000', '06:00:00'];
export const MOMENTS = [
  0n,
  1704067200000000n,
  1704067200000001n,
  -1n,
  253402300799999999n,
  1704153600123000n,
];
const JSONS = [1, 'x', true, { a: 1, b: [null, 'y'] }, [], {}, [1.5, 'NaN'], 9007199254740991];

/** Entries whose times repeat. */
const FIRST_MICROS = 1_704_067_200_000_000n;

export function madeEntry(choices: Choices, schema: TableSchema, index: number): MadeEntry {
  const micros = FIRST_MICROS + BigInt(choices.below(4)) * 1_000_000n;
  const fixed: Readonly<Record<string, Made>> = {
    id: { value: `e${index}`, json: `e${index}` },
    timestamp: { value: micros, json: Number(micros) },
  };
  const made = schema.map((field) => fixed[field.name] ?? madeValue(choices, field));
  return {
    row: new Struct(made.map(({ value }) => value)),
    line: textOf(Object.fromEntries(schema.map((field, at) => [field.name, made[at]?.json]))),
  };
}

function madeValue(choices: Choices, field: FieldSchema): Made {
  if (field.mode === 'REPEATED') return madeArray(choices, field);
  if (field.mode !== 'REQUIRED' && choices.chance(30)) {
    return { value: null, json: choices.chance(50) ? null : undefined };
  }
  return madeSingle(choices, field);
}

function madeArray(choices: Choices, field: FieldSchema): Made {
  const size = field.type === 'STRUCT' ? recordCount(choices) : choices.below(4);
  const elements = Array.from({ length: size }, () => madeSingle(choices, field));
  const value = elements.map((element) => element.value);
  if (size === 0) return { value, json: choices.pick([[], null, undefined]) };
  // A record may stand in a log file for an array with this record alone.
  const isPlain = field.type === 'STRUCT' && size === 1 && choices.chance(50);
  return { value, json: isPlain ? elements[0]?.json : elements.map((element) => element.json) };
}

/** Nearly always one, as in logs. */
function recordCount(choices: Choices): number {
  const percent = choices.below(100);
  return percent < 65 ? 1 : percent < 82 ? 0 : percent < 95 ? 2 : 3;
}

function madeSingle(choices: Choices, field: FieldSchema): Made {
  if (field.type !== 'STRUCT') return madeScalar(choices, field.type);
  const hasNullsOnly = choices.chance(15) && field.fields.every(({ mode }) => mode !== 'REQUIRED');
  const made = field.fields.map((nested): Made => {
    if (!hasNullsOnly) return madeValue(choices, nested);
    return { value: nested.mode === 'REPEATED' ? [] : null, json: choices.pick([null, undefined]) };
  });
  return {
    value: new Struct(made.map(({ value }) => value)),
    json: Object.fromEntries(field.fields.map((nested, index) => [nested.name, made[index]?.json])),
  };
}

function madeScalar(choices: Choices, type: ScalarName): Made {
  const same = (value: string | number | boolean): Made => ({ value, json: value });
  switch (type) {
    case 'STRING':
      return same(choices.pick(TEXTS));
    case 'INT64': {
      const value = choices.pick(INTEGERS);
      return { value, json: new Digits(value) };
    }
    case 'FLOAT64':
      return same(choices.pick(FLOATS));
    case 'BOOL':
      return same(choices.chance(50));
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return same(choices.pick(NUMERICS));
    case 'BYTES':
      return same(choices.pick(BYTES));
    case 'DATE':
      return same(choices.pick(DATES));
    case 'TIME':
      return same(choices.pick(TIMES));
    case 'DATETIME':
      return same(`${choices.pick(DATES)}T${choices.pick(TIMES)}`);
    case 'TIMESTAMP': {
      const value = choices.pick(MOMENTS);
      return { value, json: timestampText(value) };
    }
    case 'JSON': {
      const tree = choices.pick(JSONS);
      return { value: new Json(tree), json: tree };
    }
    default: {
      const unreachable: never = type;
      throw new TypeError(`type ${unreachable}`);
    }
  }
}

/** A whole number whose digits are written as they are. */
class Digits {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

/** ISO 8601 with microseconds. */
function timestampText(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${String(fraction).padStart(6, '0')}Z`;
}

/** JSON.stringify, but whole numbers keep all their digits. */
export function textOf(json: unknown): string {
  const digits: string[] = [];
  const text = JSON.stringify(json, (_key, value: unknown) => {
    if (!(value instanceof Digits)) return value;
    digits.push(String(value.value));
    return `\u0001${digits.length - 1}\u0001`;
  });
  return text.replaceAll(/"\\u0001(\d+)\\u0001"/g, (_, index) => digits[Number(index)] ?? '');
}

/** Fields that no schema has, of all kinds of values; names that are odd, or like the layout's own. */
const FURTHER_FIELDS: readonly string[] = [
  '"more":{"a":1,"ü b":[{"deep":{"value":"x"}}]}',
  '"more":[{"a":9007199254740993},{"a":2,"value":"NaN"}]',
  '"more":{},"present_":true',
  '"more":null,"__proto__":{"a":"1"}',
  '"1":{"2":{"3":[1,2]}},"more":[{"ü b":{"deep":[{"value":null},{"value":"y"}]}}]',
  '"more":{"a":0.5,"a-b":{"metadata:":"z"}}',
];

/** The entry with a further field, at the top and in its last record. */
export function extendedEntry({ row, line }: MadeEntry, index: number): MadeEntry {
  const further = FURTHER_FIELDS[index % FURTHER_FIELDS.length] ?? '';
  const isNested = index % 2 === 0;
  const text = isNested ? line.replace(/\{"[^{]*$/, (last) => `{"further_":${index},${last.slice(1)}`) : line;
  return { row, line: text === line ? `{${further},${line.slice(1)}` : text };
}
