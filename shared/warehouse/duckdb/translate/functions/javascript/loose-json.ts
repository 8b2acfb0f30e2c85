import { ValueError } from './javascript-function.ts';

/** What a path finds in a text: a single value, any value, or the elements of an array. */
export type Sought = 'value' | 'query' | 'value-array' | 'query-array';

type Elements = readonly (string | null)[];

const MAX_DEPTH = 1_000;
const TOO_DEEP = `JSON parsing failed due to deeply nested array/struct. Maximum nesting depth is ${MAX_DEPTH}`;

/**
 * What the JSON functions of GoogleSQL find in text. They read a text from its start, as far as they need it, and take more for JSON
 * than its standard: single quotes, commas at the end, values left out. Of all places that the names lead to the first counts. null where
 * there is none, or the text is wrong before it ends.
 */
export function findInText(text: string, names: readonly string[], sought: 'value' | 'query'): string | null {
  return new LooseReader(text, names, sought).find()?.text ?? null;
}

/** The same for the elements of an array. */
export function findArrayInText(
  text: string,
  names: readonly string[],
  sought: 'value-array' | 'query-array',
): Elements | null {
  return new LooseReader(text, names, sought).find()?.elements ?? null;
}

interface Found {
  readonly text: string | null;
  readonly elements: Elements | null;
}

const NOTHING: Found = { text: null, elements: null };

/** The text is wrong, or ends too early. */
const WRONG = Symbol('wrong');
type Outcome = Found | typeof WRONG | null;

