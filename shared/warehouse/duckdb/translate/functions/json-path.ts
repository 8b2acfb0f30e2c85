import { notSupported } from '../not-supported.ts';

/** A step of a JSONPath: a field's name, or an element's index. */
export type JsonStep = string | number;

/** The steps of a JSONPath of GoogleSQL (`$.a."b c"['d'][0]`); null for one that GoogleSQL refuses. */
export function readJsonPath(path: string): readonly JsonStep[] | null {
  if (!path.startsWith('$')) return null;
  const step =
    /\.([\p{L}\p{N}_\-:\s]+)|\."((?:[^"\\]|\\.)*)"|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/uy;
  const steps: JsonStep[] = [];
  let at = 1;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) return null;
    at = step.lastIndex;
    const name = match[1] ?? match[2] ?? match[4] ?? match[5] ?? '';
    steps.push(match[3] === undefined ? name : Number(match[3]));
  }
  return steps;
}

/**
 * A JSONPath of GoogleSQL as DuckDB takes it; null for one that GoogleSQL refuses. Every name is quoted, so that none is
 * a wildcard.
 */
export function translateJsonPath(path: string): string | null {
  const steps = readJsonPath(path);
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
