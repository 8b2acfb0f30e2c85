import type { Query } from './query.ts';
import type { TreeNode } from './walk-query.ts';

/**
 * A query with `replace` done to each of its nodes, to a node's parts before the node; a node that it answers itself stays. What
 * replaces a node must fit the same place of the grammar.
 */
export function mapQuery(query: Query, replace: (node: TreeNode) => TreeNode): Query {
  return mapped(query, replace) as Query;
}

function mapped(value: unknown, replace: (node: TreeNode) => TreeNode): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, mapped(part, replace)] as const);
  const isSame = parts.every(([key, part]) => part === (value as Record<string, unknown>)[key]);
  if (Array.isArray(value)) return isSame ? value : parts.map(([, part]) => part);
  const node = isSame ? value : Object.fromEntries(parts);
  return 'kind' in node ? replace(node as TreeNode) : node;
}
