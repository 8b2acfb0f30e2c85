import type { ResolvedExpression } from '../../../sql/resolved/expression.ts';
import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { ComputedColumn, ResolvedScan } from '../../../sql/resolved/scan.ts';
import { walkPlan } from '../../../sql/resolved/walk.ts';
import { neverRaisesByRow } from './never-raises.ts';

/** A column, and whether its value is computed with one that may raise an error. */
interface Origin {
  readonly id: number;
  readonly from: ReadonlySet<number>;
  readonly mayRaise: boolean;
}

/**
 * The ids of all columns whose values are expressions that may raise an error. DuckDB computes such an expression wherever it uses the column,
 * in a condition too. Results of aggregates and windows are computed before.
 */
export function raisingColumns(plan: ResolvedScan): ReadonlySet<number> {
  const users = new Map<number, number[]>();
  const found: number[] = [];
  walkPlan(plan, (scan) => {
    for (const { id, from, mayRaise } of originsOf(scan)) {
      if (mayRaise) found.push(id);
      for (const one of from) {
        const list = users.get(one);
        if (list === undefined) users.set(one, [id]);
        else list.push(id);
      }
    }
  });
  const raising = new Set<number>();
  for (let id = found.pop(); id !== undefined; id = found.pop()) {
    if (raising.has(id)) continue;
    raising.add(id);
    found.push(...(users.get(id) ?? []));
  }
  return raising;
}

function originsOf(scan: ResolvedScan): readonly Origin[] {
  switch (scan.kind) {
    case 'project':
      return scan.computed.map(computed);
    case 'aggregate':
      return scan.keys.map(computed);
    case 'cte':
      return scan.columns.map(({ id }, index) => copied(id, [scan.cte.columns[index]?.id]));
    case 'set-operation':
      return scan.columns.map(({ id }, index) =>
        copied(
          id,
          scan.inputs.map(({ columns }) => columns[index]?.id),
        ),
      );
    default:
      return [];
  }
}

function computed({ column, expression }: ComputedColumn): Origin {
  return { id: column.id, from: referencedColumns(expression), mayRaise: !neverRaisesByRow(expression) };
}

function copied(id: number, from: readonly (number | undefined)[]): Origin {
  return { id, from: new Set(from.filter((one) => one !== undefined)), mayRaise: false };
}

/** Whether an expression may raise an error, where columns with these ids may. */
export function mayRaise(expression: ResolvedExpression, raising: ReadonlySet<number>): boolean {
  return !neverRaisesByRow(expression) || !referencedColumns(expression).isDisjointFrom(raising);
}
