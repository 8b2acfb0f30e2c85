import { RESERVED_KEYWORDS } from '../lexer/keywords.ts';
import { BARE_FUNCTIONS } from '../parser/function-keywords.ts';

/** A name that needs no backquotes for its characters. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Words that are no names in places where names stand. */
const WORDS: ReadonlySet<string> = new Set([...RESERVED_KEYWORDS, ...BARE_FUNCTIONS, 'SAFE_CAST']);
/** Characters that a literal spells as they are: what can be seen, of all scripts, and the space. */
const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
/** Text of ASCII without quotes and backslashes, which stands as it is in any quotes. */
const PLAIN_TEXT = /^[ -&(-[\]-_a-~]*$/;
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** An identifier in backquotes, which GoogleSQL reads as this name wherever a name may stand. */
export function quoteIdentifier(name: string): string {
  return escaped(name, '`');
}

/** An identifier in backquotes only where GoogleSQL would read it as something else without. */
export function identifier(name: string): string {
  return PLAIN_NAME.test(name) && !WORDS.has(name.toUpperCase()) ? name : quoteIdentifier(name);
}

/** A query parameter, `@name`. */
export function parameter(name: string): string {
  return `@${PLAIN_NAME.test(name) ? name : quoteIdentifier(name)}`;
}

/** A STRING literal: on one line, without raw or triple quotes, no escapes but the plainest, nothing invisible. */
export function quoteLiteral(value: string): string {
  return escaped(value, "'");
}

/** A BYTES literal; each character stands for the byte of its number. */
export function quoteBytes(value: string): string {
  return `b'${Array.from(value, (byte) => `\\x${hex(byte.charCodeAt(0), 2)}`).join('')}'`;
}

function escaped(value: string, quote: "'" | '`'): string {
  if (PLAIN_TEXT.test(value)) return quote + value + quote;
  let body = '';
  for (const character of value) body += character === quote ? `\\${quote}` : escapedCharacter(character);
  return quote + body + quote;
}

function escapedCharacter(character: string): string {
  const simple = ESCAPES.get(character);
  if (simple !== undefined) return simple;
  if (VISIBLE.test(character)) return character;
  const codePoint = character.codePointAt(0) ?? 0;
  return codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}
