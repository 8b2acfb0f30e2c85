import { countCteUses } from './cte-uses.ts';
import type { ResolvedExpression } from './expression.ts';
import { referencedColumns } from './references.ts';
import type { CteScan, ResolvedCte, ResolvedScan } from './scan.ts';
import { mapExpression, mapParts } from './transform.ts';

/** Answers what a scan is replaced by; `needed` are the ids of all columns that are used above it. */
export type ReplaceNeeded = (scan: ResolvedScan, needed: ReadonlySet<number>) => ResolvedScan;

/**
 * mapPlan() for rewrites that depend on which columns are used. `outputs` are the ids of those that the query answers,
 * `uses` what countCteUses() finds in the plan.
 */
export function mapNeeded(
  plan: ResolvedScan,
  outputs: ReadonlySet<number>,
  replace: ReplaceNeeded,
  uses: ReadonlyMap<number, number> = countCteUses(plan),
): ResolvedScan {
  const ctes = new Map<number, ResolvedCte>();

  function mapCte({ cte, columns }: CteScan, needed: ReadonlySet<number>): ResolvedCte {
    const known = ctes.get(cte.id);
    if (known !== undefined) return known;
    const isShared = (uses.get(cte.id) ?? 0) > 1;
    const used = cte.columns.filter((_, index) => isShared || needed.has(columns[index]?.id ?? 0));
    const mapped = { ...cte, scan: mapOne(cte.scan, new Set(used.map(({ id }) => id))) };
    ctes.set(cte.id, mapped);
    return mapped;
  }

  function mapOne(scan: ResolvedScan, needed: ReadonlySet<number>): ResolvedScan {
    const replaced = replace(scan, needed);
    if (replaced.kind === 'cte') return { ...replaced, cte: mapCte(replaced, needed) };
    const used = columnsUsedBy(replaced, needed);
    const below = used.size === 0 ? needed : new Set([...needed, ...used]);
    return mapParts(replaced, (input) => mapOne(input, below), mapSubqueries);
  }

  function mapSubqueries(expression: ResolvedExpression): ResolvedExpression {
    return mapExpression(expression, (part) => {
      if (part.kind !== 'subquery') return null;
      const operand = part.operand === null ? null : mapSubqueries(part.operand);
      const column = part.column === null ? [] : [part.column.id];
      return { ...part, scan: mapOne(part.scan, new Set(column)), operand };
    });
  }

  return mapOne(plan, outputs);
}

/** The ids of the columns that a scan uses itself to make the columns of `needed`. */
function columnsUsedBy(scan: ResolvedScan, needed: ReadonlySet<number>): ReadonlySet<number> {
  if (scan.kind === 'set-operation') {
    return new Set(scan.inputs.flatMap(({ columns }) => columns.map(({ id }) => id)));
  }
  const expressions: ResolvedExpression[] = [];
  mapParts(
    withoutUnneeded(scan, needed),
    (input) => input,
    (expression) => {
      expressions.push(expression);
      return expression;
    },
  );
  return referencedColumns(...expressions);
}

function withoutUnneeded(scan: ResolvedScan, needed: ReadonlySet<number>): ResolvedScan {
  const isNeeded = ({ column }: { readonly column: { readonly id: number } }) => needed.has(column.id);
  switch (scan.kind) {
    case 'project':
      return { ...scan, computed: scan.computed.filter(isNeeded) };
    case 'aggregate':
      return { ...scan, aggregates: scan.aggregates.filter(isNeeded) };
    case 'window':
      return { ...scan, windows: scan.windows.filter(isNeeded) };
    default:
      return scan;
  }
}
