import {
  isJsonArray,
  isJsonObject,
  type JsonDocument,
  JsonNumber,
  JsonSyntaxError,
  printJson,
  readJson,
} from '../../../../../sql/values/json-document.ts';
import {
  isLaxJsonPath,
  type JsonPathDialect,
  type JsonStep,
  type LaxJsonPath,
  readJsonPath,
  readLaxJsonPath,
  readStrictJsonPath,
} from '../json-path.ts';
import { forLast, type JavaScriptFunction, javaScriptFunction, ValueError } from './javascript-function.ts';
import {
  insertAt,
  jsonKeys,
  type KeysMode,
  removeAt,
  replaceAt,
  setAt,
  stripNulls,
  valueAt,
} from './json-edits.ts';
import { knownJson } from './known-json.ts';
import { findArrayInText, findInText, quotedJson } from './loose-json.ts';

function parsed(text: string, isExact: boolean): string {
  try {
    return printJson(readJson(text, isExact));
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new ValueError(`Invalid input to PARSE_JSON: ${error.message}`);
    throw error;
  }
}

/** The index that a name stands for in an array of a JSON value. */
function indexOf(name: string): number {
  return /^-?0*\d{1,15}$/.test(name) ? Number(name) : -1;
}

/** What names lead to in a JSON value. */
function followed(value: JsonDocument, names: readonly string[]): JsonDocument | undefined {
  let found: JsonDocument | undefined = value;
  for (const name of names) {
    if (isJsonObject(found)) found = found.get(name);
    else found = isJsonArray(found) ? found[indexOf(name)] : undefined;
  }
  return found;
}

/** What a lax path leads to: a name looks into arrays, and index 0 takes what is no array for its one element. */
function followedLax(value: JsonDocument, { steps, isRecursive }: LaxJsonPath): readonly JsonDocument[] {
  return steps.reduce<readonly JsonDocument[]>(
    (found, step) => found.flatMap((one) => nextLax(one, step, isRecursive)),
    [value],
  );
}

function nextLax(value: JsonDocument, step: JsonStep, isRecursive: boolean): readonly JsonDocument[] {
  if (typeof step === 'number') {
    const element = isJsonArray(value) ? value[step] : step === 0 ? value : undefined;
    return element === undefined ? [] : [element];
  }
  if (isJsonArray(value)) {
    const inner = isRecursive ? flattened(value) : value;
    return inner.flatMap((one) => (isJsonArray(one) ? [] : nextLax(one, step, isRecursive)));
  }
  const field = isJsonObject(value) ? value.get(step) : undefined;
  return field === undefined ? [] : [field];
}

/** A single value's text; null for null, an array and an object. */
function singleText(value: JsonDocument): string | null {
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'boolean' ? String(value) : null;
}

/** What stands in arrays in arrays, one after the other; anything else by itself. */
function flattened(value: JsonDocument): readonly JsonDocument[] {
  return isJsonArray(value) ? value.flatMap(flattened) : [value];
}

const MODES: readonly KeysMode[] = ['strict', 'lax', 'lax recursive'];

function modeOf(text: string): KeysMode {
  const mode = MODES.find((known) => known === text.toLowerCase());
  if (mode === undefined) throw new ValueError('Invalid JSON mode specified');
  return mode;
}

/** Readers of paths for each dialect: `$.a` of GoogleSQL's JSON functions, and of those that it had before. */
function atPaths(dialect: JsonPathDialect): readonly JavaScriptFunction[] {
  const names = forLast((path) => readJsonPath(path, dialect));
  const of = (kind: string) => `gsql_json_${dialect}_${kind}`;
  return [
    javaScriptFunction(of('text_value'), ['VARCHAR', 'VARCHAR'], 'VARCHAR', (text, path) =>
      findInText(text, names(path), 'value'),
    ),
    javaScriptFunction(of('text_query'), ['VARCHAR', 'VARCHAR'], 'VARCHAR', (text, path) =>
      findInText(text, names(path), 'query'),
    ),
    javaScriptFunction(of('text_value_array'), ['VARCHAR', 'VARCHAR'], 'VARCHAR[]', (text, path) =>
      findArrayInText(text, names(path), 'value-array'),
    ),
    javaScriptFunction(of('text_query_array'), ['VARCHAR', 'VARCHAR'], 'VARCHAR[]', (text, path) =>
      findArrayInText(text, names(path), 'query-array'),
    ),
    javaScriptFunction(of('at'), ['VARCHAR', 'VARCHAR'], 'VARCHAR', (text, path) => {
      const found = followed(knownJson(text), names(path));
      return found === undefined ? null : printJson(found);
    }),
  ];
}

/** Whole numbers up to here are all FLOAT64; GoogleSQL counts no larger one as exact. */
const MAX_EXACT = 2n ** 53n;

