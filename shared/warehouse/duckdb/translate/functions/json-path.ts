import { notSupported } from '../not-supported.ts';

/** A step of a JSONPath: a field's name, or an element's index. */
export type JsonStep = string | number;

/**
 * How a path writes a name that is no word: `."a b"`, or for JSON_EXTRACT and its siblings `['a b']`.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#JSONPath_format
 */
export type JsonPathDialect = 'standard' | 'legacy';

/** One step: a word, a quoted name or an index. */
const STEPS: Readonly<Record<JsonPathDialect, RegExp>> = {
  standard: /\.([\p{L}\p{N}_\-:\s]+)|\[(\d+)\]|\."((?:[^"\\]|\\.)*)"/uy,
  legacy: /\.([\p{L}\p{N}_\-:\s]+)|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]/uy,
};

/** The dialect of the paths that a function takes. */
export function jsonPathDialect(functionName: string): JsonPathDialect {
  return functionName.startsWith('JSON_EXTRACT') ? 'legacy' : 'standard';
}

/** The steps of a JSONPath of GoogleSQL (`$.a."b c"[0]`); null for one that GoogleSQL refuses. */
export function readJsonPath(
  path: string,
  dialect: JsonPathDialect = 'standard',
): readonly JsonStep[] | null {
  if (!path.startsWith('$')) return null;
  const step = STEPS[dialect];
  const steps: JsonStep[] = [];
  let at = 1;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) return null;
    at = step.lastIndex;
    const [, word, index, quoted] = match;
    steps.push(index === undefined ? (word ?? quoted ?? '') : Number(index));
  }
  return steps;
}

/**
 * A JSONPath of GoogleSQL as DuckDB takes it; null for one that GoogleSQL refuses. Every name is quoted, so that none is
 * a wildcard.
 */
export function translateJsonPath(path: string, dialect: JsonPathDialect): string | null {
  const steps = readJsonPath(path, dialect);
  return steps === null ? null : jsonPathOf(steps);
}

/** Steps as a path for DuckDB. */
export function jsonPathOf(steps: readonly JsonStep[]): string {
  const parts = steps.map((step) => (typeof step === 'string' ? fieldStep(step) : `[${BigInt(step)}]`));
  return `$${parts.join('')}`;
}

/** One step to a field of an object. */
export function fieldStep(name: string): string {
  if (/["\\*]/.test(name))
    throw notSupported('a JSON field whose name has a quote, a backslash or an asterisk');
  return `."${name}"`;
}
