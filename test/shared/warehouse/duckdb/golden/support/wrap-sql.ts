import type { PlanNames } from '../../../../sql/resolved/support/plan-names.ts';

/** Lines are broken at the first space behind this column. */
const LINE_WIDTH = 110;

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[\w$]+|\s+|./gsu;

/** Words that begin a clause of a query, with the word that must follow. */
const CLAUSES: ReadonlyMap<string, string | null> = new Map([
  ['SELECT', null],
  ['FROM', null],
  ['WHERE', null],
  ['GROUP', 'BY'],
  ['ORDER', 'BY'],
  ['LIMIT', null],
  ['UNION', null],
  ['INTERSECT', null],
  ['EXCEPT', null],
  ['CROSS', 'JOIN'],
  ['INNER', 'JOIN'],
  ['LEFT', 'JOIN'],
  ['RIGHT', 'JOIN'],
  ['FULL', 'JOIN'],
]);

/**
 * Generated SQL with the numbers that the plans' texts give its columns, and CTEs counted from 1, so that it does not
 * depend on the analyzer's ids.
 */
export function renumber(sql: string, names: PlanNames): string {
  const ctes = new Map<string, string>();
  return tokens(sql)
    .map((token) => {
      const [, kind, id] = /^([cw])([1-9]\d*)$/.exec(token) ?? [];
      if (id === undefined) return token;
      if (kind === 'c') return `c${names.number(Number(id))}`;
      const name = ctes.get(id) ?? `w${ctes.size + 1}`;
      ctes.set(id, name);
      return name;
    })
    .join('');
}

/** Generated SQL in lines: a clause, a selected column, a condition each, queries in parentheses indented. */
export function wrapSql(sql: string): string {
  return new Wrapper(tokens(sql)).wrap();
}

function tokens(sql: string): readonly string[] {
  return sql.match(TOKEN) ?? [];
}

/** What one pair of parentheses holds: a query with its clause, or anything else. */
interface Level {
  readonly isQuery: boolean;
  readonly indent: number;
  /** The indentation of the line that opens it. */
  readonly outer: number;
  clause: string;
  /** How many CASE have no END yet. */
  cases: number;
}

class Wrapper {
  readonly #words: readonly string[];
  readonly #lines: string[] = [];
  readonly #levels: Level[] = [{ isQuery: true, indent: 0, outer: 0, clause: '', cases: 0 }];
  #line = '';

  constructor(all: readonly string[]) {
    this.#words = all;
  }

  wrap(): string {
    for (const [index, token] of this.#words.entries()) this.#add(token, index);
    this.#break(0);
    return this.#lines.join('\n');
  }

  #add(token: string, index: number): void {
    const level = this.#levels.at(-1);
    if (level === undefined) throw new TypeError('more parentheses are closed than opened');
    if (token.trim() === '') {
      if (this.#line.length > LINE_WIDTH) this.#break(level.indent + 4);
      else if (this.#line.trim() !== '') this.#line += ' ';
    } else if (token === '(') this.#open(level, index);
    else if (token === ')') this.#close(level);
    else if (level.isQuery && level.cases === 0) this.#addToQuery(level, token, index);
    else this.#line += token;
    if (token === 'CASE') level.cases++;
    if (token === 'END') level.cases--;
  }

  #open(level: Level, index: number): void {
    this.#line += '(';
    const first = this.#next(index);
    const isQuery =
      first === 'SELECT' ||
      first === 'WITH' ||
      (first === '(' && this.#next(index + 1) === 'SELECT' && level.isQuery);
    const outer = this.#line.length - this.#line.trimStart().length;
    const indent = isQuery ? outer + 2 : level.indent;
    this.#levels.push({ isQuery, indent, outer, clause: '', cases: 0 });
    if (isQuery) this.#break(indent);
  }

  #close(level: Level): void {
    this.#levels.pop();
    if (level.isQuery) this.#break(level.outer);
    this.#line += ')';
  }

  #addToQuery(level: Level, token: string, index: number): void {
    const follower = CLAUSES.get(token);
    if (
      follower !== undefined &&
      (follower === null || this.#next(index) === follower) &&
      this.#previous(index) !== 'DISTINCT'
    ) {
      level.clause = token;
      this.#break(level.indent);
    }
    if (token === 'AND' && level.clause === 'WHERE') this.#break(level.indent + 2);
    this.#line += token;
    if (token === ',' && (level.clause === 'SELECT' || level.clause === '')) this.#break(level.indent + 2);
  }

  #next(index: number): string | undefined {
    return this.#words.slice(index + 1, index + 3).find((word) => word.trim() !== '');
  }

  #previous(index: number): string | undefined {
    return this.#words.slice(Math.max(0, index - 2), index).findLast((word) => word.trim() !== '');
  }

  /** Ends the line, unless nothing is on it, and begins one with this indentation. */
  #break(indent: number): void {
    if (this.#line.trim() !== '') this.#lines.push(this.#line.trimEnd());
    this.#line = ' '.repeat(indent);
  }
}
