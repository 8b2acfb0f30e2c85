import type { ServiceError } from '../../errors/service-error.ts';
import { refusalOf } from '../functions/refused-functions.ts';
import { RESERVED_KEYWORDS } from '../lexer/keywords.ts';
import type { Token } from '../lexer/token.ts';
import { sqlError } from '../text/sql-error.ts';
import { MAX_QUERY_DEPTH } from '../text/sql-limits.ts';

const QUERY_STARTS = ['SELECT', 'WITH', 'FROM'];
const SET_OPERATORS = ['UNION', 'INTERSECT', 'EXCEPT'];

/** Reads a query's tokens one after the other, and makes the errors about what stands there instead. */
export class Cursor {
  readonly text: string;
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text;
    this.#tokens = tokens;
  }

  /** The token `ahead` places on; after the last one there are only `end` tokens. */
  peek(ahead = 0): Token {
    const token = this.#tokens[this.#index + ahead] ?? this.#tokens[this.#tokens.length - 1];
    if (token === undefined) throw new TypeError('a token list ends with an end token');
    return token;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  /** Runs a part of the grammar that nests, and refuses the query when it nests too deep. */
  nested<T>(parse: () => T): T {
    if (this.#depth >= MAX_QUERY_DEPTH) {
      throw this.error(this.peek().at, `The query is nested deeper than ${MAX_QUERY_DEPTH} levels`);
    }
    this.#depth++;
    const result = parse();
    this.#depth--;
    return result;
  }

  isKeyword(word: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'name' && token.value.toUpperCase() === word;
  }

  isOneOf(words: readonly string[], ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'name' && words.includes(token.value.toUpperCase());
  }

  /** Takes the keywords if all of them come next, in this order. */
  takeKeywords(...words: readonly string[]): boolean {
    if (!words.every((word, index) => this.isKeyword(word, index))) return false;
    this.#index += words.length;
    return true;
  }

  expectKeyword(word: string): void {
    if (!this.takeKeywords(word)) throw this.unexpected(`keyword ${word}`);
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'symbol' && token.value === symbol;
  }

  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#index++;
    return true;
  }

  expectSymbol(symbol: string): Token {
    if (!this.isSymbol(symbol)) throw this.unexpected(`"${symbol}"`);
    return this.next();
  }

  /** Whether an identifier comes next: a quoted one, or a name that is not reserved. */
  isIdentifier(ahead = 0): boolean {
    const token = this.peek(ahead);
    if (token.kind === 'quoted') return true;
    return token.kind === 'name' && !RESERVED_KEYWORDS.has(token.value.toUpperCase());
  }

  expectIdentifier(): { readonly name: string; readonly at: number } {
    if (!this.isIdentifier()) throw this.unexpected('identifier');
    const token = this.next();
    return { name: token.value, at: token.at };
  }

  /** A name after a dot; reserved words are identifiers there when the dot follows one too, or after `)` or `]`. */
  expectFieldName(): { readonly name: string; readonly at: number } {
    if (!this.isIdentifier() && !(this.peek().kind === 'name' && this.#isBehindPath()))
      throw this.unexpected('identifier');
    const token = this.peek();
    this.next();
    return { name: token.value, at: token.at };
  }

  /** Whether what stands before the dot that was just read is a part of a path, or may have fields by its last sign. */
  #isBehindPath(): boolean {
    const before = this.peek(-2);
    if (before.kind === 'symbol') return before.value === ')' || before.value === ']';
    if (before.kind === 'name') return this.isIdentifier(-2) || this.isSymbol('.', -3);
    return before.kind === 'quoted' || before.kind === 'parameter';
  }

  /** `WITH (` does not: it is an expression with variables. */
  startsQuery(ahead = 0): boolean {
    if (this.isKeyword('WITH', ahead)) return !this.isSymbol('(', ahead + 1);
    return this.isOneOf(QUERY_STARTS, ahead);
  }

  /** UNION, INTERSECT or EXCEPT, with the words before that say which columns stay when they go by name. */
  startsSetOperation(): boolean {
    if (this.isOneOf(['FULL', 'LEFT']) && this.isKeyword('OUTER', 1)) return this.isOneOf(SET_OPERATORS, 2);
    return this.isOneOf(SET_OPERATORS, this.isOneOf(['FULL', 'LEFT', 'INNER', 'OUTER']) ? 1 : 0);
  }

  /** One or more of something between commas. */
  list<T>(parse: () => T): T[] {
    const items = [parse()];
    while (this.takeSymbol(',')) items.push(parse());
    return items;
  }

  /** The error that says what stands here although something else was expected, or could not be. */
  unexpected(expected?: string): ServiceError {
    const token = this.peek();
    const found = describeToken(token);
    const complaint =
      expected === undefined ? `Unexpected ${found}` : `Expected ${expected} but got ${found}`;
    return this.error(token.at, `Syntax error: ${complaint}`);
  }

  /** The error that a part of GoogleSQL is not accepted here. */
  notAllowed(at: number, feature: string): ServiceError {
    return this.error(at, `${feature} not allowed`);
  }

  /** The error for a collation, with what to write instead. */
  collationNotAllowed(at: number): ServiceError {
    return this.error(at, 'COLLATE is not allowed; LOWER(…) compares and sorts without regard to case');
  }

  /** The error for the type RANGE, its values and its function, as for other functions that are refused. */
  rangeNotSupported(at: number): ServiceError {
    return this.error(at, `RANGE is not supported: ${refusalOf('RANGE')}`);
  }

  error(at: number, message: string): ServiceError {
    return sqlError(this.text, at, message);
  }
}

const TOKEN_NAMES = {
  quoted: 'identifier',
  string: 'string literal',
  bytes: 'bytes literal',
  integer: 'integer literal',
  float: 'floating point literal',
  parameter: 'parameter',
  system: 'system variable',
} as const;

function describeToken(token: Token): string {
  if (token.kind === 'end') return 'end of statement';
  if (token.kind === 'symbol') return `"${token.value}"`;
  if (token.kind === 'name') {
    const word = token.value.toUpperCase();
    return RESERVED_KEYWORDS.has(word) ? `keyword ${word}` : `identifier "${shorten(token.value)}"`;
  }
  return `${TOKEN_NAMES[token.kind]} ${JSON.stringify(shorten(token.value))}`;
}

function shorten(value: string): string {
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}
