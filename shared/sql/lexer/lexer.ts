import { ServiceError } from '../../errors/service-error.ts';
import { sqlError } from '../text/sql-error.ts';
import { QUERY_LIMITS, type TextLimits } from '../text/sql-limits.ts';
import { doubledQuotesHint } from './doubled-quotes.ts';
import { decodeEscapes } from './escapes.ts';
import { RESERVED_KEYWORDS } from './keywords.ts';
import type { Token, TokenKind } from './token.ts';

/** White space between tokens: ASCII's, and those of Unicode's spaces that GoogleSQL's own lexer has. */
const WHITESPACE = /[ \n\r\t\b\f\v\u00a0\u2000-\u200a\u202f\u205f\u3000]+/y;
/** What is visible in ASCII, but for `#`, `-` and `/`, with which comments begin. */
const TOKEN_START = /[!"$-,.0-~]/y;
const LINE_COMMENT = /(?:#|--)[^\n\r]*/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const LITERAL_START = /([rR][bB]?|[bB][rR]?)?("""|'''|"|')/y;
const LITERAL_STARTS = new Set('rRbB"\''.split(''));
const DOUBLE_SYMBOLS = new Set('@@ <= >= <> != || |> << => -> += -= @{'.split(' '));
const SINGLE_SYMBOLS = new Set('()[]{},.;:*/+-<>=~&|^?@!$%'.split(''));

/**
 * Splits a GoogleSQL query into tokens (GoogleSQL reference, "Lexical structure and syntax"); comments and white
 * space are gone. The last token is of kind `end`. `>>` comes as two symbols, so that it can close two types.
 *
 * Throws a ServiceError (invalid_argument) with the place for text that GoogleSQL's lexer refuses, and for text
 * over the limits.
 */
export function tokenize(text: string, limits: TextLimits = QUERY_LIMITS): readonly Token[] {
  if (text.length > limits.bytes || Buffer.byteLength(text) > limits.bytes) {
    throw new ServiceError('invalid_argument', `The query is longer than ${limits.bytes} bytes; shorten it.`);
  }
  const loneSurrogate = text.isWellFormed() ? -1 : text.search(/\p{Surrogate}/u);
  if (loneSurrogate >= 0)
    throw sqlError(text, loneSurrogate, 'Syntax error: The query is not valid Unicode text');
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    at = skipBlanks(text, at);
    if (at >= text.length) {
      tokens.push({ kind: 'end', value: '', at, end: at });
      return tokens;
    }
    if (tokens.length >= limits.tokens) {
      throw sqlError(text, at, `The query has more than ${limits.tokens} tokens; shorten it`);
    }
    const token = readToken(text, at, tokens[tokens.length - 1]);
    tokens.push(token);
    at = token.end;
  }
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  for (;;) {
    if (text[at] === ' ') at++;
    TOKEN_START.lastIndex = at;
    if (TOKEN_START.test(text)) return at;
    const blank = matchAt(WHITESPACE, text, at) ?? matchAt(LINE_COMMENT, text, at);
    if (blank !== null) {
      at += blank.length;
    } else if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      if (close === -1) throw sqlError(text, at, 'Syntax error: Unclosed comment');
      at = close + 2;
    } else {
      return at;
    }
  }
}

function readToken(text: string, at: number, previous: Token | undefined): Token {
  const first = text[at] ?? '';
  const literal = LITERAL_STARTS.has(first) ? matchAt(LITERAL_START, text, at) : null;
  if (literal !== null) return readLiteral(text, at, literal, previous);
  if (first === '`') return readQuotedIdentifier(text, at);
  const identifier = matchAt(IDENTIFIER, text, at);
  if (identifier !== null) return make('name', identifier, at, at + identifier.length);
  const isField = previous?.kind === 'symbol' && previous.value === '.' && previous.end === at;
  const isDot = first === '.' && endsPathPart(previous);
  const number = isField || isDot ? null : matchAt(NUMBER, text, at);
  if (number !== null) return readNumber(text, at, number);
  return readSymbol(text, at);
}

/** Whether a dot after this token goes on with a path: in `a .5` the dot begins a field's name, not a number. */
function endsPathPart(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.kind === 'name') return !RESERVED_KEYWORDS.has(token.value.toUpperCase());
  return token.kind === 'quoted' || (token.kind === 'symbol' && (token.value === ')' || token.value === ']'));
}

