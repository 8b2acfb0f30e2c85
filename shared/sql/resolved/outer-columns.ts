import type { ResolvedColumn } from './expression.ts';
import { isExpression, type PlanNode, walkParts } from './parts.ts';
import type { ResolvedScan } from './scan.ts';
import { walkPlan } from './walk.ts';

/** The columns that a scan adds to those of its inputs, or has instead of them. */
export function addedColumns(scan: ResolvedScan): readonly ResolvedColumn[] {
  switch (scan.kind) {
    case 'table':
    case 'cte':
    case 'working-table':
    case 'set-operation':
      return scan.columns;
    case 'project':
      return scan.computed.map(({ column }) => column);
    case 'aggregate':
      return [...scan.keys, ...scan.aggregates].map(({ column }) => column);
    case 'window':
      return scan.windows.map(({ column }) => column);
    case 'unnest':
      return scan.offset === null ? [scan.element] : [scan.element, scan.offset];
    default:
      return [];
  }
}

/** The columns of the queries around a scan that its own expressions refer to, in subqueries too. */
export function outerColumns(scan: ResolvedScan): readonly ResolvedColumn[] {
  const referenced = new Map<number, ResolvedColumn>();
  const refer = (part: PlanNode): void => {
    if (part.kind === 'column') referenced.set(part.column.id, part.column);
    else walkParts(part, refer);
  };
  walkParts(scan, (part) => {
    if (isExpression(part)) refer(part);
  });
  const forgetInner = (part: PlanNode): void => {
    if (part.kind === 'let') for (const { column } of part.variables) referenced.delete(column.id);
    // GROUPING() refers to a key of its own scan.
    if (!isExpression(part)) for (const { id } of addedColumns(part)) referenced.delete(id);
    if (referenced.size > 0) walkParts(part, forgetInner);
  };
  forgetInner(scan);
  return [...referenced.values()];
}

/** The ids of all columns that a scan and those below it make. */
export function allColumnIds(scan: ResolvedScan): ReadonlySet<number> {
  const ids = new Set<number>();
  walkPlan(scan, (part) => {
    for (const { id } of addedColumns(part)) ids.add(id);
  });
  return ids;
}
