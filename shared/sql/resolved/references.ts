import type { ResolvedAggregate, ResolvedExpression, ResolvedWindow } from './expression.ts';
import type { ResolvedScan, SortKey } from './scan.ts';
import { type Walker, walkAggregate, walkExpression, walkScan, walkWindow } from './walk.ts';

/** The ids of all columns that expressions refer to, inside subqueries too. */
export function referencedColumns(...expressions: readonly (ResolvedExpression | null)[]): Set<number> {
  const references = new References();
  for (const expression of expressions) if (expression !== null) references.expression(expression);
  return references.ids;
}

export function referencedByKeys(keys: readonly SortKey[]): Set<number> {
  const references = new References();
  for (const { expression } of keys) references.expression(expression);
  return references.ids;
}

export function referencedByAggregates(aggregates: readonly ResolvedAggregate[]): Set<number> {
  const references = new References();
  for (const aggregate of aggregates) walkAggregate(aggregate, references);
  return references.ids;
}

export function referencedByWindows(windows: readonly ResolvedWindow[]): Set<number> {
  const references = new References();
  for (const window of windows) walkWindow(window, references);
  return references.ids;
}

/** The ids of all columns that a scan's own expressions refer to. */
export function referencedByScan(scan: ResolvedScan): Set<number> {
  const references = new References();
  walkScan(scan, { expression: (part) => references.expression(part), scan: () => {} });
  return references.ids;
}

class References implements Walker {
  readonly ids = new Set<number>();

  expression(part: ResolvedExpression): void {
    if (part.kind === 'column') this.ids.add(part.column.id);
    else walkExpression(part, this);
  }

  scan(part: ResolvedScan): void {
    walkScan(part, this);
  }
}
