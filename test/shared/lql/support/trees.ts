import type { Condition, LqlQuery } from '../../../../shared/lql/tree.ts';

/** A tree without the places in the text, for comparing. */
export function withoutPlaces(query: LqlQuery): unknown {
  return JSON.parse(
    JSON.stringify(query, (key, value) => {
      if (key === 'at') return undefined;
      return typeof value === 'bigint' ? String(value) : value;
    }),
  );
}

/** The condition of a query that is one filter. */
export function onlyCondition(query: LqlQuery): Condition {
  const [clause] = query.clauses;
  if (query.clauses.length !== 1 || clause?.kind !== 'filter') throw new Error('not one filter');
  return clause.condition;
}
