import type { AnalyzedQuery } from '../analyzer/analyze.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { addedColumns } from '../resolved/outer-columns.ts';
import { type PlanNode, walkParts } from '../resolved/parts.ts';
import { referencedColumns } from '../resolved/references.ts';
import type { JoinScan, ResolvedCte, ResolvedScan } from '../resolved/scan.ts';
import { type SqlType, sameType } from '../types/sql-type.ts';

/**
 * What a query's author may not have meant and will have to wait for: records selected whole, and cross joins that no
 * condition narrows. `records` are the record types of the sources.
 */
export function findWarnings(analyzed: AnalyzedQuery, records: readonly SqlType[]): readonly string[] {
  const warnings: string[] = [];
  for (const { name, type } of analyzed.columns) {
    if (records.some((record) => sameType(record, type))) {
      warnings.push(`The column ${name} is a whole nested record; select the fields that you need.`);
    }
  }
  if (hasBareCrossJoin(analyzed.query.scan)) {
    warnings.push(
      'A cross join has no condition: it pairs every row of one side with every row of the other.',
    );
  }
  return warnings;
}

/** Whether a cross join stands anywhere without one of the conditions around it naming both of its sides. */
function hasBareCrossJoin(query: ResolvedScan): boolean {
  const open = [query];
  const seen = new Set<number>();
  for (let scan = open.pop(); scan !== undefined; scan = open.pop()) {
    const findSubqueries = (part: PlanNode): void => {
      if (part.kind === 'subquery') open.push(part.scan);
      else walkParts(part, findSubqueries);
    };
    findSubqueries(scan);
    const isFound = findCrossJoin(scan, [], (cte) => {
      if (!seen.has(cte.id)) open.push(cte.scan);
      seen.add(cte.id);
    });
    if (isFound) return true;
  }
  return false;
}

/** Looks at a scan and its inputs; CTEs go to `visit`, and subqueries are left out. */
function findCrossJoin(
  scan: ResolvedScan,
  conditions: readonly ResolvedExpression[],
  visit: (cte: ResolvedCte) => void,
): boolean {
  switch (scan.kind) {
    case 'table':
    case 'single-row':
    case 'working-table':
      return false;
    case 'cte':
      visit(scan.cte);
      return false;
    case 'filter':
      return findCrossJoin(scan.input, [...conditions, scan.condition], visit);
    case 'unnest':
      return findCrossJoin(scan.input, conditions, visit);
    case 'join':
      return (
        isBare(scan, conditions) ||
        findCrossJoin(scan.left, conditions, visit) ||
        findCrossJoin(scan.right, conditions, visit)
      );
    case 'set-operation':
      return scan.inputs.some((input) => findCrossJoin(input.scan, [], visit));
    default:
      return findCrossJoin(scan.input, [], visit);
  }
}

function isBare(
  { join, left, right, condition }: JoinScan,
  conditions: readonly ResolvedExpression[],
): boolean {
  if (join !== 'CROSS' || condition !== null || hasOneRow(left) || hasOneRow(right)) return false;
  const [leftIds, rightIds] = [columnsOf(left), columnsOf(right)];
  return !conditions.some((one) => {
    const used = [...referencedColumns(one)];
    return used.some((id) => leftIds.has(id)) && used.some((id) => rightIds.has(id));
  });
}

function hasOneRow(scan: ResolvedScan): boolean {
  if (scan.kind === 'project' || scan.kind === 'order' || scan.kind === 'filter')
    return hasOneRow(scan.input);
  if (scan.kind === 'limit') return scan.limit.kind === 'literal' && String(scan.limit.value) === '1';
  if (scan.kind === 'cte') return hasOneRow(scan.cte.scan);
  return (
    scan.kind === 'single-row' || (scan.kind === 'aggregate' && scan.keys.length === 0 && scan.sets === null)
  );
}

/** The ids of the columns that a scan brings. */
function columnsOf(scan: ResolvedScan): Set<number> {
  if (scan.kind === 'join') return new Set([...columnsOf(scan.left), ...columnsOf(scan.right)]);
  const added = addedColumns(scan).map(({ id }) => id);
  return 'input' in scan && scan.kind !== 'aggregate'
    ? new Set([...columnsOf(scan.input), ...added])
    : new Set(added);
}
