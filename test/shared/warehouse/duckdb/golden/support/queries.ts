import type { GoldenQuery } from './golden-query.ts';
import { AGGREGATION_QUERIES } from './queries/aggregations.ts';
import { COMPOSED_QUERIES } from './queries/composed.ts';
import { ENTRY_QUERIES } from './queries/entries.ts';
import { existingQueries } from './queries/existing-queries.ts';

/** All queries that have a golden file. */
export const GOLDEN_QUERIES: readonly GoldenQuery[] = [
  ...(await existingQueries()),
  ...ENTRY_QUERIES,
  ...AGGREGATION_QUERIES,
  ...COMPOSED_QUERIES,
];

/** The name of a query's file in the golden folder. */
export function goldenFileName({ name }: GoldenQuery): string {
  return `${name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^-|-$/g, '')}.txt`;
}
