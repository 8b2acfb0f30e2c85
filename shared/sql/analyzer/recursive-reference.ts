import { isExpression, walkParts } from '../resolved/parts.ts';
import type { JoinScan, ResolvedScan } from '../resolved/scan.ts';

const COUNTS = 'A query that reads its recursive CTE may not use DISTINCT, GROUP BY or an aggregate function';

/** Why no recursive reference may stand below a scan: each row of the result has to come from one row of the last step. */
const REFUSALS: Partial<Readonly<Record<ResolvedScan['kind'], string>>> = {
  aggregate: COUNTS,
  window: 'A query that reads its recursive CTE may not use a window function',
  order: 'A query that reads its recursive CTE may not use ORDER BY',
  limit: 'A query that reads its recursive CTE may not use LIMIT',
};

const SUBQUERY = 'A recursive CTE may not be read in a subquery of an expression, nor in a WITH inside it';

/**
 * What is wrong with the way in which a recursive term reads the working table of its recursion, or null: it is read once, and only
 * where rows are filtered, computed, unnested, joined or put together by UNION ALL.
 */
export function recursiveReferenceComplaint(
  term: ResolvedScan,
  recursion: number,
  name: string,
): string | null {
  const complaints: string[] = [];
  const ctes = new Set<number>();
  let count = 0;
  const visit = (scan: ResolvedScan, refusal: string | null): void => {
    if (scan.kind === 'working-table' && scan.recursion === recursion) {
      count++;
      if (refusal !== null) complaints.push(refusal);
    }
    const own = refusal ?? refusalOf(scan);
    const inSubquery = (part: object) =>
      walkParts(part, (inner) => (isExpression(inner) ? inSubquery(inner) : visit(inner, SUBQUERY)));
    if (scan.kind === 'join') {
      visit(scan.left, own ?? joinRefusal(scan, 'RIGHT'));
      visit(scan.right, own ?? joinRefusal(scan, 'LEFT'));
      if (scan.condition !== null) inSubquery(scan.condition);
      return;
    }
    walkParts(scan, (part) => (isExpression(part) ? inSubquery(part) : visit(part, own)));
    if (scan.kind !== 'cte' || ctes.has(scan.cte.id)) return;
    ctes.add(scan.cte.id);
    visit(scan.cte.scan, SUBQUERY);
  };
  visit(term, null);
  const [first] = complaints;
  if (first !== undefined) return `${first}: ${name}`;
  if (count === 1) return null;
  return count > 1
    ? `Multiple recursive references to ${name} are not allowed; its recursive term may read it once`
    : `The recursive term of ${name} must read ${name} in its FROM clause`;
}

function refusalOf(scan: ResolvedScan): string | null {
  if (scan.kind !== 'set-operation') return REFUSALS[scan.kind] ?? null;
  if (scan.operator === 'UNION' && !scan.distinct) return null;
  return 'A query that reads its recursive CTE may not use UNION DISTINCT, INTERSECT or EXCEPT';
}

/** Rows that have no partner are kept on the other side, which a recursion could not go on from. */
function joinRefusal({ join }: JoinScan, outer: 'LEFT' | 'RIGHT'): string | null {
  if (join !== outer && join !== 'FULL') return null;
  return `A recursive CTE may not stand where ${join} JOIN adds rows of NULLs`;
}
