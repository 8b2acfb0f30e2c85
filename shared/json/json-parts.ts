import { skipSpace, stringEnd } from './scan-json.ts';

/** A part of a JSON text, from its first character to the one after its last. */
export interface JsonPart {
  readonly start: number;
  readonly end: number;
}

/** A field of an object: its name, and where its value is. */
export interface JsonMember {
  readonly name: string;
  readonly value: JsonPart;
}

/** Text that is not JSON, or nested deeper than anything that is read here. The message has no place in it. */
export class MalformedJson extends Error {}

/** Deeper text would take more memory to read than its length lets expect. */
const MAX_DEPTH = 100;

/**
 * Where the value ends that begins at `at`. Brackets and strings are looked at, and nothing else: whoever uses the value
 * parses it. Linear. Throws MalformedJson.
 */
export function valueEnd(text: string, at: number): number {
  switch (text[at]) {
    case '"': {
      const end = stringEnd(text, at);
      if (end === -1) throw new MalformedJson('a string has no end');
      return end;
    }
    case '{':
    case '[':
      return bracketsEnd(text, at);
    default: {
      SCALAR.lastIndex = at;
      const [scalar] = SCALAR.exec(text) ?? [];
      if (scalar === undefined) throw new MalformedJson('a value is missing');
      return at + scalar.length;
    }
  }
}

const SCALAR = /[^\s"{}[\],:]+/y;
const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function bracketsEnd(text: string, at: number): number {
  let depth = 0;
  for (let next = at; next < text.length; next += 1) {
    switch (text.charCodeAt(next)) {
      case QUOTE: {
        const end = stringEnd(text, next);
        if (end === -1) throw new MalformedJson('a string has no end');
        next = end - 1;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        depth += 1;
        if (depth > MAX_DEPTH) throw new MalformedJson(`it is nested more than ${MAX_DEPTH} levels deep`);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        depth -= 1;
        if (depth === 0) return next + 1;
        break;
    }
  }
  throw new MalformedJson('it ends within an object or an array');
}

/** The elements of the array that begins at `at`. Throws MalformedJson. */
export function arrayElements(
  text: string,
  at: number,
): JsonPart & { readonly elements: readonly JsonPart[] } {
  const elements: JsonPart[] = [];
  const end = readList(text, at, ']', (start) => {
    const element = { start, end: valueEnd(text, start) };
    elements.push(element);
    return element.end;
  });
  return { start: at, end, elements };
}

/** The fields of the object that begins at `at`, those of one name as often as they stand there. Throws MalformedJson. */
export function objectMembers(
  text: string,
  at: number,
): JsonPart & { readonly members: readonly JsonMember[] } {
  const members: JsonMember[] = [];
  const end = readList(text, at, '}', (start) => {
    if (text[start] !== '"') throw new MalformedJson("a field's name in double quotes is missing");
    const nameEnd = valueEnd(text, start);
    const name = parseString(text.slice(start, nameEnd));
    const colon = skipSpace(text, nameEnd);
    if (text[colon] !== ':') throw new MalformedJson("the colon after a field's name is missing");
    const value = skipSpace(text, colon + 1);
    members.push({ name, value: { start: value, end: valueEnd(text, value) } });
    return members.at(-1)?.value.end ?? value;
  });
  return { start: at, end, members };
}

/** A string as most names are, which JSON has as it is. */
const PLAIN = /^"[\w.-]*"$/;

/** The text of a string in its quotes. Throws MalformedJson. */
function parseString(quoted: string): string {
  if (PLAIN.test(quoted)) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new MalformedJson('a string has a raw control character or an unknown escape');
  }
}

/** Reads what stands between brackets with commas between; `readItem` receives where one begins and answers where it ends. */
function readList(text: string, at: number, close: string, readItem: (start: number) => number): number {
  let next = skipSpace(text, at + 1);
  if (text[next] === close) return next + 1;
  for (;;) {
    next = skipSpace(text, readItem(next));
    if (text[next] === close) return next + 1;
    if (text[next] !== ',') throw new MalformedJson(`a comma or ${close} is missing`);
    next = skipSpace(text, next + 1);
  }
}
