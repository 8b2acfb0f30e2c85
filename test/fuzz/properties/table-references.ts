import type { Query } from '../../../shared/sql/ast/query.ts';
import { children, isNode, type OracleNode } from '../oracle/tree.ts';

/** A name in FROM that is a table or a path into a range variable, `b.c` as its parts. */
export interface Reference {
  readonly path: readonly string[];
  /** Offset in bytes. */
  readonly at: number;
}

/** The names in FROM of our tree, in the text's order. */
export function ourReferences(query: Query, byteOffset: (offset: number) => number): Reference[] {
  const found: Reference[] = [];
  const pending: unknown[] = [query];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { kind, path, at } = node as { kind?: string; path?: readonly string[]; at?: number };
    if (kind === 'table' && path !== undefined) found.push({ path, at: byteOffset(at ?? 0) });
    pending.push(...Object.values(node));
  }
  return found.sort((a, b) => a.at - b.at);
}

/** The names in FROM of the oracle's tree, in the text's order. */
export function oracleReferences(tree: OracleNode): Reference[] {
  const found: Reference[] = [];
  const pending = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const path = node.fields.path_expr;
    if (node.kind === 'ast_table_path_expression_node' && isNode(path)) {
      const parts = children(path).map((part) => String(part.fields.id_string));
      found.push({ path: parts, at: path.start });
    }
    pending.push(...children(node));
  }
  return found.sort((a, b) => a.at - b.at);
}
