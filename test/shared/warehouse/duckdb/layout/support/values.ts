import type { Type } from './types.ts';

/**
 * A value as the evaluation in these tests has it. INT64 and TIMESTAMP (microseconds) are bigints, FLOAT64 a number; other
 * scalars are the text in which an answer has them.
 */
export type Value = null | bigint | number | string | boolean | Struct | Json | readonly Value[];

/** The values of a record in the order of its fields. */
export class Struct {
  readonly values: readonly Value[];

  constructor(values: readonly Value[]) {
    this.values = values;
  }
}

/** A value of the type JSON, or the text of one; a part may be `ANY`, where the test does not say what is right. */
export class Json {
  readonly tree: unknown;
  readonly isText: boolean;

  constructor(tree: unknown, isText = false) {
    this.tree = tree;
    this.isText = isText;
  }
}

/** Every value of an answer is as right as any other. */
export const ANY = Symbol('any');

/** An array that is NULL, within a record: an answer has it as an empty array, or as null. */
const NO_ARRAY = Symbol('no array');

export const isArray = (value: Value): value is readonly Value[] => Array.isArray(value);

const LARGEST = 2n ** 53n;

/** What an answer has in place of a value, once its text is parsed. */
export function wire(value: Value, type: Type): unknown {
  if (type.kind === 'array') return isArray(value) ? value.map((one) => wire(one, type.element)) : [];
  if (value === null || value instanceof Json) return value;
  if (value instanceof Struct) {
    const { fields } = type as Extract<Type, { kind: 'struct' }>;
    return Object.fromEntries(
      fields.map((field, index) => [field.name, nestedWire(value.values[index] ?? null, field.type)]),
    );
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'bigint') return value;
  const isTime = type.kind === 'scalar' && type.name === 'TIMESTAMP';
  return isTime || (value <= LARGEST && value >= -LARGEST) ? Number(value) : String(value);
}

function nestedWire(value: Value, type: Type): unknown {
  return value === null && type.kind === 'array' ? NO_ARRAY : wire(value, type);
}

/** In how many places of a value the test does not say what is right. */
export function unknownParts(expected: unknown): number {
  if (expected === ANY) return 1;
  if (expected instanceof Json) return unknownParts(expected.tree);
  if (typeof expected !== 'object' || expected === null) return 0;
  return Object.values(expected).reduce<number>((sum, one) => sum + unknownParts(one), 0);
}

/** Whether an answer's value is what `wire` made. */
export function matches(expected: unknown, actual: unknown): boolean {
  if (expected === ANY) return true;
  if (expected === NO_ARRAY) return actual === null || (Array.isArray(actual) && actual.length === 0);
  if (expected instanceof Json) return matches(expected.tree, parsed(actual, expected.isText));
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((one, index) => matches(one, actual[index]));
  }
  if (typeof expected !== 'object' || expected === null) return expected === actual;
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return false;
  const [names, found] = [Object.keys(expected), Object.keys(actual)];
  if (names.length !== found.length || names.some((name, index) => name !== found[index])) return false;
  return Object.entries(expected).every(([name, one]) =>
    matches(one, (actual as Readonly<Record<string, unknown>>)[name]),
  );
}

function parsed(actual: unknown, isText: boolean): unknown {
  if (!isText) return actual;
  try {
    return JSON.parse(String(actual));
  } catch {
    return actual;
  }
}
