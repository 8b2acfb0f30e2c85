import type { ResolvedColumn, ResolvedExpression } from './expression.ts';
import { isExpression, mapNodes, type PlanNode } from './parts.ts';
import type { ResolvedScan } from './scan.ts';

/** Answers what an expression is replaced by, or null to look at its parts. */
type Replace = (expression: ResolvedExpression) => ResolvedExpression | null;

/**
 * Rebuilds an expression with parts replaced, outermost first, subqueries included. CTEs are left alone: they never refer
 * to the outside. What does not change stays the same object.
 */
export function mapExpression(expression: ResolvedExpression, replace: Replace): ResolvedExpression {
  const map = (part: PlanNode): PlanNode =>
    isExpression(part) ? mapExpression(part, replace) : mapNodes(part, map);
  return replace(expression) ?? mapNodes(expression, map);
}

/** The expression over other columns, by the ids of those that they replace. */
export function replaceColumns(
  expression: ResolvedExpression,
  columns: ReadonlyMap<number, ResolvedColumn>,
): ResolvedExpression {
  return mapExpression(expression, (part) => {
    const column = part.kind === 'column' ? columns.get(part.column.id) : undefined;
    return part.kind === 'column' && column !== undefined ? { ...part, column } : null;
  });
}

/** The scan with its inputs, and the expressions that are its own, mapped; the same scan where nothing changes. */
export function mapParts(
  scan: ResolvedScan,
  mapInput: (input: ResolvedScan) => ResolvedScan,
  mapOwn: (expression: ResolvedExpression) => ResolvedExpression,
): ResolvedScan {
  return mapNodes(scan, (part) => (isExpression(part) ? mapOwn(part) : mapInput(part)));
}

/** The object with other values in some fields; the same object where they are the same. */
export function changed<T extends object>(whole: T, values: Partial<T>): T {
  for (const field in values) if (values[field] !== whole[field]) return { ...whole, ...values };
  return whole;
}
