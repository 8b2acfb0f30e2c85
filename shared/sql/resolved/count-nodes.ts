import { type PlanNode, walkParts } from './parts.ts';

/** The nodes that are looked at: a CTE that is used many times by others that are, too, has very many. */
const MAX_NODES = 20_000;

/**
 * How many scans and expressions of a resolved query, or of a part of it, are of some kind, those in subqueries and CTEs
 * too: a CTE counts for each time that it is used. Infinity for a tree with more than 20,000 nodes.
 */
export function countNodes(root: PlanNode, isCounted: (node: PlanNode) => boolean): number {
  let count = 0;
  let visited = 0;
  const visit = (node: PlanNode): void => {
    if (++visited > MAX_NODES) return;
    if (isCounted(node)) count++;
    walkParts(node, visit);
    if (node.kind === 'cte') visit(node.cte.scan);
  };
  visit(root);
  return visited > MAX_NODES ? Number.POSITIVE_INFINITY : count;
}
