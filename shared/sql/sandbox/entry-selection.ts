import type { Cte, FromItem, FromQuery, PipeStep, Query, Select } from '../ast/query.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { parseStatement } from '../parser/parse-query.ts';
import { canonicalText } from './canonical-text.ts';
import {
  isAggregating,
  joinsArray,
  keepsNames,
  keepsRows,
  narrows,
  stepsOf,
  unwrapped,
} from './selection-rules.ts';
import { splitWith } from './split-with.ts';

/** The entries of one source that the rows of a query come from. */
export interface EntrySelection {
  /** The source's name as the query spells it. */
  readonly source: string;
  /** The query's own WITH, to stand before a query over `rows`; empty where it has none. */
  readonly with: string;
  /** A query with one row for each entry; no ORDER BY or LIMIT is in it but those below a table. */
  readonly rows: string;
  /** The column of `rows` with an entry's time. */
  readonly time: string;
}

/**
 * Finds out whether each row of a query stands for one entry of one of the `sources` (names in lower case), with or
 * without elements of its records: `SELECT … FROM source [joins with its arrays] [WHERE …] [ORDER BY …] [LIMIT …]`, the
 * source itself, or a subquery or CTE of the same form. Null for any other: aggregates, DISTINCT, set operations, several
 * sources. Several rows of one entry, by its `id` and `timestamp`, count once.
 *
 * The query must be valid; whether the source has these columns, the one who analyses the result finds out.
 */
export function selectEntries(text: string, sources: ReadonlySet<string>): EntrySelection | null {
  const tokens = tokenize(text);
  const query = parseStatement(text);
  return new Rewriter(tokens, sources, freePrefix(text)).select(query);
}

/** Where in a FROM clause an entry comes from. */
interface Entry {
  readonly source: string;
  /** The entry's time and id as expressions where the FROM clause is. */
  readonly time: string;
  readonly id: string;
  /** Whether one entry may have several rows. */
  readonly isRepeated: boolean;
  /** The place of FROM among the tokens. */
  readonly from: number;
}

/** Tokens that come before another one. */
interface Insertion {
  readonly before: number;
  readonly tokens: readonly Token[];
}

type Scope = ReadonlyMap<string, Cte>;

class Rewriter {
  readonly #tokens: readonly Token[];
  readonly #sources: ReadonlySet<string>;
  readonly #prefix: string;
  readonly #insertions: Insertion[] = [];

  constructor(tokens: readonly Token[], sources: ReadonlySet<string>, prefix: string) {
    this.#tokens = tokens;
    this.#sources = sources;
    this.#prefix = prefix;
  }

