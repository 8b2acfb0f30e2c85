import { column, fieldOf, path, select } from '../ast/build.ts';
import type { Expression } from '../ast/expression.ts';
import type {
  Cte,
  FromItem,
  FromQuery,
  PipeStep,
  Query,
  QueryBody,
  Select,
  SelectItem,
} from '../ast/query.ts';
import { printQuery } from '../print/print-query.ts';
import {
  isAggregating,
  joinsArray,
  keepsNames,
  keepsRows,
  narrows,
  stepsOf,
  unwrapped,
} from './selection-rules.ts';

/** The entries of one source that the rows of a query come from. */
export interface EntrySelection {
  /** The source's name as the query spells it. */
  readonly source: string;
  /** The query's own WITH, for a query over `rows`. */
  readonly ctes: readonly Cte[];
  /** One row for each entry; no ORDER BY or LIMIT is in it but those below a table. */
  readonly rows: QueryBody;
  /** The column of `rows` with an entry's time. */
  readonly time: string;
  /** The column of `rows` with what was asked for besides; null where nothing was. */
  readonly asked: string | null;
}

/** A value of an entry as an expression where the entry is called `row`; null for none. */
export type AskedValue = (source: string, row: string) => Expression | null;

/**
 * Finds out whether each row of a query stands for one entry of one of the `sources` (names in lower case), with or
 * without elements of its records: `SELECT … FROM source [joins with its arrays] [WHERE …] [ORDER BY …] [LIMIT …]`, the
 * source itself, or a subquery or CTE of the same form. Null for any other: aggregates, DISTINCT, set operations, several
 * sources. Several rows of one entry, by its `id` and `timestamp`, count once.
 *
 * The query must be valid; whether the source has these columns, the analysis of the result finds out. `asked` is handed on
 * with each entry.
 */
export function selectEntries(
  query: Query,
  sources: ReadonlySet<string>,
  asked: AskedValue = () => null,
): EntrySelection | null {
  return new Rewriter(sources, freePrefix(printQuery(query)), asked).select(query);
}

/** Where in a FROM clause an entry comes from. */
interface Entry {
  readonly source: string;
  /** The entry's time and id as expressions where the FROM clause is. */
  readonly time: Expression;
  readonly id: Expression;
  readonly asked: Expression | null;
  /** Whether one entry may have several rows. */
  readonly isRepeated: boolean;
}

/** An entry with what hands it on, rewritten so that it has the entry's time and id. */
interface Found<T> {
  readonly entry: Entry;
  readonly rewritten: T;
}

/** CTEs by lower-case name, each with those that it can name itself. */
type Scope = ReadonlyMap<string, { readonly cte: Cte; readonly scope: Scope }>;

const NO_CTES: Scope = new Map();

class Rewriter {
  readonly #sources: ReadonlySet<string>;
  readonly #prefix: string;
  readonly #asked: AskedValue;
  readonly #rewrittenCtes = new Map<Cte, Cte>();
  #levels = 0;

  constructor(sources: ReadonlySet<string>, prefix: string, asked: AskedValue) {
    this.#sources = sources;
    this.#prefix = prefix;
    this.#asked = asked;
  }

  select(query: Query): EntrySelection | null {
    const { body, orderBy } = unwrapped(query);
    if (query.recursive || isAggregating(orderBy)) return null;
    const scope = scopeOf(query, NO_CTES);
    if (body.kind === 'pipe' || body.kind === 'from-query') return this.#pipe(query, body, scope);
    if (body.kind !== 'select' || body.distinct || body.qualify !== null) return null;
    const found = this.#entryOf(body, scope);
    if (found === null) return null;
    const { from, where } = found.rewritten;
    return this.#selection(query, found.entry, select([], { ...this.#columns(found.entry), from, where }));
  }

  #pipe(query: Query, body: PipeStep | FromQuery, scope: Scope): EntrySelection | null {
    const { first, steps } = stepsOf(body);
    if (first.kind !== 'from-query') return null;
    const found = this.#entryIn(first.from, scope);
    const last = steps.findLastIndex(({ operator }) => narrows(operator)) + 1;
    const isSelection =
      steps.slice(0, last).every(({ operator }) => keepsNames(operator)) &&
      steps.slice(last).every(({ operator }) => keepsRows(operator));
    if (found === null || !isSelection) return null;
    const isRepeated = found.entry.isRepeated || steps.some(({ operator }) => operator.kind === 'join');
    const operator = { kind: 'select', as: null, ...this.#columns({ ...found.entry, isRepeated }) } as const;
    const input = steps
      .slice(0, last)
      .reduce<QueryBody>((before, step) => ({ ...step, input: before }), { ...first, from: found.rewritten });
    return this.#selection(query, found.entry, { kind: 'pipe', input, operator, at: first.at });
  }

  #selection(query: Query, { source, asked }: Entry, rows: QueryBody): EntrySelection {
    const askedName = asked === null ? null : this.#name('asked');
    return { source, ctes: this.#ctesOf(query), rows, time: this.#name('time'), asked: askedName };
  }

