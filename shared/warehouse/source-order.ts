import type { ResolvedColumn, ResolvedExpression } from '../sql/resolved/expression.ts';
import type { ResolvedCte, ResolvedScan, SortKey } from '../sql/resolved/scan.ts';

/**
 * Gives a plain SELECT from one CTE the order that the CTE's query has: without an ORDER BY, it answers
 * as the CTE promises. Grouped queries, joins and set operations have no order to take over.
 */
export function inheritOrder(plan: ResolvedScan): ResolvedScan {
  const rows = plan.kind === 'limit' ? plan.input : plan;
  const keys = inheritedKeys(rows);
  if (keys === null) return plan;
  const input: ResolvedScan = { kind: 'order', input: rows, keys };
  return plan.kind === 'limit' ? { ...plan, input } : input;
}

/** The keys that the rows of a scan come sorted by, where only a CTE's order can be the reason; null for no order. */
export function inheritedKeys(scan: ResolvedScan): readonly SortKey[] | null {
  if (scan.kind === 'filter' || scan.kind === 'project' || scan.kind === 'unnest' || scan.kind === 'window') {
    return inheritedKeys(scan.input);
  }
  return scan.kind === 'cte' ? cteKeys(scan.cte, scan.columns) : null;
}

function cteKeys(cte: ResolvedCte, columns: readonly ResolvedColumn[]): readonly SortKey[] | null {
  const inner = cte.scan.kind === 'limit' ? cte.scan.input : cte.scan;
  const keys = inner.kind === 'order' ? inner.keys : inheritedKeys(inner);
  if (keys === null) return null;
  const outside = keys.map((key) => ({ ...key, expression: outsideOf(key.expression, cte, columns) }));
  return outside.every((key): key is SortKey => key.expression !== null) ? outside : null;
}

/** A key of a CTE's query as a column of the CTE's use, if the CTE answers that column. */
function outsideOf(
  expression: ResolvedExpression,
  cte: ResolvedCte,
  columns: readonly ResolvedColumn[],
): ResolvedExpression | null {
  if (expression.kind !== 'column') return null;
  const position = cte.columns.findIndex((column) => column.id === expression.column.id);
  const column = columns[position];
  return column === undefined ? null : { kind: 'column', type: column.type, column };
}
