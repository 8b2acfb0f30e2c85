import type { ResolvedExpression } from './expression.ts';
import type { ResolvedCte, ResolvedScan } from './scan.ts';
import { mapExpression, mapParts } from './transform.ts';

/**
 * Rebuilds a plan from the top: each scan is replaced, then the inputs of what replaced it, the subqueries in its own
 * expressions, and the CTE that it reads. A CTE that is read several times stays one.
 */
export function mapPlan(plan: ResolvedScan, replace: (scan: ResolvedScan) => ResolvedScan): ResolvedScan {
  const ctes = new Map<number, ResolvedCte>();

  function mapCte(cte: ResolvedCte): ResolvedCte {
    const known = ctes.get(cte.id);
    if (known !== undefined) return known;
    const mapped = { ...cte, scan: mapOne(cte.scan) };
    ctes.set(cte.id, mapped);
    return mapped;
  }

  function mapOne(scan: ResolvedScan): ResolvedScan {
    const replaced = replace(scan);
    if (replaced.kind === 'cte') return { ...replaced, cte: mapCte(replaced.cte) };
    return mapParts(replaced, mapOne, mapSubqueries);
  }

  function mapSubqueries(expression: ResolvedExpression): ResolvedExpression {
    return mapExpression(expression, (part) => {
      if (part.kind !== 'subquery') return null;
      const operand = part.operand === null ? null : mapSubqueries(part.operand);
      return { ...part, scan: mapOne(part.scan), operand };
    });
  }

  return mapOne(plan);
}
