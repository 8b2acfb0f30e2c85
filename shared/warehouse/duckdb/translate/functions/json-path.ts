import { ValueError } from './javascript/javascript-function.ts';

/**
 * How a path writes a name that is no word: `."a b"`, or for JSON_EXTRACT and its siblings `['a b']`.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#JSONPath_format
 */
export type JsonPathDialect = 'standard' | 'legacy';

/** One step: a word, a subscript or a quoted name. GoogleSQL's white space and digits are those of RE2. */
const STEPS: Readonly<Record<JsonPathDialect, RegExp>> = {
  standard:
    /\.(?<word>[\p{L}\p{N}_\-:\t\n\f\r ]+)|\[[\t\n\f\r ]*(?<subscript>[\p{N}_-]+)[\t\n\f\r ]*\]|\."(?<quoted>(?:[^"\\]|\\"|\\[^"])*)"/uy,
  legacy:
    /\.(?<word>[\p{L}\p{N}_\-:\t\n\f\r ]+)|\[[\t\n\f\r ]*(?<subscript>[\p{L}\p{N}_-]+)[\t\n\f\r ]*\]|\[[\t\n\f\r ]*'(?<quoted>(?:[^'\\]|\\'|\\[^'])*)'[\t\n\f\r ]*\]/uy,
};

/** The dialect of the paths that a function takes. */
export function jsonPathDialect(functionName: string): JsonPathDialect {
  return functionName.startsWith('JSON_EXTRACT') ? 'legacy' : 'standard';
}

interface Step {
  readonly name: string;
  /** The name as it is written, with its backslashes. */
  readonly spelling: string;
  readonly isSubscript: boolean;
}

/** The steps of a path; throws ValueError for one that GoogleSQL refuses. */
function readSteps(path: string, dialect: JsonPathDialect): readonly Step[] {
  if (!path.startsWith('$')) throw new ValueError("JSONPath must start with '$'");
  const pattern = STEPS[dialect];
  const steps: Step[] = [];
  let at = 1;
  while (at < path.length) {
    pattern.lastIndex = at;
    const { word, subscript, quoted } = pattern.exec(path)?.groups ?? {};
    const isNone = word === undefined && subscript === undefined && quoted === undefined;
    if (isNone) {
      // JSON_EXTRACT takes a dot at the end.
      if (dialect === 'legacy' && path.slice(at) === '.') break;
      throw new ValueError(`Invalid token in JSONPath at: ${path.slice(at, at + 100)}`);
    }
    at = pattern.lastIndex;
    const mark = dialect === 'standard' ? '"' : "'";
    const spelling = word ?? subscript ?? quoted ?? '';
    const name = quoted === undefined ? spelling : spelling.replaceAll(`\\${mark}`, mark);
    steps.push({ name, spelling, isSubscript: subscript !== undefined });
  }
  return steps;
}

/**
 * The names in a JSONPath of the functions that read: `$.a."b c"[0]`. A name leads to the field of an object, and one of digits to the
 * element of an array as well, however it is written. Throws ValueError for a path that GoogleSQL refuses.
 */
export function readJsonPath(path: string, dialect: JsonPathDialect): readonly string[] {
  return readSteps(path, dialect).map(({ name }) => name);
}

/** A step of the functions that change JSON: a field's name, or an element's index. */
export type JsonStep = string | number;

/** The steps of a JSONPath of the functions that change JSON: only `[0]` is an element's, and a backslash is a letter of a name. Throws ValueError. */
export function readStrictJsonPath(path: string): readonly JsonStep[] {
  return readSteps(path, 'standard').map(({ name, spelling, isSubscript }) => {
    if (!isSubscript) return spelling;
    if (!/^\d+$/.test(name)) throw new ValueError(`Invalid token in JSONPath at: [${name}]`);
    if (BigInt(name) >= 2n ** 63n) throw new ValueError(`JSONPath contains invalid array index: ${name}`);
    return Number(name);
  });
}

/** A path that looks into arrays, `lax $.a`: its steps, and whether it looks into arrays of arrays (`lax recursive $.a`). */
export interface LaxJsonPath {
  readonly steps: readonly JsonStep[];
  readonly isRecursive: boolean;
}

/** Whether a path begins with the words of a lax path. */
export function isLaxJsonPath(path: string): boolean {
  return LAX.test(path);
}

const LAX = /^(?:lax|recursive[\t\n\f\r ]+lax|lax[\t\n\f\r ]+recursive)[\t\n\f\r ]+(?=\$)/i;

/** A path whose words isLaxJsonPath() found. Throws ValueError for one that GoogleSQL refuses. */
export function readLaxJsonPath(path: string): LaxJsonPath {
  const words = LAX.exec(path)?.[0] ?? '';
  return { steps: readStrictJsonPath(path.slice(words.length)), isRecursive: /recursive/i.test(words) };
}

/**
 * A path of DuckDB that finds what a path of names finds; null where DuckDB reads one of them otherwise. The second is the path to the
 * element of an array, where the one name of digits leads to a field or to an element.
 */
export function duckPathsOf(names: readonly string[]): readonly string[] | null {
  if (names.some((name) => name === '' || /["\\*\0]/.test(name))) return null;
  const fields = names.map((name) => `."${name}"`);
  const numbers = names.flatMap((name, index) => (/^[-\d\p{N}]/u.test(name) ? [index] : []));
  const [only, ...others] = numbers;
  if (only === undefined) return [`$${fields.join('')}`];
  if (others.length > 0 || !/^\d{1,9}$/.test(names[only] ?? '')) return null;
  const element = fields.with(only, `[${Number(names[only])}]`);
  return [`$${element.join('')}`, `$${fields.join('')}`];
}

/** One step to a field of an object, as DuckDB writes it. */
export function fieldStep(name: string): string | null {
  return name === '' || /["\\*\0]/.test(name) ? null : `."${name}"`;
}
