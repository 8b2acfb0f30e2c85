import { NumberText } from './number-text.ts';

/** What a line of JSON holds; a number that a double cannot hold exactly is a `NumberText`. */
export type JsonValue = null | boolean | number | string | NumberText | readonly JsonValue[] | JsonObject;

/** A JSON object, its members by name. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Whether a value is a JSON object, which null, a list and a number are not. */
export function isObject(value: JsonValue): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  );
}

/** The kind of a value in words for an error message. */
export function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'a string';
  if (typeof value === 'boolean') return 'a boolean';
  if (typeof value === 'number' || value instanceof NumberText) return 'a number';
  return Array.isArray(value) ? 'an array' : 'an object';
}
