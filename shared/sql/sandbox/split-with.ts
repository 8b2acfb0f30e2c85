import type { Token } from '../lexer/token.ts';

/** One entry of a query's WITH, in tokens. */
export interface WithEntry {
  readonly name: Token;
  /** What stands between its parentheses. */
  readonly body: readonly Token[];
}

/** A query taken apart at its outermost WITH. */
export interface SplitQuery {
  readonly entries: readonly WithEntry[];
  /** What stands behind WITH: without the end and the semicolon before it. */
  readonly rest: readonly Token[];
}

/** Splits the tokens of a query that has been parsed: one that is well formed. */
export function splitWith(tokens: readonly Token[]): SplitQuery {
  const end = tokens.findIndex((token) => token.kind === 'end' || isSymbol(token, ';'));
  const query = end < 0 ? tokens : tokens.slice(0, end);
  if (!isWord(query[0], 'WITH')) return { entries: [], rest: query };
  const entries: WithEntry[] = [];
  let at = 1;
  for (;;) {
    const name = query[at];
    const close = closingParenthesis(query, at + 2);
    if (name === undefined || close < 0) throw new TypeError('the query was parsed before');
    entries.push({ name, body: query.slice(at + 3, close) });
    if (!isSymbol(query[close + 1], ',')) return { entries, rest: query.slice(close + 1) };
    at = close + 2;
  }
}

/** The place of the parenthesis that closes the one at `open`; -1 where there is none. */
function closingParenthesis(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (isSymbol(tokens[at], '(')) depth++;
    if (isSymbol(tokens[at], ')')) depth--;
    if (depth === 0) return at;
  }
  return -1;
}

function isSymbol(token: Token | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.value === symbol;
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'name' && token.value.toUpperCase() === word;
}
