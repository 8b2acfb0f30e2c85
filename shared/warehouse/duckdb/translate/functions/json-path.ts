import { notSupported } from '../not-supported.ts';

/**
 * A JSONPath of GoogleSQL (`$.a."b c"['d'][0]`) as DuckDB takes it; null for one that GoogleSQL refuses. Every name is
 * quoted, so that none is a wildcard.
 */
export function translateJsonPath(path: string): string | null {
  if (!path.startsWith('$')) return null;
  const step =
    /\.([\p{L}\p{N}_\-:\s]+)|\."((?:[^"\\]|\\.)*)"|\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/uy;
  let translated = '$';
  let at = 1;
  while (at < path.length) {
    step.lastIndex = at;
    const match = step.exec(path);
    if (match === null) return null;
    at = step.lastIndex;
    translated +=
      match[3] === undefined
        ? fieldStep(match[1] ?? match[2] ?? match[4] ?? match[5] ?? '')
        : `[${match[3]}]`;
  }
  return translated;
}

/** One step to a field of an object. */
export function fieldStep(name: string): string {
  if (/["\\*]/.test(name))
    throw notSupported('a JSON field whose name has a quote, a backslash or an asterisk');
  return `."${name}"`;
}
