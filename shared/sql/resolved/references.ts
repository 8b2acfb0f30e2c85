import type { ResolvedAggregate, ResolvedExpression, ResolvedWindow } from './expression.ts';
import type { ResolvedScan, SortKey } from './scan.ts';
import { mapAggregate, mapExpression, mapScan, mapWindow, type Replace } from './transform.ts';

/** The ids of all columns that expressions refer to, inside subqueries too. */
export function referencedColumns(...expressions: readonly (ResolvedExpression | null)[]): Set<number> {
  return collect((note) => {
    for (const expression of expressions) if (expression !== null) mapExpression(expression, note);
  });
}

export function referencedByKeys(keys: readonly SortKey[]): Set<number> {
  return referencedColumns(...keys.map((key) => key.expression));
}

export function referencedByAggregates(aggregates: readonly ResolvedAggregate[]): Set<number> {
  return collect((note) => {
    for (const aggregate of aggregates) mapAggregate(aggregate, (part) => mapExpression(part, note));
  });
}

export function referencedByWindows(windows: readonly ResolvedWindow[]): Set<number> {
  return collect((note) => {
    for (const window of windows) mapWindow(window, (part) => mapExpression(part, note));
  });
}

/** The ids of all columns that a scan's expressions refer to, its own and those of the queries around it. */
export function referencedByScan(scan: ResolvedScan): Set<number> {
  return collect((note) => {
    mapScan(scan, note);
  });
}

function collect(visit: (note: Replace) => void): Set<number> {
  const ids = new Set<number>();
  visit((expression) => {
    if (expression.kind === 'column') ids.add(expression.column.id);
    return null;
  });
  return ids;
}
