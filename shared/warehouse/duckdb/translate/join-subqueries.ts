import type { ResolvedExpression } from '../../../sql/resolved/expression.ts';
import { columnReference } from '../../../sql/resolved/make-expression.ts';
import { allColumnIds } from '../../../sql/resolved/outer-columns.ts';
import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { ComputedColumn, JoinScan, ResolvedScan } from '../../../sql/resolved/scan.ts';
import { mapExpression } from '../../../sql/resolved/transform.ts';
import { hasRowSubquery } from './unnest-chain.ts';

/**
 * An outer join whose condition holds no subqueries over the rows of one side, which DuckDB runs in inner joins only: they become
 * columns of their side.
 */
export function withSubqueriesAsColumns(scan: JoinScan, newColumnId: () => number): JoinScan {
  const { condition, left, right } = scan;
  if (scan.join === 'INNER' || condition === null || !hasRowSubquery(condition)) return scan;
  const sides = [left, right].map((side) => ({ ids: allColumnIds(side), computed: [] as ComputedColumn[] }));
  const replaced = mapExpression(condition, (part): ResolvedExpression | null => {
    if (part.kind !== 'subquery') return null;
    const used = referencedColumns([part]);
    const [side, ...others] = sides.filter(({ ids }) => [...used].some((id) => ids.has(id)));
    if (others.length > 0) return null;
    const column = { id: newColumnId(), name: '', type: part.type };
    (side ?? sides[0])?.computed.push({ column, expression: part });
    return columnReference(column);
  });
  const [first, second] = [left, right].map((input, index): ResolvedScan => {
    const computed = sides[index]?.computed ?? [];
    return computed.length === 0 ? input : { kind: 'project', input, computed };
  });
  return { ...scan, left: first ?? left, right: second ?? right, condition: replaced };
}