  #columns({ time, id, asked, isRepeated }: Entry): Pick<Select, 'distinct' | 'items'> {
    const items = [
      column(time, this.#name('time')),
      ...(isRepeated ? [column(id, this.#name('id'))] : []),
      ...(asked === null ? [] : [column(asked, this.#name('asked'))]),
    ];
    return { distinct: isRepeated, items };
  }

  /** The entry that a SELECT's rows come from; null where its rows are not those of its FROM clause. */
  #entryOf(body: Select, scope: Scope): Found<Select> | null {
    const { from, groupBy, having, items } = body;
    if (from === null || groupBy !== null || having !== null || isAggregating(items)) return null;
    const found = this.#entryIn(from, scope);
    return found && { entry: found.entry, rewritten: { ...body, from: found.rewritten } };
  }

  /** What the leftmost item of a FROM clause is, the others being arrays of its rows. */
  #entryIn(from: FromItem, scope: Scope): Found<FromItem> | null {
    if (from.kind === 'join') {
      const left = joinsArray(from) ? this.#entryIn(from.left, scope) : null;
      return (
        left && { entry: { ...left.entry, isRepeated: true }, rewritten: { ...from, left: left.rewritten } }
      );
    }
    if (from.kind === 'table-subquery') {
      const inner = this.#inner(from.query, scope);
      if (inner === null) return null;
      return { entry: outside(inner.entry, from.alias), rewritten: { ...from, query: inner.rewritten } };
    }
    const [name = '', ...fields] = from.kind === 'table' ? from.path : [];
    if (from.kind !== 'table' || fields.length > 0 || from.offset !== null) return null;
    const row = from.alias ?? name;
    const named = scope.get(name.toLowerCase());
    if (named !== undefined) {
      const inner = this.#inner(named.cte.query, named.scope);
      if (inner === null) return null;
      this.#rewrittenCtes.set(named.cte, { ...named.cte, query: inner.rewritten });
      return { entry: outside(inner.entry, row), rewritten: from };
    }
    if (!this.#sources.has(name.toLowerCase())) return null;
    const asked = this.#asked(name, row);
    const entry = {
      source: name,
      time: path(row, 'timestamp'),
      id: path(row, 'id'),
      asked,
      isRepeated: false,
    };
    return { entry, rewritten: from };
  }

  /** Has a subquery or a CTE hand on the time and the id of its entries, under names that the query does not have. */
  #inner(query: Query, outer: Scope): Found<Query> | null {
    const { body, orderBy } = unwrapped(query);
    if (body.kind !== 'select' || body.distinct || body.as !== null || isAggregating([orderBy, body.qualify]))
      return null;
    const found = this.#entryOf(body, scopeOf(query, outer));
    if (found === null) return null;
    const level = this.#levels++;
    const [time, id, asked] = ['time', 'id', 'asked'].map((name) => this.#name(`${name}${level}`)) as [
      string,
      string,
      string,
    ];
    const { entry } = found;
    const added: readonly SelectItem[] = [
      column(entry.time, time),
      column(entry.id, id),
      ...(entry.asked === null ? [] : [column(entry.asked, asked)]),
    ];
    const items = [...body.items, ...added];
    const rewritten = { ...withBody(query, { ...found.rewritten, items }), ctes: this.#ctesOf(query) };
    const handedOn = {
      ...entry,
      time: path(time),
      id: path(id),
      asked: entry.asked === null ? null : path(asked),
    };
    return { entry: handedOn, rewritten };
  }

  #ctesOf(query: Query): readonly Cte[] {
    return query.ctes.map((cte) => this.#rewrittenCtes.get(cte) ?? cte);
  }

  #name(name: string): string {
    return `${this.#prefix}${name}`;
  }
}

/** An entry of a subquery or CTE where that has a name. */
function outside(entry: Entry, alias: string | null): Entry {
  if (alias === null) return entry;
  const under = (value: Expression) => (value.kind === 'name' ? fieldOf(path(alias), value.name) : value);
  const asked = entry.asked === null ? null : under(entry.asked);
  return { ...entry, time: under(entry.time), id: under(entry.id), asked };
}

/** A query with another body within the parentheses around it. */
function withBody(query: Query, body: QueryBody): Query {
  const { body: inside } = query;
  const isWrapped = inside.kind === 'query' && inside.ctes.length === 0;
  return { ...query, body: isWrapped ? withBody(inside, body) : body };
}

function scopeOf(query: Query, outer: Scope): Scope {
  let scope = outer;
  for (const cte of query.ctes) scope = new Map([...scope, [cte.name.toLowerCase(), { cte, scope }]]);
  return scope;
}

/** The beginning of names that stands nowhere in a text, found in one pass over it. */
function freePrefix(text: string): string {
  const taken = new Set([...text.toLowerCase().matchAll(/entry(\d*)_/g)].map(([, number]) => number));
  let number = 1;
  while (taken.has(String(number))) number++;
  return `entry${number}_`;
}
