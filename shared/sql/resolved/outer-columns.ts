import type { ResolvedColumn } from './expression.ts';
import type { ResolvedScan } from './scan.ts';
import { type Walker, walkExpression, walkScan } from './walk.ts';

/** The columns that a scan adds to those of its inputs, or has instead of them. */
export function addedColumns(scan: ResolvedScan): readonly ResolvedColumn[] {
  switch (scan.kind) {
    case 'table':
    case 'cte':
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
  const references: Walker = {
    expression(part) {
      if (part.kind === 'column') referenced.set(part.column.id, part.column);
      else walkExpression(part, references);
    },
    scan: (part) => walkScan(part, references),
  };
  walkScan(scan, { ...references, scan: () => {} });
  const inner: Walker = {
    expression(part) {
      if (part.kind === 'let') for (const { column } of part.variables) referenced.delete(column.id);
      walkExpression(part, inner);
    },
    scan(part) {
      // GROUPING() refers to a key of its own scan.
      for (const { id } of addedColumns(part)) referenced.delete(id);
      if (referenced.size > 0) walkScan(part, inner);
    },
  };
  inner.scan(scan);
  return [...referenced.values()];
}
