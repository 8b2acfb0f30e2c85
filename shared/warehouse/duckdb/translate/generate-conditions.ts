import { conjuncts } from '../../../sql/resolved/conjuncts.ts';
import type { ResolvedExpression } from '../../../sql/resolved/expression.ts';
import { allColumnIds } from '../../../sql/resolved/outer-columns.ts';
import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';
import { duck, type Sql } from './duck/sql.ts';
import type { Scope } from './scope.ts';

/** What generates expressions. */
interface Generates {
  expression(expression: ResolvedExpression, scope: Scope): Sql;
  mayRaise(expression: ResolvedExpression): boolean;
}

/**
 * The parts of a condition over the rows of `scan`. One that may raise an error is computed for no other rows: its error would quote values
 * that the query must not read, such as those of another project, or tell that they exist. DuckDB puts a condition beside those of the
 * CTE that it reads, in any order, unless the condition is volatile and visibly raises errors.
 */
export function generateConditions(
  generator: Generates,
  condition: ResolvedExpression,
  scan: ResolvedScan,
  scope: Scope,
): readonly Sql[] {
  return conjuncts(condition).map((part) => {
    const sql = generator.expression(part, scope);
    const isSafe = !generator.mayRaise(part) || isJoin(scan, part);
    return isSafe ? sql : duck`gsql_after_others(${sql})`.volatile();
  });
}

/** Whether a part compares both sides of a join: DuckDB does that with the rows that are left of each. */
function isJoin(scan: ResolvedScan, part: ResolvedExpression): boolean {
  if (part.kind !== 'call' || part.name !== '$EQUAL') return false;
  const [first, second] = part.arguments.map((argument) => referencedColumns(argument));
  if (first === undefined || second === undefined || first.size === 0 || second.size === 0) return false;
  return isAcross(scan, first, second);
}

function isAcross(scan: ResolvedScan, first: ReadonlySet<number>, second: ReadonlySet<number>): boolean {
  if (scan.kind === 'filter' || scan.kind === 'unnest' || scan.kind === 'project')
    return isAcross(scan.input, first, second);
  if (scan.kind !== 'join') return false;
  const [left, right] = [allColumnIds(scan.left), allColumnIds(scan.right)];
  const isCrossed = first.isSubsetOf(right) && second.isSubsetOf(left);
  if (isCrossed || (first.isSubsetOf(left) && second.isSubsetOf(right))) return true;
  return isAcross(scan.left, first, second) || isAcross(scan.right, first, second);
}
