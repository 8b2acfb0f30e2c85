import { characterAt, lqlError, quoteText } from './lql-error.ts';

/** What stands between a path and its value; empty for words and phrases, which have no path. */
export type Operator = ':' | ':>=' | ':<=' | ':>' | ':<' | ':~' | ':@>' | ':@>~';

/** A value as it stands in the text. */
export interface Lexeme {
  /** Bare text runs up to white space; quotes and parentheses are taken off and their escapes resolved. */
  readonly form: 'bare' | 'quoted' | 'parens';
  readonly text: string;
  readonly at: number;
}

/** A clause in its parts, before they have any meaning. */
export type ClauseLexemes =
  | {
      readonly kind: 'path';
      readonly at: number;
      readonly end: number;
      readonly negated: boolean;
      readonly path: string;
      readonly operator: Operator;
      readonly value: Lexeme;
    }
  | {
      readonly kind: 'word';
      readonly at: number;
      readonly end: number;
      readonly negated: boolean;
      /** Whether `~` stands before it. */
      readonly isRegex: boolean;
      readonly value: Lexeme;
    };

const SPACE = /[ \t\r\n]*/y;
const PATH = /([A-Za-z0-9_.]+)(:(?:>=|<=|>|<|~|@>~|@>)?)/y;
const BARE = /[^ \t\r\n]*/y;
const QUOTED = /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y;
const PARENS = /\(([^)]*)\)/y;
const ESCAPE = /\\(["\\])/g;

/** Where the first clause at or after `from` begins: after white space. */
export function skipSpace(text: string, from: number): number {
  return from + matchAt(SPACE, text, from).length;
}

/**
 * Reads the clause that begins at `at`, which is not the end of the text. Throws a ServiceError (invalid_argument,
 * syntax) where the clause does not end at white space or the end of the text.
 */
export function readClause(text: string, at: number): ClauseLexemes {
  const negated = text[at] === '-';
  const start = negated ? at + 1 : at;
  if (negated && skipSpace(text, start) !== start) throw misplacedMinus(text, at);
  if (start === text.length) throw misplacedMinus(text, at);
  PATH.lastIndex = start;
  const [head, path, operator] = PATH.exec(text) ?? [];
  if (head !== undefined && path !== undefined && operator !== undefined) {
    const { value, end } = readValue(text, start + head.length, true);
    return { kind: 'path', at, end, negated, path, operator: operator as Operator, value };
  }
  const isRegex = text[start] === '~';
  const { value, end } = readValue(text, isRegex ? start + 1 : start, false);
  return { kind: 'word', at, end, negated, isRegex, value };
}

/** The error of a `-` that no filter follows. */
export function misplacedMinus(text: string, at: number): Error {
  return lqlError(text, at, 'syntax', "'-' must precede a filter, without a space between them");
}

/** The error of text that stands for nothing. */
export function unreadable(text: string, at: number, part: string): Error {
  const message = `cannot read ${quoteText(part)} at position ${characterAt(text, at)}, put it in double quotes`;
  return lqlError(text, at, 'syntax', message);
}

function readValue(text: string, at: number, allowsParens: boolean): { value: Lexeme; end: number } {
  const opening = text[at];
  if (opening === '"') return readEnclosed(text, at, 'quoted', QUOTED, 'double quote');
  if (opening === '(' && allowsParens) return readEnclosed(text, at, 'parens', PARENS, 'parenthesis');
  const bare = matchAt(BARE, text, at);
  return { value: { form: 'bare', text: bare, at }, end: at + bare.length };
}

function readEnclosed(
  text: string,
  at: number,
  form: 'quoted' | 'parens',
  pattern: RegExp,
  name: string,
): { value: Lexeme; end: number } {
  pattern.lastIndex = at;
  const [whole, body] = pattern.exec(text) ?? [];
  if (whole === undefined || body === undefined) {
    throw lqlError(text, at, 'syntax', `unterminated ${name} at position ${characterAt(text, at)}`);
  }
  const end = at + whole.length;
  const rest = matchAt(BARE, text, end);
  if (rest !== '') throw unreadable(text, end, rest);
  return { value: { form, text: body.replace(ESCAPE, '$1'), at }, end };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
