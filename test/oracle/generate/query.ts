import { callsOf, printTree, type SqlTree } from './sql-tree.ts';

/** A query, and what of its answer GoogleSQL leaves open. */
export interface GeneratedQuery {
  readonly tree: SqlTree;
  /** Whether its rows come in one order only. */
  readonly ordered: boolean;
  /** Indices of columns that hold arrays in any order. */
  readonly unordered: readonly number[];
}

/** The query's text. */
export function textOf(query: GeneratedQuery): string {
  return printTree(query.tree);
}

/** The functions and operators that the query calls. */
export function functionsIn(query: GeneratedQuery): ReadonlySet<string> {
  return callsOf(query.tree);
}