const strictPath = forLast(readStrictJsonPath);
const laxPath = forLast(readLaxJsonPath);
const plainPath = forLast((path) => readJsonPath(path, 'standard'));

/** What a path leads to; an array of all that a lax path leads to. */
function queried(value: JsonDocument, path: string): JsonDocument | undefined {
  return isLaxJsonPath(path) ? followedLax(value, laxPath(path)) : followed(value, plainPath(path));
}

/** JSON functions. JSON values are their text. */
export const JSON_FUNCTIONS: readonly JavaScriptFunction[] = [
  ...atPaths('standard'),
  ...atPaths('legacy'),
  javaScriptFunction('gsql_json_query', ['VARCHAR', 'VARCHAR'], 'VARCHAR', (text, path) => {
    const found = queried(knownJson(text), path);
    return found === undefined ? null : printJson(found);
  }),
  javaScriptFunction('gsql_json_text', ['VARCHAR'], 'VARCHAR', (text) => printJson(knownJson(text))),
  javaScriptFunction('gsql_json_pretty', ['VARCHAR', 'BIGINT'], 'VARCHAR', (text, level) =>
    printJson(knownJson(text), Number(level)),
  ),
  javaScriptFunction('gsql_json_single', ['VARCHAR'], 'VARCHAR', (text) => singleText(knownJson(text))),
  javaScriptFunction('gsql_json_quoted', ['VARCHAR'], 'VARCHAR', quotedJson),
  javaScriptFunction('gsql_parse_json', ['VARCHAR', 'BOOLEAN'], 'VARCHAR', parsed),
  javaScriptFunction(
    'gsql_json_set',
    ['VARCHAR', 'VARCHAR', 'VARCHAR', 'BOOLEAN'],
    'VARCHAR',
    (text, path, made, creates) => {
      const place = creates ? setAt : replaceAt;
      return printJson(place(knownJson(text), strictPath(path), () => knownJson(made)));
    },
  ),
  javaScriptFunction('gsql_json_remove', ['VARCHAR', 'VARCHAR'], 'VARCHAR', (text, path) =>
    printJson(removeAt(knownJson(text), strictPath(path))),
  ),
  javaScriptFunction(
    'gsql_json_insert',
    ['VARCHAR', 'VARCHAR', 'BOOLEAN', 'VARCHAR'],
    'VARCHAR',
    (text, path, isAppended, added) => {
      const elements = knownJson(added);
      const list = isJsonArray(elements) ? elements : [];
      return printJson(insertAt(knownJson(text), strictPath(path), isAppended, list));
    },
  ),
  javaScriptFunction(
    'gsql_json_strip',
    ['VARCHAR', 'VARCHAR', 'BOOLEAN', 'BOOLEAN'],
    'VARCHAR',
    (text, path, arrays, empty) =>
      printJson(
        replaceAt(knownJson(text), strictPath(path), (value = null) => stripNulls(value, { arrays, empty })),
      ),
  ),
  javaScriptFunction('gsql_json_is_path', ['VARCHAR'], 'BOOLEAN', (path) => Array.isArray(strictPath(path))),
  javaScriptFunction('gsql_json_is_depth', ['BIGINT', 'VARCHAR'], 'BOOLEAN', (depth, mode) => {
    modeOf(mode);
    if (depth < 1n) throw new ValueError('max_depth must be positive.');
    return true;
  }),
  javaScriptFunction('gsql_json_flatten', ['VARCHAR'], 'VARCHAR[]', (text) =>
    flattened(knownJson(text)).map((one) => printJson(one)),
  ),
  javaScriptFunction('gsql_json_keys', ['VARCHAR', 'BIGINT', 'VARCHAR'], 'VARCHAR[]', (text, depth, mode) =>
    jsonKeys(knownJson(text), Number(depth), modeOf(mode)),
  ),
  javaScriptFunction('gsql_json_exact_float', ['VARCHAR'], 'BOOLEAN', (text) => {
    const value = knownJson(text);
    if (!(value instanceof JsonNumber) || !/^-?\d+$/.test(value.text)) return true;
    const digits = BigInt(value.text);
    return digits <= MAX_EXACT && digits >= -MAX_EXACT;
  }),
  javaScriptFunction('gsql_json_field', ['VARCHAR', 'VARCHAR'], 'VARCHAR', (text, name) => {
    const field = valueAt(knownJson(text), [name]);
    return field === undefined ? null : printJson(field);
  }),
  javaScriptFunction('gsql_json_element', ['VARCHAR', 'BIGINT'], 'VARCHAR', (text, index) => {
    const element = valueAt(knownJson(text), [Number(index)]);
    return element === undefined ? null : printJson(element);
  }),
];
