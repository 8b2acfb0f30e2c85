import { tokenize } from '../sql/lexer/lexer.ts';
import type { Token } from '../sql/lexer/token.ts';

/*
 * Puts a condition into the text of a query, where its tokens show the place. Each function answers null where they do not; whether
 * the result says what it should, its caller finds out by parsing it.
 */

/** What follows WHERE, or FROM without it. */
const AFTER_WHERE = new Set(['GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER', 'LIMIT']);

/** After the WHERE of the outermost SELECT, or as its WHERE. `isOr`: the conditions there need parentheses. */
export function addCondition(text: string, isOr: boolean, condition: string): string | null {
  const tokens = outermost(tokenize(text));
  const start = tokens.findIndex((token) => isWord(token, 'SELECT'));
  if (start < 0) return null;
  const end = tokens.findIndex((token, index) => index > start && endsWhere(token));
  const where = tokens.findIndex((token, index) => index > start && index < end && isWord(token, 'WHERE'));
  const last = tokens[end - 1];
  if (last === undefined || end <= start) return null;
  const keyword = (word: string) => (isLower(text, tokens[start]) ? word.toLowerCase() : word);
  const isOneLine = !text.slice(0, last.end).includes('\n');
  if (where < 0) {
    const gap = isOneLine ? ' ' : `\n${indentOf(text, tokens[start]?.at ?? 0)}`;
    return insert(text, last.end, `${gap}${keyword('WHERE')} ${condition}`);
  }
  const first = tokens[where + 1];
  if (first === undefined) return null;
  const gap = isOneLine ? ' ' : `\n${indentOf(text, tokens[start]?.at ?? 0)}  `;
  const added = `${gap}${keyword('AND')} ${condition}`;
  if (!isOr) return insert(text, last.end, added);
  return `${text.slice(0, first.at)}(${text.slice(first.at, last.end)})${added}${text.slice(last.end)}`;
}

/** As the last step of a query in pipe syntax. */
export function addPipeCondition(text: string, condition: string): string | null {
  const last = lastOf(text);
  if (last === null) return null;
  const gap = text.slice(0, last.end).includes('\n') ? '\n' : ' ';
  return insert(text, last.end, `${gap}|> WHERE ${condition}`);
}

/** In a query around the query. */
export function wrapQuery(text: string, condition: string): string | null {
  const last = lastOf(text);
  // A comment at the end must not take the parenthesis along.
  return last === null
    ? null
    : `SELECT *\nFROM (\n${text.slice(0, last.end)}\n)\nWHERE ${condition}${text.slice(last.end)}`;
}

/** The last token that is no semicolon. */
function lastOf(text: string): Token | null {
  return tokenize(text).findLast((token) => token.kind !== 'end' && token.value !== ';') ?? null;
}

/** The tokens that stand in no parentheses or brackets; an opening one goes with the outside, and so does the closing one. */
function outermost(tokens: readonly Token[]): readonly Token[] {
  let depth = 0;
  return tokens.filter((token) => {
    const isSymbol = token.kind === 'symbol';
    if (isSymbol && (token.value === ')' || token.value === ']')) depth--;
    const isOutside = depth === 0;
    if (isSymbol && (token.value === '(' || token.value === '[')) depth++;
    return isOutside;
  });
}

function endsWhere(token: Token): boolean {
  if (token.kind === 'end' || (token.kind === 'symbol' && token.value === ';')) return true;
  return token.kind === 'name' && AFTER_WHERE.has(token.value.toUpperCase());
}

function isWord(token: Token, word: string): boolean {
  return token.kind === 'name' && token.value.toUpperCase() === word;
}

function isLower(text: string, token: Token | undefined): boolean {
  return token !== undefined && /^[a-z]+$/.test(text.slice(token.at, token.end));
}

/** The white space in front of a line. */
function indentOf(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line))?.[0] ?? '';
}

function insert(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}
