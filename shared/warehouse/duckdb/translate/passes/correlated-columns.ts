import { mapPlan } from '../../../../sql/resolved/map-plan.ts';
import { outerColumns } from '../../../../sql/resolved/outer-columns.ts';
import type { ResolvedScan } from '../../../../sql/resolved/scan.ts';
import { mapParts, replaceColumns } from '../../../../sql/resolved/transform.ts';
import { bitsChain } from '../unnest-chain.ts';
import type { Pass } from './pass.ts';

/**
 * Columns of the queries around a subquery that it aggregates, or computes window functions of, become columns of its own.
 * DuckDB takes an aggregate or window function that refers to nothing else for one of the outer query.
 */
export const CORRELATED_COLUMNS: Pass = {
  name: 'correlated columns',
  stage: 'page',
  isCandidate: (scan) => ownOuterColumns(scan, () => 0) !== scan,
  run: (plan, { outputs, newColumnId }) =>
    mapPlan(plan, outputs, (scan) => ownOuterColumns(scan, newColumnId)),
};

function ownOuterColumns(scan: ResolvedScan, newColumnId: () => number): ResolvedScan {
  if (scan.kind !== 'window' && (scan.kind !== 'aggregate' || bitsChain(scan) !== null)) return scan;
  const outer = outerColumns(scan);
  if (outer.length === 0) return scan;
  const own = new Map(outer.map((column) => [column.id, { ...column, id: newColumnId() }]));
  const computed = outer.map((column) => {
    const expression = { kind: 'column', type: column.type, column } as const;
    return { column: own.get(column.id) ?? column, expression };
  });
  return mapParts(
    scan,
    (input) => ({ kind: 'project', input, computed }),
    (expression) => replaceColumns(expression, own),
  );
}
