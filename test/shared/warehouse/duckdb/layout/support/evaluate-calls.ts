import type { AggregateName, CallName } from './query.ts';
import type { Type } from './types.ts';
import { ANY, isArray, Json, Struct, type Value } from './values.ts';

export const isTrue = (value: Value): boolean => value === true;

/** What a function answers for its values; all but those named first answer NULL for a NULL. */
export function call(name: CallName, a: Value, b: Value): Value {
  switch (name) {
    case 'IS NULL':
      return a === null;
    case 'IS NOT NULL':
      return a !== null;
    case 'AND':
      if (a === false || b === false) return false;
      return a === null || b === null ? null : true;
    case 'OR':
      if (a === true || b === true) return true;
      return a === null || b === null ? null : false;
    case 'NOT':
      return a === null ? null : !a;
    case 'ARRAY_LENGTH':
      return isArray(a) ? BigInt(a.length) : null;
    case 'LENGTH':
      return typeof a === 'string' ? BigInt([...a].length) : null;
    default:
      return a === null || b === null ? null : callOfTwo(name, a, b);
  }
}

function callOfTwo(name: CallName, a: Value, b: Value): Value {
  switch (name) {
    case '=':
      return compareValues(a, b) === 0;
    case '!=':
      return compareValues(a, b) !== 0;
    case '<':
      return compareValues(a, b) < 0;
    case '>=':
      return compareValues(a, b) >= 0;
    case 'CONTAINS':
      return new RegExp(String(b), 'u').test(String(a));
    case 'STARTS_WITH':
      return String(a).startsWith(String(b));
    default:
      throw new TypeError(`${name} of two values`);
  }
}

/** Less than 0, 0 or more than 0. Texts are compared by the bytes of their UTF-8. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  return Number(a) - Number(b);
}

/** What tells the value of a group's key from others. */
export function keyOf(value: Value): string {
  return value === null ? 'null' : `${typeof value} ${value}`;
}

export function aggregateOf(name: AggregateName, rows: number, values: readonly Value[] | null): Value {
  if (values === null) return BigInt(rows);
  const filled = values.filter((value) => value !== null);
  switch (name) {
    case 'COUNT':
      return BigInt(filled.length);
    case 'COUNT DISTINCT':
      return BigInt(new Set(filled.map(keyOf)).size);
    case 'COUNTIF':
      return BigInt(filled.filter(isTrue).length);
    case 'LOGICAL_OR':
      return filled.length === 0 ? null : filled.some(isTrue);
    case 'MIN':
      return filled.toSorted(compareValues)[0] ?? null;
    case 'MAX':
      return filled.toSorted(compareValues).at(-1) ?? null;
    default: {
      const unreachable: never = name;
      throw new TypeError(`aggregate ${unreachable}`);
    }
  }
}

/** TO_JSON_STRING of a value, as JSON that texts are compared with. Some types' text is left open. */
export function jsonText(value: Value, type: Type | undefined): Json {
  return new Json(type === undefined ? ANY : jsonTree(value, type), true);
}

const LARGEST = 2n ** 53n;

function jsonTree(value: Value, type: Type): unknown {
  if (type.kind === 'array') return isArray(value) ? value.map((one) => jsonTree(one, type.element)) : null;
  if (value === null) return null;
  if (type.kind === 'struct') {
    const values = value instanceof Struct ? value.values : [];
    return Object.fromEntries(
      type.fields.map((field, index) => [field.name, jsonTree(values[index] ?? null, field.type)]),
    );
  }
  if (typeof value === 'bigint' && type.name === 'INT64')
    return value > LARGEST || value < -LARGEST ? String(value) : Number(value);
  if (value instanceof Json) return value.isText ? ANY : value.tree;
  return ['STRING', 'BOOL', 'BYTES', 'DATE', 'FLOAT64'].includes(type.name) ? value : ANY;
}