function readLiteral(text: string, at: number, opening: string, previous: Token | undefined): Token {
  const quote = opening.replace(/^[rRbB]+/, '');
  const prefix = opening.slice(0, opening.length - quote.length).toLowerCase();
  const kind: TokenKind = prefix.includes('b') ? 'bytes' : 'string';
  if (previous?.end === at && (previous.kind === 'string' || previous.kind === 'bytes')) {
    const complaint =
      'Syntax error: concatenated string literals must be separated by whitespace or comments';
    throw sqlError(text, at, complaint + doubledQuotesHint(text, previous.at));
  }
  const start = at + opening.length;
  const close = findClose(text, start, quote);
  if (close === -1) {
    const shape = quote.length === 3 ? 'triple-quoted ' : '';
    const complaint = `Syntax error: Unclosed ${shape}${kind} literal`;
    throw sqlError(text, at, complaint + doubledQuotesHint(text, at));
  }
  const body = text.slice(start, close);
  const plain = kind === 'bytes' ? bytesOf : normalizeLineEnds;
  const value = prefix.includes('r') ? plain(body) : decodeEscapes(text, body, start, kind, plain);
  return make(kind, value, at, close + quote.length);
}

/** The UTF-8 bytes of characters, each as a character U+0000 to U+00FF. */
function bytesOf(body: string): string {
  return Buffer.from(normalizeLineEnds(body), 'utf8').toString('latin1');
}

/** Every line end is LF; but what follows a backslash, in a raw literal, stays as it is. */
function normalizeLineEnds(body: string): string {
  return body.replace(/\\[\s\S]|\r\n?/g, (part) => (part.startsWith('\r') ? '\n' : part));
}

/** Where the literal ends: a backslash takes the next character with it, in raw literals too. -1 if it never ends. */
function findClose(text: string, start: number, quote: string): number {
  for (let index = start; index < text.length; index++) {
    if (text[index] === '\\') index += text.startsWith('\r\n', index + 1) ? 2 : 1;
    else if (quote.length === 1 && (text[index] === '\n' || text[index] === '\r')) return -1;
    else if (text.startsWith(quote, index)) return index;
  }
  return -1;
}

function readQuotedIdentifier(text: string, at: number): Token {
  const close = findClose(text, at + 1, '`');
  if (close === -1) throw sqlError(text, at, 'Syntax error: Unclosed identifier literal');
  const name = decodeEscapes(text, text.slice(at + 1, close), at + 1, 'string', (part) => part);
  if (name === '') throw sqlError(text, at, 'Syntax error: Invalid empty identifier');
  return make('quoted', name, at, close + 1);
}

function readNumber(text: string, at: number, spelling: string): Token {
  const end = at + spelling.length;
  const next = text[end] ?? '';
  if (/[A-Za-z0-9_]/.test(next)) {
    throw sqlError(text, end, 'Syntax error: Missing whitespace between literal and alias');
  }
  const isInteger = /^(?:[0-9]+|0[xX].*)$/.test(spelling);
  return make(isInteger ? 'integer' : 'float', spelling, at, end);
}

function readSymbol(text: string, at: number): Token {
  const double = text.slice(at, at + 2);
  const symbol = DOUBLE_SYMBOLS.has(double) ? double : (text[at] ?? '');
  if (symbol === '@' || symbol === '@@') return readVariable(text, at, symbol);
  if (symbol.length === 1 && !SINGLE_SYMBOLS.has(symbol)) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    throw sqlError(text, at, `Syntax error: Illegal input character ${JSON.stringify(character)}`);
  }
  return make('symbol', symbol, at, at + symbol.length);
}

/** `@name`, `@@name`; white space may follow the sign, and the name may be a keyword or quoted. */
function readVariable(text: string, at: number, sign: '@' | '@@'): Token {
  const start = skipBlanks(text, at + sign.length);
  const kind = sign === '@' ? 'parameter' : 'system';
  if (text[start] === '`') {
    const quoted = readQuotedIdentifier(text, start);
    return make(kind, quoted.value, at, quoted.end);
  }
  const name = matchAt(IDENTIFIER, text, start);
  if (name === null) return make('symbol', sign, at, at + sign.length);
  return make(kind, name, at, start + name.length);
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? text.slice(at, pattern.lastIndex) : null;
}

function make(kind: TokenKind, value: string, at: number, end: number): Token {
  return { kind, value, at, end };
}
