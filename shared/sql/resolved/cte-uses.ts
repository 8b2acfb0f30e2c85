import type { ResolvedScan } from './scan.ts';
import { mapScan } from './transform.ts';

/** How often each CTE is used in a query, by id; uses inside a CTE count once for each time that one is used. */
export function countCteUses(scan: ResolvedScan): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  visit(scan);
  return uses;

  function visit(one: ResolvedScan): void {
    forEachScan(one, (part) => {
      if (part.kind !== 'cte') return;
      const count = (uses.get(part.cte.id) ?? 0) + 1;
      uses.set(part.cte.id, count);
      if (count === 1) visit(part.cte.scan);
    });
  }
}

/** Visits a scan, those it is made of, and those of subqueries in its expressions. */
export function forEachScan(scan: ResolvedScan, visit: (scan: ResolvedScan) => void): void {
  visitTree(scan);
  mapScan(scan, (expression) => {
    if (expression.kind === 'subquery') visitTree(expression.scan);
    return null;
  });

  function visitTree(one: ResolvedScan): void {
    visit(one);
    if ('input' in one) visitTree(one.input);
    else if (one.kind === 'join') {
      visitTree(one.left);
      visitTree(one.right);
    } else if (one.kind === 'set-operation') {
      for (const input of one.inputs) visitTree(input.scan);
    }
  }
}
