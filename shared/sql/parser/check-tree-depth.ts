import type { Query } from '../ast/query.ts';
import { sqlError } from '../text/sql-error.ts';

interface Place {
  readonly value: object;
  readonly depth: number;
}

/**
 * Refuses a syntax tree of more than `limit` nodes from the root to a leaf, so that all that walk it by recursion have
 * stack enough: chains such as `a + b + …` nest to the left without a parenthesis. Walks by itself without recursion.
 */
export function checkTreeDepth(text: string, query: Query, limit: number): void {
  const open: Place[] = [{ value: query, depth: 0 }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value } = place;
    const depth = place.depth + ('kind' in value ? 1 : 0);
    if (depth > limit) {
      const at = 'at' in value && typeof value.at === 'number' ? value.at : 0;
      throw sqlError(text, at, `The query's operators are nested deeper than ${limit}; shorten its chains`);
    }
    for (const part of Object.values(value)) {
      if (typeof part === 'object' && part !== null) open.push({ value: part, depth });
    }
  }
}
