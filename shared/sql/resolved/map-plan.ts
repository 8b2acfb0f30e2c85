import { countCteUses } from './cte-uses.ts';
import type { ResolvedExpression } from './expression.ts';
import { isExpression, mapNodes } from './parts.ts';
import { referencedByScan } from './references.ts';
import type { CteScan, ResolvedCte, ResolvedScan } from './scan.ts';
import { mapParts } from './transform.ts';

/** The ids of all columns that are used above a scan; found when they are asked for. */
export type NeededColumns = () => ReadonlySet<number>;

/**
 * Rebuilds a plan from the top: each scan is replaced, then the inputs of what replaced it, the subqueries in its own
 * expressions, and the CTE that it reads. A CTE that is read several times stays one; what does not change stays the
 * same object. `outputs` are the ids of the columns that the query answers. Where `copiesUses`, a use of a CTE may be copied,
 * and all columns of a CTE are needed.
 */
export function mapPlan(
  plan: ResolvedScan,
  outputs: ReadonlySet<number>,
  replace: (scan: ResolvedScan, needed: NeededColumns) => ResolvedScan,
  copiesUses = false,
): ResolvedScan {
  const ctes = new Map<number, ResolvedCte>();
  const uses = once(() => countCteUses(plan));

  function mapCte({ cte, columns }: CteScan, needed: NeededColumns): ResolvedCte {
    const known = ctes.get(cte.id);
    if (known !== undefined) return known;
    const used = once(() => {
      const isShared = copiesUses || (uses().get(cte.id) ?? 0) > 1;
      const inner = cte.columns.filter((_, index) => isShared || needed().has(columns[index]?.id ?? 0));
      return new Set(inner.map(({ id }) => id));
    });
    const scan = mapOne(cte.scan, used);
    const mapped = scan === cte.scan ? cte : { ...cte, scan };
    ctes.set(cte.id, mapped);
    return mapped;
  }

  function mapOne(scan: ResolvedScan, needed: NeededColumns): ResolvedScan {
    const replaced = replace(scan, needed);
    if (replaced.kind === 'cte') {
      const cte = mapCte(replaced, needed);
      return cte === replaced.cte ? replaced : { ...replaced, cte };
    }
    const below = once(() => new Set([...needed(), ...columnsUsedBy(replaced, needed())]));
    return mapParts(replaced, (input) => mapOne(input, below), mapSubqueries);
  }

  function mapSubqueries(expression: ResolvedExpression): ResolvedExpression {
    const column = expression.kind === 'subquery' ? expression.column : null;
    const used = () => new Set(column === null ? [] : [column.id]);
    return mapNodes(expression, (part) => (isExpression(part) ? mapSubqueries(part) : mapOne(part, used)));
  }

  return mapOne(plan, () => outputs);
}

function once<T extends object>(compute: () => T): () => T {
  let value: T | null = null;
  return () => {
    value ??= compute();
    return value;
  };
}

/** The ids of the columns that a scan uses itself to make the columns of `needed`. */
function columnsUsedBy(scan: ResolvedScan, needed: ReadonlySet<number>): ReadonlySet<number> {
  const isNeeded = ({ column }: { readonly column: { readonly id: number } }) => needed.has(column.id);
  switch (scan.kind) {
    case 'set-operation':
      return new Set(scan.inputs.flatMap(({ columns }) => columns.map(({ id }) => id)));
    case 'project':
      return referencedByScan({ ...scan, computed: scan.computed.filter(isNeeded) });
    case 'aggregate':
      return referencedByScan({ ...scan, aggregates: scan.aggregates.filter(isNeeded) });
    case 'window':
      return referencedByScan({ ...scan, windows: scan.windows.filter(isNeeded) });
    default:
      return referencedByScan(scan);
  }
}
