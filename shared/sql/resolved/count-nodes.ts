/** What of a tree describes and holds no parts. */
const DESCRIPTIONS: ReadonlySet<string> = new Set(['type', 'columns', 'column', 'element', 'offset']);

/** A part of a resolved query as far as counting looks at it. */
export interface CountedNode {
  readonly kind: unknown;
  readonly name?: unknown;
}

/**
 * How many scans and expressions of a resolved query, or of a part of it, are of some kind, those in subqueries and CTEs
 * too: a CTE counts for each time that it is used. Infinity for a tree with more than `maxParts` parts.
 */
export function countNodes(
  root: object,
  isCounted: (node: CountedNode) => boolean,
  maxParts = 20_000,
): number {
  let count = 0;
  let visited = 0;
  const open: unknown[] = [root];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part !== 'object' || part === null) continue;
    if (++visited > maxParts) return Number.POSITIVE_INFINITY;
    if ('kind' in part && isCounted(part)) count++;
    for (const [key, value] of Object.entries(part)) if (!DESCRIPTIONS.has(key)) open.push(value);
  }
  return count;
}
