/** A number of a JSON document, as GoogleSQL writes it: an integer of 64 bits, or a FLOAT64. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A JSON value as GoogleSQL keeps it: of fields with one name the first counts. */
export type JsonDocument =
  | null
  | boolean
  | string
  | JsonNumber
  | readonly JsonDocument[]
  | ReadonlyMap<string, JsonDocument>;

/** What is wrong with a text that is no JSON. */
export class JsonSyntaxError extends Error {}

/** How many levels a document may have. */
export const MAX_JSON_DEPTH = 1_000;

/**
 * Reads JSON strictly (RFC 8259). Throws JsonSyntaxError, also for numbers beyond FLOAT64. With `isExact` a number that FLOAT64 does
 * not give back as it was written is an error. A text ends at U+0000, too, as GoogleSQL reads it.
 */
export function readJson(text: string, isExact = false): JsonDocument {
  return new JsonReader(text, isExact).document();
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON's strings have no control characters.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WORDS: readonly (readonly [string, null | boolean])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
];

class JsonReader {
  readonly #text: string;
  readonly #isExact: boolean;
  #at = 0;
  #depth = 0;

  constructor(text: string, isExact: boolean) {
    this.#text = text;
    this.#isExact = isExact;
  }

  document(): JsonDocument {
    const value = this.#value();
    this.#skip();
    if (this.#at < this.#text.length && this.#text[this.#at] !== '\0') throw this.#unexpected('end of input');
    return value;
  }

  #value(): JsonDocument {
    this.#skip();
    const character = this.#text[this.#at];
    if (character === '{') return this.#nested(() => this.#object());
    if (character === '[') return this.#nested(() => this.#array());
    if (character === '"') return this.#string();
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    return this.#number();
  }

  #nested<Value>(read: () => Value): Value {
    if (++this.#depth > MAX_JSON_DEPTH)
      throw new JsonSyntaxError(`it has more than ${MAX_JSON_DEPTH} levels`);
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): ReadonlyMap<string, JsonDocument> {
    const fields = new Map<string, JsonDocument>();
    if (this.#take('}')) return fields;
    do {
      this.#skip();
      const name = this.#string();
      if (!this.#take(':')) throw this.#unexpected("':'");
      const value = this.#value();
      if (!fields.has(name)) fields.set(name, value);
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#unexpected("',' or '}'");
    return fields;
  }

  #array(): readonly JsonDocument[] {
    const elements: JsonDocument[] = [];
    if (this.#take(']')) return elements;
    do elements.push(this.#value());
    while (this.#take(','));
    if (!this.#take(']')) throw this.#unexpected("',' or ']'");
    return elements;
  }

  #string(): string {
    const source = this.#match(STRING)?.[0];
    if (source === undefined) throw this.#unexpected('a string');
    if (!source.includes('\\')) return source.slice(1, -1);
    const text = JSON.parse(source) as string;
    if (!text.isWellFormed()) throw new JsonSyntaxError('a string has half of a surrogate pair');
    return text;
  }

  #number(): JsonNumber {
    const match = this.#match(NUMBER);
    if (match === null) throw this.#unexpected('a value');
    const [source, fraction, exponent] = match;
    if (fraction === undefined && exponent === undefined) {
      const value = BigInt(source);
      if (value >= -(2n ** 63n) && value < 2n ** 64n) return new JsonNumber(String(value));
    }
    const value = Number(source);
    if (!Number.isFinite(value))
      throw new JsonSyntaxError(`number overflow parsing '${source.slice(0, 100)}'`);
    const text = jsonFloatText(value);
    if (this.#isExact && decimal(source) !== decimal(text))
      throw new JsonSyntaxError(
        `Input number: ${source.slice(0, 100)} cannot round-trip through string representation`,
      );
    return new JsonNumber(text);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }

  #skip(): void {
    this.#match(SPACE);
  }

  #take(character: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #unexpected(expected: string): JsonSyntaxError {
    const found = this.#text.slice(this.#at, this.#at + 20);
    return new JsonSyntaxError(
      `syntax error: expected ${expected}, but found ${found === '' ? 'the end' : `'${found}'`}`,
    );
  }
}

/** A number's digits and exponent in one form, so that equal numbers have equal texts. */
function decimal(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return `${sign}0`;
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`;
}

/** Digits before the point that a FLOAT64 is written with at most, and zeros after the point, until it gets an exponent. */
const MOST_DIGITS = 15;
const MOST_ZEROS = 3;

/** A FLOAT64 as GoogleSQL writes it in JSON: `1.0`, `1.5e-07`, `1e+100`. */
function jsonFloatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = value === 0 ? 1 : Number(power) + 1;
  const sign = value < 0 ? '-' : '';
  if (digits.length <= point && point <= MOST_DIGITS) return `${sign}${digits.padEnd(point, '0')}.0`;
  if (point > 0 && point <= MOST_DIGITS) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  if (point <= 0 && point >= -MOST_ZEROS) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  const exponent = point - 1;
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}${digits[0]}${fraction}e${exponent < 0 ? '-' : '+'}${size}`;
}

/** The text of a document: fields in the order of their names' bytes, no spaces. With `level` a line for each element, so far from the margin. */
export function printJson(value: JsonDocument, level: number | null = null): string {
  if (value instanceof JsonNumber) return value.text;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  const inner = level === null ? null : level + 1;
  if (isJsonArray(value)) {
    const elements = value.map((element) => printJson(element, inner));
    return inBrackets('[', elements, ']', level);
  }
  const colon = level === null ? ':' : ': ';
  const fields = sortedFields(value).map(
    ([name, field]) => `${JSON.stringify(name)}${colon}${printJson(field, inner)}`,
  );
  return inBrackets('{', fields, '}', level);
}

function inBrackets(open: string, items: readonly string[], close: string, level: number | null): string {
  if (level === null || items.length === 0) return open + items.join(',') + close;
  const line = `\n${'  '.repeat(level + 1)}`;
  return `${open}${line}${items.join(`,${line}`)}\n${'  '.repeat(level)}${close}`;
}

/** An object's fields in the order of their names' bytes. */
export function sortedFields(
  fields: ReadonlyMap<string, JsonDocument>,
): readonly (readonly [string, JsonDocument])[] {
  return [...fields].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Whether a document is an object. */
export function isJsonObject(value: JsonDocument | undefined): value is ReadonlyMap<string, JsonDocument> {
  return value instanceof Map;
}

/** Whether a document is an array. */
export function isJsonArray(value: JsonDocument | undefined): value is readonly JsonDocument[] {
  return Array.isArray(value);
}
