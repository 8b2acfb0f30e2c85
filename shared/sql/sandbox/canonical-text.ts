import type { Token } from '../lexer/token.ts';

/** A name that needs no backquotes. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Characters that a literal spells as they are: what can be seen, of all scripts, and the space. */
const SEEN = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * The one way in which this list of tokens is written: no comments, one space between tokens, every literal and
 * quoted name in one plain form. Reading it gives tokens of the same kinds and values again, and nothing in it can
 * be read in two ways: no raw or triple-quoted strings, no escapes but the plainest, no characters out of sight.
 */
export function canonicalText(tokens: readonly Token[]): string {
  let text = '';
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'end') continue;
    text += (index > 0 && !isGlued(tokens, index) ? ' ' : '') + printToken(token);
  }
  return text;
}

/** One token in its canonical form. */
export function printToken({ kind, value }: Token): string {
  switch (kind) {
    case 'name':
    case 'integer':
    case 'float':
    case 'symbol':
      return value;
    case 'quoted':
      return quoted(value, '`');
    case 'string':
      return quoted(value, "'");
    case 'bytes':
      return `b'${Array.from(value, (byte) => `\\x${hex(byte.charCodeAt(0), 2)}`).join('')}'`;
    case 'parameter':
    case 'system': {
      const sign = kind === 'parameter' ? '@' : '@@';
      return sign + (PLAIN_NAME.test(value) ? value : quoted(value, '`'));
    }
    case 'end':
      return '';
    default: {
      const unreachable: never = kind;
      throw new TypeError(`token ${unreachable}`);
    }
  }
}

/** The two halves of `>>` stay together where they are, and the dots of paths stand close. */
function isGlued(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const previous = tokens[index - 1];
  if (token === undefined || previous === undefined) return false;
  if (isSymbol(token, '>') && isSymbol(previous, '>')) return previous.end === token.at;
  if (isSymbol(token, '.')) return isPathDot(tokens, index);
  return isSymbol(previous, '.') && isPathDot(tokens, index - 1);
}

function isPathDot(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  const after = tokens[index + 1];
  if (before === undefined || after === undefined) return false;
  const endsOperand =
    isName(before) || before.kind === 'parameter' || isSymbol(before, ')') || isSymbol(before, ']');
  return endsOperand && (isName(after) || isSymbol(after, '*'));
}

function isName({ kind }: Token): boolean {
  return kind === 'name' || kind === 'quoted';
}

function isSymbol({ kind, value }: Token, symbol: string): boolean {
  return kind === 'symbol' && value === symbol;
}

function quoted(value: string, quote: "'" | '`'): string {
  let body = '';
  for (const character of value) body += character === quote ? `\\${quote}` : printCharacter(character);
  return quote + body + quote;
}

function printCharacter(character: string): string {
  const simple = ESCAPES.get(character);
  if (simple !== undefined) return simple;
  if (SEEN.test(character)) return character;
  const codePoint = character.codePointAt(0) ?? 0;
  return codePoint > 0xffff ? `\\U${hex(codePoint, 8)}` : `\\u${hex(codePoint, 4)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}
