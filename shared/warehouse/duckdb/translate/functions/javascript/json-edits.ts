import {
  isJsonArray,
  isJsonObject,
  type JsonDocument,
  sortedFields,
} from '../../../../../sql/values/json-document.ts';
import { REFUSAL } from '../../not-supported.ts';
import type { JsonStep } from '../json-path.ts';
import { ValueError } from './javascript-function.ts';

/** Makes a new value out of one; undefined where there is none. */
type Edit = (value: JsonDocument | undefined) => JsonDocument;

/** Longest array that GoogleSQL makes. */
const MAX_ARRAY = 1_000_000;

/** Most elements that an index adds: an edit makes values of many rows at a time. */
export const MAX_PADDING = 10_000;

const isNothing = (value: JsonDocument | undefined): value is null | undefined =>
  value === undefined || value === null;

/** A value with what lies at a path made anew; what the path leads to is made where nothing or null is. */
export function setAt(
  value: JsonDocument | undefined,
  [step, ...rest]: readonly JsonStep[],
  edit: Edit,
): JsonDocument {
  if (step === undefined) return edit(value);
  if (typeof step === 'string') {
    if (!isNothing(value) && !isJsonObject(value)) return value;
    const fields = new Map(value ?? []);
    return fields.set(step, setAt(fields.get(step), rest, edit));
  }
  if (!isNothing(value) && !isJsonArray(value)) return value;
  const elements = padded(value ?? [], step + 1);
  return elements.with(step, setAt(elements[step], rest, edit));
}

function padded(elements: readonly JsonDocument[], length: number): readonly JsonDocument[] {
  if (length <= elements.length) return elements;
  if (length > MAX_ARRAY) throw new ValueError(`Exceeded maximum array size of ${MAX_ARRAY}`);
  if (length - elements.length > MAX_PADDING)
    throw new ValueError(`${REFUSAL}an index of JSON that adds more than ${MAX_PADDING} elements`);
  return [...elements, ...Array<null>(length - elements.length).fill(null)];
}

/** The value that a path leads to; undefined where it leads nowhere. */
export function valueAt(value: JsonDocument, path: readonly JsonStep[]): JsonDocument | undefined {
  let found: JsonDocument | undefined = value;
  for (const step of path) {
    if (typeof step === 'string') found = isJsonObject(found) ? found.get(step) : undefined;
    else found = isJsonArray(found) ? found[step] : undefined;
  }
  return found;
}

/** setAt() where the path leads to something; otherwise the value as it is. */
export function replaceAt(value: JsonDocument, path: readonly JsonStep[], edit: Edit): JsonDocument {
  return valueAt(value, path) === undefined ? value : setAt(value, path, edit);
}

/** A value without what lies at a path. */
export function removeAt(value: JsonDocument, path: readonly JsonStep[]): JsonDocument {
  const last = path.at(-1);
  if (last === undefined) throw new ValueError("The JSONPath cannot be '$'");
  return replaceAt(value, path.slice(0, -1), (parent = null) => {
    if (typeof last === 'number')
      return isJsonArray(parent) ? parent.filter((_, index) => index !== last) : parent;
    return isJsonObject(parent) ? new Map([...parent].filter(([name]) => name !== last)) : parent;
  });
}

/** A value with elements after those of the array at a path, or in it, where the path ends in an index. */
export function insertAt(
  value: JsonDocument,
  path: readonly JsonStep[],
  isAppended: boolean,
  added: readonly JsonDocument[],
): JsonDocument {
  const last = path.at(-1);
  if (isAppended) return replaceAt(value, path, (array = null) => withInserted(array, null, added));
  if (typeof last !== 'number') return value;
  return replaceAt(value, path.slice(0, -1), (array = null) => withInserted(array, last, added));
}

/** A null becomes an array, and what is none stays as it is. */
function withInserted(
  array: JsonDocument,
  index: number | null,
  added: readonly JsonDocument[],
): JsonDocument {
  if (array !== null && !isJsonArray(array)) return array;
  const elements = padded(array ?? [], index ?? 0);
  const at = index ?? elements.length;
  if (elements.length + added.length > MAX_ARRAY)
    throw new ValueError(`Exceeded maximum array size of ${MAX_ARRAY}`);
  return [...elements.slice(0, at), ...added, ...elements.slice(at)];
}

interface Stripping {
  /** Whether elements that are null go as well. */
  readonly arrays: boolean;
  /** Whether what is empty then goes too: objects, and arrays if they are stripped. */
  readonly empty: boolean;
}

/** A value without fields that are null; null where nothing is left of it. */
export function stripNulls(value: JsonDocument, how: Stripping): JsonDocument {
  if (isJsonObject(value)) {
    const fields = [...value].flatMap(([name, field]): [string, JsonDocument][] => {
      const stripped = stripNulls(field, how);
      return stripped === null ? [] : [[name, stripped]];
    });
    return how.empty && fields.length === 0 ? null : new Map(fields);
  }
  if (!isJsonArray(value)) return value;
  const elements = value.map((element) => stripNulls(element, how));
  if (!how.arrays) return elements.map((element, index) => element ?? emptied(value[index] ?? null));
  const kept = elements.filter((element) => element !== null);
  return how.empty && kept.length === 0 ? null : kept;
}

/** An element that stays, although nothing is left of it. */
function emptied(element: JsonDocument): JsonDocument {
  return isJsonObject(element) ? new Map() : element;
}

/** How JSON_KEYS treats arrays: it passes over all of them, over arrays in arrays, or over none. */
export type KeysMode = 'strict' | 'lax' | 'lax recursive';

/** The paths to all fields of objects, in the order of their text. Lax modes look into arrays, the last also into arrays of arrays. */
export function jsonKeys(value: JsonDocument, depth: number, mode: KeysMode): readonly string[] {
  const keys = new Set<string>();
  const collect = (inner: JsonDocument, path: string, level: number, isElement: boolean): void => {
    if (isJsonArray(inner)) {
      if (mode === 'strict' || (isElement && mode === 'lax')) return;
      for (const element of inner) collect(element, path, level, true);
      return;
    }
    if (!isJsonObject(inner) || level === depth) return;
    for (const [name, field] of sortedFields(inner)) {
      const key = path === '' && level === 0 ? shownName(name) : `${path}.${shownName(name)}`;
      keys.add(key);
      collect(field, key, level + 1, false);
    }
  };
  collect(value, '', 0, false);
  return [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** A name stands in quotes if it has a dot, or what JSON escapes. */
function shownName(name: string): string {
  const quoted = JSON.stringify(name);
  return name.includes('.') || quoted.length > name.length + 2 ? quoted : name;
}