  select(query: Query): EntrySelection | null {
    const { body, orderBy } = unwrapped(query);
    const scope = scopeOf(query, new Map());
    if (isAggregating(orderBy)) return null;
    if (body.kind === 'pipe' || body.kind === 'from-query') return this.#pipe(body, scope);
    if (body.kind !== 'select' || body.distinct || body.qualify !== null) return null;
    const entry = this.#entryOf(body, scope);
    if (entry === null) return null;
    return this.#selection(
      entry,
      `SELECT ${this.#columns(entry)} ${this.#slice(entry.from, this.#end(entry.from))}`,
    );
  }

  #pipe(body: PipeStep | FromQuery, scope: Scope): EntrySelection | null {
    const { first, steps } = stepsOf(body);
    if (first.kind !== 'from-query') return null;
    const entry = this.#entryIn(first.from, scope);
    const last = steps.findLastIndex(({ operator }) => narrows(operator)) + 1;
    const isSelection =
      steps.slice(0, last).every(({ operator }) => keepsNames(operator)) &&
      steps.slice(last).every(({ operator }) => keepsRows(operator));
    if (entry === null || !isSelection) return null;
    const cut = steps[last];
    const end = cut === undefined ? this.#end(entry.from) : this.#indexOf(cut.at);
    const isRepeated = entry.isRepeated || steps.some(({ operator }) => operator.kind === 'join');
    const rows = `${this.#slice(entry.from, end)} |> SELECT ${this.#columns({ ...entry, isRepeated })}`;
    return this.#selection(entry, rows);
  }

  #selection({ source }: Entry, rows: string): EntrySelection {
    const body = splitWith(this.#tokens).rest[0];
    const start = body === undefined ? 0 : this.#indexOf(body.at);
    return { source, with: this.#slice(0, start), rows, time: this.#name('time') };
  }

  #columns({ time, id, isRepeated }: Entry): string {
    const entry = `${time} AS ${this.#name('time')}`;
    return isRepeated ? `DISTINCT ${entry}, ${id} AS ${this.#name('id')}` : entry;
  }

  /** The entry that a SELECT's rows come from; null where its rows are not those of its FROM clause. */
  #entryOf(select: Select, scope: Scope): Entry | null {
    const { from, groupBy, having, items } = select;
    if (from === null || groupBy !== null || having !== null || isAggregating(items)) return null;
    return this.#entryIn(from, scope);
  }

  /** What the leftmost item of a FROM clause is, the others being arrays of its rows. */
  #entryIn(from: FromItem, scope: Scope): Entry | null {
    let item = from;
    let isRepeated = false;
    while (item.kind === 'join') {
      if (!joinsArray(item)) return null;
      isRepeated = true;
      item = item.left;
    }
    const place = this.#fromBefore(item.at);
    if (item.kind === 'table-subquery') {
      const inner = this.#inner(item.query, scope);
      return (
        inner && {
          ...inner,
          ...this.#outside(inner, item.alias),
          isRepeated: isRepeated || inner.isRepeated,
          from: place,
        }
      );
    }
    const [name = '', ...fields] = item.kind === 'table' ? item.path : [];
    if (item.kind !== 'table' || fields.length > 0 || item.offset !== null) return null;
    const row = item.alias ?? name;
    const cte = scope.get(name.toLowerCase());
    if (cte !== undefined) {
      const inner = this.#inner(cte.query, new Map([...scope].filter(([, one]) => one.at < cte.at)));
      return (
        inner && {
          ...inner,
          ...this.#outside(inner, row),
          isRepeated: isRepeated || inner.isRepeated,
          from: place,
        }
      );
    }
    if (!this.#sources.has(name.toLowerCase())) return null;
    const [time, id] = ['timestamp', 'id'].map((column) => `${quoted(row)}.${column}`) as [string, string];
    return { source: name, time, id, isRepeated, from: place };
  }

  /** Has a subquery or a CTE hand on the time and the id of its entries, under names that the text does not have. */
  #inner(query: Query, outer: Scope): Entry | null {
    const { body, orderBy } = unwrapped(query);
    if (body.kind !== 'select' || body.distinct || body.as !== null || isAggregating([orderBy, body.qualify]))
      return null;
    const entry = this.#entryOf(body, scopeOf(query, outer));
    if (entry === null) return null;
    const level = this.#insertions.length;
    const [time, id] = [this.#name(`time${level}`), this.#name(`id${level}`)];
    const comma = isSymbol(this.#tokens[entry.from - 1], ',') ? '' : ', ';
    const columns = tokenize(`${comma}${entry.time} AS ${time}, ${entry.id} AS ${id}`);
    this.#insertions.push({ before: entry.from, tokens: columns.filter(({ kind }) => kind !== 'end') });
    return { ...entry, time, id };
  }

  #outside({ time, id }: Entry, alias: string | null): Pick<Entry, 'time' | 'id'> {
    return alias === null ? { time, id } : { time: `${quoted(alias)}.${time}`, id: `${quoted(alias)}.${id}` };
  }

  #name(name: string): string {
    return `${this.#prefix}${name}`;
  }

  #indexOf(at: number): number {
    return this.#tokens.findIndex((token) => token.at === at);
  }

  /** FROM before its first item, with nothing but parentheses between. */
  #fromBefore(at: number): number {
    let index = this.#indexOf(at) - 1;
    while (isSymbol(this.#tokens[index], '(')) index--;
    return index;
  }

  /** Where FROM and WHERE end that begin at a place. */
  #end(from: number): number {
    let depth = 0;
    for (let index = from; index < this.#tokens.length; index++) {
      const token = this.#tokens[index];
      if (token === undefined || token.kind === 'end') return index;
      if (isSymbol(token, '(') || isSymbol(token, '[')) depth++;
      if (isSymbol(token, ')') || isSymbol(token, ']')) depth--;
      const isOver = depth < 0 || isSymbol(token, ';') || isSymbol(token, '|>');
      if (isOver || (depth === 0 && isClause(token, this.#tokens[index - 1]))) return index;
    }
    return this.#tokens.length;
  }

  #slice(start: number, end: number): string {
    const tokens = this.#tokens.flatMap((token, index) => {
      if (index < start || index >= end) return [];
      const inserted = this.#insertions.filter(({ before }) => before === index);
      return [...inserted.flatMap((one) => one.tokens), token];
    });
    return canonicalText(tokens);
  }
}

function scopeOf(query: Query, outer: Scope): Scope {
  return new Map([...outer, ...query.ctes.map((cte) => [cte.name.toLowerCase(), cte] as const)]);
}

/** The words that end FROM and WHERE; behind a dot they are names of fields. */
const CLAUSES: ReadonlySet<string> = new Set(['WINDOW', 'QUALIFY', 'ORDER', 'LIMIT']);

function isClause({ kind, value }: Token, previous: Token | undefined): boolean {
  return kind === 'name' && CLAUSES.has(value.toUpperCase()) && !isSymbol(previous, '.');
}

function isSymbol(token: Token | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.value === symbol;
}

function quoted(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}

/** What stands nowhere in a text, found in one pass over it. */
function freePrefix(text: string): string {
  const taken = new Set([...text.toLowerCase().matchAll(/entry(\d*)_/g)].map(([, number]) => number));
  let number = 1;
  while (taken.has(String(number))) number++;
  return `entry${number}_`;
}
