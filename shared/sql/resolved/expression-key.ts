import type { ResolvedExpression } from './expression.ts';

/**
 * A text that two expressions share exactly if they are the same expression over the same columns, which is what
 * GROUP BY and SELECT DISTINCT compare. Subqueries are only ever the same as themselves: they answer null.
 */
export function expressionKey(expression: ResolvedExpression): string | null {
  let hasSubquery = false;
  const key = JSON.stringify(expression, (name, value: unknown) => {
    if (isSubquery(value)) hasSubquery = true;
    if (name === 'column' && typeof value === 'object' && value !== null && 'id' in value) return value.id;
    return typeof value === 'bigint' ? `${value}n` : value;
  });
  return hasSubquery ? null : key;
}

function isSubquery(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'subquery';
}