const SPACE = /[\t-\r ]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]*)?/y;
const PLAIN = /[^"'\\]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

class LooseReader {
  readonly #text: string;
  readonly #names: readonly string[];
  readonly #sought: Sought;
  #at = 0;
  #depth = 0;
  /** The index that the last array on the way wants. GoogleSQL forgets that of the array around it. */
  #index: number | null = null;

  constructor(text: string, names: readonly string[], sought: Sought) {
    this.#text = text;
    this.#names = names;
    this.#sought = sought;
  }

  find(): Found | null {
    const outcome = this.#value(0);
    return outcome === WRONG ? null : outcome;
  }

  /** Reads a value to which so many of the names lead; null for one that is on another way. */
  #value(reached: number | null): Outcome {
    if (reached === this.#names.length) return this.#found();
    const character = this.#next();
    if (character === '{') return this.#within(() => this.#object(reached));
    if (character === '[') return this.#within(() => this.#array(reached));
    return this.#scalar() === WRONG ? WRONG : null;
  }

  #object(reached: number | null): Outcome {
    if (this.#take('}')) return null;
    for (;;) {
      const name = this.#key();
      if (name === WRONG) return WRONG;
      const isOnWay = reached !== null && this.#names[reached] === name;
      const outcome = this.#value(isOnWay ? reached + 1 : null);
      if (outcome !== null) return outcome;
      const end = this.#separator('}');
      if (end !== 'next') return end === 'end' ? null : WRONG;
    }
  }

  #array(reached: number | null): Outcome {
    if (reached !== null) this.#index = indexOf(this.#names[reached] ?? '');
    if (this.#take(']')) return null;
    for (let index = 0; ; index++) {
      const isOnWay = reached !== null && this.#index === index;
      const outcome = this.#value(isOnWay ? reached + 1 : null);
      if (outcome !== null) return outcome;
      const end = this.#separator(']');
      if (end !== 'next') return end === 'end' ? null : WRONG;
    }
  }

  /** Reads the value that is sought. */
  #found(): Outcome {
    const character = this.#next();
    const isArray = character === '[';
    if (this.#sought === 'query') {
      const text = this.#printed();
      return text === WRONG ? WRONG : { ...NOTHING, text: text === 'null' ? null : text };
    }
    if (this.#sought === 'value') {
      if (isArray || character === '{') return NOTHING;
      const scalar = this.#scalar();
      return scalar === WRONG ? WRONG : { ...NOTHING, text: scalar };
    }
    if (!isArray) return this.#printed() === WRONG ? WRONG : NOTHING;
    const elements = this.#within(() => this.#elements());
    return elements === WRONG ? WRONG : { ...NOTHING, elements };
  }

  #elements(): Elements | null | typeof WRONG {
    const elements: (string | null)[] = [];
    if (this.#take(']')) return elements;
    let areSingle = true;
    for (;;) {
      const character = this.#next();
      const isNested = character === '{' || character === '[';
      if (isNested) areSingle = false;
      const element = this.#sought === 'query-array' || isNested ? this.#printed() : this.#scalar();
      if (element === WRONG) return WRONG;
      elements.push(element);
      const end = this.#separator(']');
      if (end === 'end') return this.#sought === 'query-array' || areSingle ? elements : null;
      if (end !== 'next') return WRONG;
    }
  }

  /** A value as GoogleSQL writes it: without spaces, numbers as they stand. */
  #printed(): string | typeof WRONG {
    const character = this.#next();
    if (character === '{') return this.#within(() => this.#printedItems('}', () => this.#printedField()));
    if (character === '[') return this.#within(() => this.#printedItems(']', () => this.#printed()));
    const scalar = this.#scalar();
    if (scalar === WRONG) return WRONG;
    if (scalar === null) return 'null';
    return character === '"' || character === "'" ? quotedJson(scalar) : scalar;
  }

  #printedItems(close: '}' | ']', read: () => string | typeof WRONG): string | typeof WRONG {
    const open = close === '}' ? '{' : '[';
    const items: string[] = [];
    if (this.#take(close)) return `${open}${close}`;
    for (;;) {
      const item = read();
      if (item === WRONG) return WRONG;
      items.push(item);
      const end = this.#separator(close);
      if (end === 'end') return `${open}${items.join(',')}${close}`;
      if (end !== 'next') return WRONG;
    }
  }

  #printedField(): string | typeof WRONG {
    const name = this.#key();
    if (name === WRONG) return WRONG;
    const value = this.#printed();
    return value === WRONG ? WRONG : `${quotedJson(name)}:${value}`;
  }

  #within<Value>(read: () => Value): Value {
    if (++this.#depth > MAX_DEPTH) throw new ValueError(TOO_DEEP);
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  /** A name and the colon after it. */
  #key(): string | typeof WRONG {
    const mark = this.#next();
    if (mark !== '"' && mark !== "'") return WRONG;
    const name = this.#string(mark);
    return name !== null && this.#take(':') ? name : WRONG;
  }

  /** What follows an item: another one, the end, perhaps after a comma, or something wrong. */
  #separator(close: string): 'next' | 'end' | 'wrong' {
    if (this.#take(close)) return 'end';
    if (!this.#take(',')) return 'wrong';
    return this.#take(close) ? 'end' : 'next';
  }

  /** A single value's text; null for null, and for a value that is left out. */
  #scalar(): string | null | typeof WRONG {
    const character = this.#next();
    if (character === '"' || character === "'") return this.#string(character) ?? WRONG;
    if (character === ',' || character === ']') return null;
    for (const word of ['true', 'false', 'null']) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return word === 'null' ? null : word;
    }
    NUMBER.lastIndex = this.#at;
    const [number, fraction, exponent] = NUMBER.exec(this.#text) ?? [];
    if (number === undefined || fraction === '.' || (exponent !== undefined && !/[0-9]$/.test(exponent)))
      return WRONG;
    this.#at += number.length;
    return number;
  }

  /** A text in quotes; null for one that does not end. */
  #string(mark: string): string | null {
    let text = '';
    this.#at++;
    for (;;) {
      PLAIN.lastIndex = this.#at;
      text += PLAIN.exec(this.#text)?.[0] ?? '';
      this.#at = PLAIN.lastIndex;
      const character = this.#text[this.#at];
      if (character === undefined) return null;
      if (character === mark) {
        this.#at++;
        return text;
      }
      const part = character === '\\' ? this.#escape() : character;
      if (part === null) return null;
      text += part;
      if (character !== '\\') this.#at++;
    }
  }

  /** What an escape stands for; null for one that is wrong. Half of a surrogate pair is U+FFFD, even beside the other half. */
  #escape(): string | null {
    const rest = this.#text.slice(this.#at + 1, this.#at + 7);
    const [, digits, octal] = /^(?:u([0-9a-fA-F]{4})|x[0-9a-fA-F]{2}|([0-7]{1,3}))/.exec(rest) ?? [];
    const long = /^(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-7]{1,3})/.exec(rest)?.[0];
    if (long === undefined) {
      const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
      if (rest === '' || character === 'u' || character === 'x') return null;
      this.#at += 1 + character.length;
      return ESCAPES[character] ?? character;
    }
    this.#at += 1 + long.length;
    const code =
      octal === undefined ? Number.parseInt(digits ?? long.slice(1), 16) : Number.parseInt(octal, 8);
    return code >= 0xd800 && code <= 0xdfff ? '\ufffd' : String.fromCharCode(code);
  }

  #next(): string | undefined {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    this.#at = SPACE.lastIndex;
    return this.#text[this.#at];
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at++;
    return true;
  }
}

/** The index that a name stands for in an array, as C's scanf reads it: `2`, `2x`, `-1` as 2^32 - 1; null for none. */
function indexOf(name: string): number | null {
  const digits = /^[\t-\r ]*([+-]?[0-9]+)/.exec(name)?.[1];
  if (digits === undefined) return null;
  const value = BigInt(digits.replace(/^\+/, ''));
  const size = value < 0n ? -value : value;
  return Number(BigInt.asUintN(32, size >= 2n ** 64n ? -1n : value));
}

/** A text as a JSON string. */
export function quotedJson(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
