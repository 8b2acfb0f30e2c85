import { RESERVED_KEYWORDS } from '../sql/lexer/keywords.ts';
import { tokenize } from '../sql/lexer/lexer.ts';
import type { Token } from '../sql/lexer/token.ts';
import { parseStatement } from '../sql/parser/parse-query.ts';
import { printQuery } from '../sql/print/print-query.ts';

/** Select lists that are longer have a line for each item. */
const MAX_LIST_CHARACTERS = 72;
const INDENT = '  ';
/** Words that begin a line wherever a query stands. */
const CLAUSES = new Set(
  'SELECT FROM WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT'.split(' '),
);
const JOIN_WORDS = new Set(['JOIN', 'INNER', 'CROSS', 'LEFT', 'RIGHT', 'FULL']);
const CONDITIONS = new Set(['WHERE', 'HAVING', 'QUALIFY', 'ON']);

/**
 * Lays a query in GoogleSQL out: a line for each clause, keywords in capitals, comments where they were. It says the same as before.
 * Throws a ServiceError (invalid_argument) for a text that does not parse.
 */
export function formatSql(text: string): string {
  const meaning = printQuery(parseStatement(text));
  const laidOut = new Layout(text, tokenize(text)).text();
  // A layout that would change the query is none.
  return printQuery(parseStatement(laidOut)) === meaning ? laidOut : text;
}

/** A part of the text between parentheses, or all of it. */
interface Frame {
  readonly isQuery: boolean;
  readonly depth: number;
  clause: string;
  isList: boolean;
  cases: number;
  betweens: number;
}

