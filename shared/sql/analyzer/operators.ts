import { BINARY_FUNCTIONS, UNARY_FUNCTIONS } from '../ast/operators.ts';

/** How an operator is called in messages: `operator =`. */
export const OPERATOR_LABELS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(BINARY_FUNCTIONS).map(([sign, name]) => [name, `operator ${sign}`] as const),
  ...Object.entries(UNARY_FUNCTIONS).map(([sign, name]) => [name, `operator ${sign}`] as const),
  ['$BETWEEN', 'operator BETWEEN'],
  ['$IN', 'operator IN'],
  ['$IN_ARRAY', 'operator IN UNNEST'],
  ['$LIKE_ANY', 'operator LIKE ANY'],
  ['$LIKE_ALL', 'operator LIKE ALL'],
  ...['$EXTRACT', '$EXTRACT_DATE', '$EXTRACT_DATETIME', '$EXTRACT_TIME'].map(
    (name) => [name, 'EXTRACT'] as const,
  ),
  ['$INTERVAL', 'INTERVAL'],
]);

/** Operators that need values with an equality, and those that need an order as well. */
export const EQUALITY_OPERATORS: ReadonlySet<string> = new Set([
  '$EQUAL',
  '$NOT_EQUAL',
  '$IS_DISTINCT_FROM',
  '$IN',
  '$IN_ARRAY',
]);
export const ORDER_OPERATORS: ReadonlySet<string> = new Set([
  '$LESS',
  '$LESS_OR_EQUAL',
  '$GREATER',
  '$GREATER_OR_EQUAL',
  '$BETWEEN',
]);
