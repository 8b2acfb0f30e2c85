import type { Query } from '../ast/query.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { parseStatement } from '../parser/parse-query.ts';
import { canonicalText, printToken } from './canonical-text.ts';
import { splitWith } from './split-with.ts';
import { walkQuery } from './walk-query.ts';

/** What a part of a stored query needs of the rest. */
export interface StoredPart {
  /** The CTEs that it names, in lower case. */
  readonly uses: ReadonlySet<string>;
  /** The query parameters in it, as they are spelled there. */
  readonly parameters: readonly string[];
}

export interface StoredCte extends StoredPart {
  readonly name: string;
  /** Its entry in WITH, canonical: `name AS ( query )`. */
  readonly text: string;
}

/** A stored query taken apart at its outermost WITH. */
export interface StoredQuery {
  readonly query: Query;
  /** In their order: each may use those before it. */
  readonly ctes: readonly StoredCte[];
  /** What stands behind WITH. */
  readonly final: StoredPart & { readonly text: string };
  /** The tables that it reads, by the last part of their paths, in lower case. */
  readonly tables: ReadonlySet<string>;
}

/** Takes a stored query apart. Throws a ServiceError (invalid_argument) for one that does not parse. */
export function readStoredQuery(sql: string): StoredQuery {
  const query = parseStatement(sql);
  const { entries, rest } = splitWith(tokenize(sql));
  const names = new Set(query.ctes.map(({ name }) => name.toLowerCase()));
  const ctes = entries.map(({ name, body }, index): StoredCte => {
    const inner = query.ctes[index]?.query;
    if (inner === undefined) throw new TypeError('every entry of WITH was parsed');
    const text = `${printToken(name)} AS ( ${canonicalText(body)} )`;
    return { name: name.value, text, uses: tablesIn(inner, names), parameters: parametersIn(body) };
  });
  const final = {
    text: canonicalText(rest),
    uses: tablesIn({ ...query, ctes: [] }, names),
    parameters: parametersIn(rest),
  };
  return { query, ctes, final, tables: pathEnds(query) };
}

/** The CTEs that the ones in `uses` (lower case) need, those included, in the stored query's order. */
export function reachedCtes(stored: StoredQuery, uses: ReadonlySet<string>): readonly StoredCte[] {
  const needed = new Set(uses);
  const reached: StoredCte[] = [];
  for (const cte of stored.ctes.toReversed()) {
    if (!needed.has(cte.name.toLowerCase())) continue;
    reached.push(cte);
    for (const name of cte.uses) needed.add(name);
  }
  return reached.reverse();
}

/**
 * A consumer's query over a stored query's CTEs as one canonical text: of the stored CTEs those given, then the
 * consumer's own, then the consumer's query as it stands, ORDER BY and LIMIT outermost.
 */
export function composeQuery(ctes: readonly StoredCte[], consumer: readonly Token[]): string {
  const { entries, rest } = splitWith(consumer);
  const own = entries.map(({ name, body }) => `${printToken(name)} AS ( ${canonicalText(body)} )`);
  const all = [...ctes.map(({ text }) => text), ...own];
  return all.length === 0 ? canonicalText(rest) : `WITH ${all.join(' , ')} ${canonicalText(rest)}`;
}

function tablesIn(query: Query, names: ReadonlySet<string>): Set<string> {
  const used = new Set<string>();
  for (const { node } of walkQuery(query)) {
    const name = node.kind === 'table' && node.path.length === 1 ? node.path[0]?.toLowerCase() : undefined;
    if (name !== undefined && names.has(name)) used.add(name);
  }
  return used;
}

function pathEnds(query: Query): Set<string> {
  const ends = new Set<string>();
  for (const { node } of walkQuery(query)) {
    if (node.kind === 'table') ends.add(node.path.at(-1)?.toLowerCase() ?? '');
  }
  return ends;
}

function parametersIn(tokens: readonly Token[]): readonly string[] {
  return [...new Set(tokens.filter(({ kind }) => kind === 'parameter').map(({ value }) => value))];
}