class Layout {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  readonly #frames: Frame[] = [frame(true, 0)];
  readonly #lines: string[] = [];
  #line = '';

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  text(): string {
    let before = 0;
    this.#tokens.forEach((token, index) => {
      this.#gap(before, token, index);
      if (token.kind !== 'end') this.#write(token, index);
      before = token.end;
    });
    this.#break(0);
    return this.#lines.join('\n');
  }

  get #frame(): Frame {
    return this.#frames.at(-1) ?? frame(true, 0);
  }

  /** What stands between two tokens: comments stay, white space becomes one space or a new line. */
  #gap(from: number, token: Token, index: number): void {
    const gap = this.#text.slice(from, token.at);
    for (const [comment] of gap.matchAll(/(?:#|--)[^\n\r]*|\/\*[\s\S]*?\*\//g)) {
      this.#line += `${this.#line.trim() === '' ? '' : ' '}${comment.trimEnd()}`;
      if (!comment.startsWith('/*')) this.#break(this.#frame.depth + (this.#frame.isList ? 1 : 0));
    }
    if (token.kind === 'end') return;
    const indent = this.#indentBefore(token, index);
    if (indent !== null) {
      this.#break(indent);
      return;
    }
    const last = this.#line.at(-1) ?? '';
    const isTight = last === '' || last === ' ' || last === '(' || [')', ',', ';'].includes(token.value);
    if (gap !== '' && !(isTight && token.kind === 'symbol') && !['', ' ', '('].includes(last))
      this.#line += ' ';
  }

  /** The indentation of the line that a token begins; null where it goes on with the line. */
  #indentBefore(token: Token, index: number): number | null {
    const current = this.#frame;
    const { depth } = current;
    const before = this.#tokens[index - 1];
    if (index === 0) return null;
    if (token.kind === 'symbol') {
      if (token.value === '|>') return depth;
      if (token.value === ')' && current.isQuery && this.#frames.length > 1) return depth - 1;
      return null;
    }
    if (before?.kind === 'symbol' && before.value === '(' && current.isQuery) return depth;
    if (before?.kind === 'symbol' && before.value === ',' && current.isQuery && current.isList)
      return depth + 1;
    if (current.isQuery && current.isList && before !== undefined && this.#isListStart(index))
      return depth + 1;
    if (
      !current.isQuery ||
      token.kind !== 'name' ||
      (before?.kind === 'symbol' && ['|>', '.'].includes(before.value))
    )
      return null;
    const word = token.value.toUpperCase();
    if (CLAUSES.has(word) && !this.#isWord(index - 1, 'BY')) return depth;
    if (word === 'EXCEPT' && (this.#isWord(index + 1, 'ALL') || this.#isWord(index + 1, 'DISTINCT')))
      return depth;
    if (JOIN_WORDS.has(word) && this.#beginsJoin(index)) return depth;
    const isCondition = CONDITIONS.has(current.clause) && current.cases === 0;
    if (isCondition && (word === 'OR' || (word === 'AND' && current.betweens === 0))) return depth + 1;
    return null;
  }

  /** Whether a token is the first of a select list that has a line for each item. */
  #isListStart(index: number): boolean {
    const before = this.#isWord(index - 1, 'DISTINCT') ? index - 2 : index - 1;
    return this.#isWord(before, 'SELECT') && !this.#isWord(index, 'DISTINCT');
  }

  #beginsJoin(index: number): boolean {
    const word = this.#tokens[index]?.value.toUpperCase();
    if (word === 'JOIN')
      return (
        !JOIN_WORDS.has(this.#tokens[index - 1]?.value.toUpperCase() ?? '') &&
        !this.#isWord(index - 1, 'OUTER')
      );
    return this.#isWord(index + 1, 'JOIN') || this.#isWord(index + 1, 'OUTER');
  }

  #write(token: Token, index: number): void {
    const raw = this.#text.slice(token.at, token.end);
    const before = this.#tokens[index - 1];
    const isField = before?.kind === 'symbol' && before.value === '.';
    const word = token.kind === 'name' && !isField ? token.value.toUpperCase() : '';
    this.#line += RESERVED_KEYWORDS.has(word) ? word : raw;
    const current = this.#frame;
    if (word !== '' && current.isQuery && (CLAUSES.has(word) || word === 'ON')) {
      current.clause = word;
      current.isList = word === 'SELECT' && this.#listLength(index) > MAX_LIST_CHARACTERS;
    }
    if (word === 'CASE') current.cases++;
    if (word === 'END' && current.cases > 0) current.cases--;
    if (word === 'BETWEEN') current.betweens++;
    if (word === 'AND' && current.betweens > 0) current.betweens--;
    if (token.kind !== 'symbol') return;
    if (token.value === '(') {
      const isQuery = ['SELECT', 'WITH', 'FROM'].some((one) => this.#isWord(index + 1, one));
      this.#frames.push(frame(isQuery, current.depth + (isQuery ? (current.isList ? 2 : 1) : 0)));
    }
    if (token.value === ')' && this.#frames.length > 1) this.#frames.pop();
  }

  /** How long a select list is on one line; comments make it long. */
  #listLength(start: number): number {
    let depth = 0;
    const first = this.#tokens[start];
    for (let index = start + 1; index < this.#tokens.length; index++) {
      const token = this.#tokens[index];
      if (token === undefined || first === undefined) break;
      if (token.value === '(' && token.kind === 'symbol') depth++;
      if (token.value === ')' && token.kind === 'symbol') depth--;
      const isEnd = depth < 0 || token.kind === 'end' || (depth === 0 && this.#isWord(index, 'FROM'));
      if (!isEnd) continue;
      const list = this.#text.slice(first.end, token.at).trimEnd();
      return /--|#|\/\*/.test(list) ? Number.POSITIVE_INFINITY : list.replace(/\s+/g, ' ').length;
    }
    return 0;
  }

  #isWord(index: number, word: string): boolean {
    const token = this.#tokens[index];
    return token?.kind === 'name' && token.value.toUpperCase() === word;
  }

  #break(indent: number): void {
    if (this.#line.trim() !== '') this.#lines.push(this.#line.trimEnd());
    this.#line = INDENT.repeat(Math.max(0, indent));
  }
}

function frame(isQuery: boolean, depth: number): Frame {
  return { isQuery, depth, clause: '', isList: false, cases: 0, betweens: 0 };
}
