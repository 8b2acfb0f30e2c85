import type { Cte, Query } from '../ast/query.ts';
import { walkQuery } from '../ast/walk-query.ts';
import { parseStatement } from '../parser/parse-query.ts';
import { joinParts, type PrintedQuery, printParts } from '../print/print-query.ts';

/** What a part of a stored query needs of the rest. */
export interface StoredPart {
  /** The CTEs that it names, in lower case. */
  readonly uses: ReadonlySet<string>;
  /** The query parameters in it, as they are spelled there. */
  readonly parameters: readonly string[];
}

/** A CTE of a stored query's outermost WITH. */
export interface StoredCte extends StoredPart {
  readonly cte: Cte;
  /** Its entry in WITH, printed. */
  readonly text: string;
}

/** A stored query taken apart at its outermost WITH. */
export interface StoredQuery {
  readonly query: Query;
  /** In their order: each may use those before it. */
  readonly ctes: readonly StoredCte[];
  /** What stands after WITH. */
  readonly final: StoredPart & { readonly query: Query };
  /** The tables that it reads, by the last part of their paths, in lower case. */
  readonly tables: ReadonlySet<string>;
  /** The names that its WITHs define, inside its CTEs too, in lower case. */
  readonly definedNames: ReadonlySet<string>;
}

/** Takes a stored query apart. Throws a ServiceError (invalid_argument) for one that does not parse. */
export function readStoredQuery(sql: string): StoredQuery {
  const query = parseStatement(sql);
  const names = new Set(query.ctes.map(({ name }) => name.toLowerCase()));
  const texts = printParts(query).ctes;
  const ctes = query.ctes.map((cte, index) => {
    return { cte, text: texts[index] ?? '', ...partOf(cte.query, names) };
  });
  const { recursive: _, ...final } = { ...query, ctes: [] };
  const ends = { tables: pathEnds(query), definedNames: definedNames(query) };
  return { query, ctes, final: { query: final, ...partOf(final, names) }, ...ends };
}

/** The CTEs that the ones in `uses` (lower case) need, those included, in the stored query's order. */
export function reachedCtes(stored: StoredQuery, uses: ReadonlySet<string>): readonly StoredCte[] {
  const needed = new Set(uses);
  const reached: StoredCte[] = [];
  for (const part of stored.ctes.toReversed()) {
    if (!needed.has(part.cte.name.toLowerCase())) continue;
    reached.push(part);
    for (const name of part.uses) needed.add(name);
  }
  return reached.reverse();
}

/**
 * A consumer's query, and its text, over a stored query's CTEs: of those the ones given, then the consumer's own. If either is
 * WITH RECURSIVE, so is the whole, where each CTE may name each other: what a name means stays the same, since the consumer's CTEs have no name
 * that stands in the stored query, and each name in them was found among the sources or the consumer's CTEs.
 */
export function composeQuery(
  stored: StoredQuery,
  ctes: readonly StoredCte[],
  consumer: Query,
  printed: PrintedQuery,
): { readonly sql: string; readonly tree: Query } {
  const recursive = printed.recursive || (stored.query.recursive === true && ctes.length > 0);
  const tree = { ...consumer, ctes: [...ctes.map(({ cte }) => cte), ...consumer.ctes] };
  return {
    sql: joinParts({
      ctes: [...ctes.map(({ text }) => text), ...printed.ctes],
      recursive,
      rest: printed.rest,
    }),
    tree: recursive ? { ...tree, recursive } : tree,
  };
}

function partOf(query: Query, names: ReadonlySet<string>): StoredPart {
  const uses = new Set<string>();
  const parameters = new Set<string>();
  for (const { node } of walkQuery(query)) {
    if (node.kind === 'parameter') parameters.add(node.name);
    const name = node.kind === 'table' && node.path.length === 1 ? node.path[0]?.toLowerCase() : undefined;
    if (name !== undefined && names.has(name)) uses.add(name);
  }
  return { uses, parameters: [...parameters] };
}

function pathEnds(query: Query): Set<string> {
  const ends = new Set<string>();
  for (const { node } of walkQuery(query)) {
    if (node.kind === 'table') ends.add(node.path.at(-1)?.toLowerCase() ?? '');
  }
  return ends;
}

function definedNames(query: Query): Set<string> {
  const names = new Set<string>();
  for (const { node } of walkQuery(query)) {
    if ('ctes' in node) for (const { name } of node.ctes) names.add(name.toLowerCase());
  }
  return names;
}
