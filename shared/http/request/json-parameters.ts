import { invalidParameter, ServiceError } from '../../errors/service-error.ts';
import { skipSpace, stringEnd } from '../../json/scan-json.ts';
import type { RequestParameters } from './request-parameters.ts';

/**
 * Reads the parameters from the text of one JSON object (RFC 8259). Strings are taken as they are, numbers and
 * booleans by their JSON text (so that big integers stay exact), null means absent. Throws invalid_argument for
 * anything else: arrays and objects as values, a name given twice, text that is not one JSON object.
 * JSON.parse cannot serve here: it rounds numbers and keeps only the last of two equal names.
 */
export function parseJsonParameters(text: string): RequestParameters {
  const parameters = new Map<string, string[]>();
  const seen = new Set<string>();
  let at = skipSpace(text, 0);
  if (text[at] !== '{') throw notAnObject(text, at);
  at = skipSpace(text, at + 1);
  if (text[at] === '}') return endOfObject(text, at, parameters);
  for (;;) {
    if (text[at] !== '"') throw malformed(text, at, 'a parameter name in double quotes');
    const nameEnd = endOfString(text, at);
    const name = stringValue(text, at, nameEnd);
    if (seen.has(name))
      throw invalidParameter(name, `Parameter '${name}' is in the body twice; give it once.`);
    seen.add(name);
    at = skipSpace(text, nameEnd);
    if (text[at] !== ':') throw malformed(text, at, '":"');
    at = skipSpace(text, at + 1);
    const valueEnd = endOfScalar(text, at, name);
    const value = text[at] === '"' ? stringValue(text, at, valueEnd, name) : text.slice(at, valueEnd);
    if (value !== 'null' || text[at] === '"') parameters.set(name, [value]);
    at = skipSpace(text, valueEnd);
    if (text[at] === '}') return endOfObject(text, at, parameters);
    if (text[at] !== ',') throw malformed(text, at, '"," or "}"');
    at = skipSpace(text, at + 1);
  }
}

function endOfObject(text: string, at: number, parameters: RequestParameters): RequestParameters {
  const end = skipSpace(text, at + 1);
  if (end < text.length) throw malformed(text, end, 'nothing after the object');
  return parameters;
}

/** The position after the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  const end = stringEnd(text, start);
  if (end === -1) throw malformed(text, text.length, 'the closing quote of a string');
  return end;
}

function stringValue(text: string, start: number, end: number, parameter?: string): string {
  const value = unescapeString(text, start, end);
  if (value.isWellFormed()) return value;
  const message = 'A \\u escape in the body is half of a surrogate pair; write both halves.';
  if (parameter !== undefined) throw invalidParameter(parameter, message);
  throw new ServiceError('invalid_argument', message);
}

function unescapeString(text: string, start: number, end: number): string {
  try {
    return JSON.parse(text.slice(start, end)) as string;
  } catch {
    throw malformed(text, start, 'a string without raw control characters or unknown escapes');
  }
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])/y;

/** The position after the scalar value that begins at `start`. */
function endOfScalar(text: string, start: number, parameter: string): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] === '{' || text[start] === '[') {
    throw invalidParameter(
      parameter,
      `Parameter '${parameter}' must be a string, a number, a boolean or null, not an array or an object.`,
    );
  }
  SCALAR.lastIndex = start;
  if (!SCALAR.test(text)) throw malformed(text, start, 'a string, a number, true, false or null');
  return SCALAR.lastIndex;
}

function notAnObject(text: string, at: number): ServiceError {
  const isOtherValue = at < text.length && /["[\-0-9tfn]/.test(text.charAt(at));
  return isOtherValue
    ? new ServiceError(
        'invalid_argument',
        'The body must be a JSON object of parameters, such as {"project":"demo"}.',
      )
    : malformed(text, at, 'a JSON object of parameters, such as {"project":"demo"}');
}

/** Names the place by line and column (1-based, in characters), as editors do. */
function malformed(text: string, at: number, expected: string): ServiceError {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
  return new ServiceError(
    'invalid_argument',
    `The body is not valid JSON at line ${line}, column ${column}: expected ${expected}.`,
    { details: [{ line, column, reason: `expected ${expected}` }] },
  );
}
