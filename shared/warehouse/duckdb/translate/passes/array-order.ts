import type { ResolvedColumn, ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { mapPlan } from '../../../../sql/resolved/map-plan.ts';
import type { ResolvedScan, SortKey } from '../../../../sql/resolved/scan.ts';
import { mapParts } from '../../../../sql/resolved/transform.ts';
import { INT64 } from '../../../../sql/types/sql-type.ts';
import type { Pass } from './pass.ts';

/** Rows that come from the elements of one array, and tie in all keys of ORDER BY, keep the order that the elements have. */
export const ARRAY_ORDER: Pass = {
  name: 'array order',
  stage: 'page',
  isCandidate: (scan) => keepArrayOrder(scan, () => 0) !== scan,
  run: (plan, { outputs, newColumnId }) =>
    mapPlan(plan, outputs, (scan) => keepArrayOrder(scan, newColumnId)),
};

/** The elements' positions become the last keys. */
function keepArrayOrder(scan: ResolvedScan, newId: () => number): ResolvedScan {
  if (scan.kind !== 'order') return scan;
  const positions: ResolvedColumn[] = [];
  const input = addPositions(scan.input, positions, newId);
  if (positions.length === 0) return scan;
  const keys = positions.map((column): SortKey => {
    const expression: ResolvedExpression = { kind: 'column', type: INT64, column };
    return { expression, descending: false, nullsFirst: true };
  });
  return { ...scan, input, keys: [...scan.keys, ...keys] };
}

function addPositions(scan: ResolvedScan, positions: ResolvedColumn[], newId: () => number): ResolvedScan {
  switch (scan.kind) {
    case 'filter':
    case 'project':
    case 'window':
    case 'join':
      return mapParts(
        scan,
        (input) => addPositions(input, positions, newId),
        (expression) => expression,
      );
    case 'unnest': {
      const input = addPositions(scan.input, positions, newId);
      const offset = scan.offset ?? { id: newId(), name: '', type: INT64 };
      positions.push(offset);
      return { ...scan, input, offset };
    }
    default:
      return scan;
  }
}
