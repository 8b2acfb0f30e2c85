import { findFunction } from '../../../sql/functions/catalog.ts';
import type { ResolvedExpression, ResolvedSubquery } from '../../../sql/resolved/expression.ts';
import { allColumnIds } from '../../../sql/resolved/outer-columns.ts';
import { isExpression, walkParts } from '../../../sql/resolved/parts.ts';
import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';

/** Whether an expression never raises an error, as far as that is easily seen. */
export function neverRaises(expression: ResolvedExpression): boolean {
  return expression.kind !== 'subquery' && isTotal(expression, neverRaises);
}

/** Whether no value of a column makes an expression raise an error. What has no columns raises it for all rows, or for none. */
export function neverRaisesByRow(expression: ResolvedExpression): boolean {
  if (expression.kind === 'subquery') return subqueryNeverRaisesByRow(expression);
  return isTotal(expression, neverRaisesByRow) || referencedColumns(expression).size === 0;
}

function isTotal(
  expression: ResolvedExpression,
  isPartTotal: (part: ResolvedExpression) => boolean,
): boolean {
  switch (expression.kind) {
    case 'literal':
    case 'column':
    case 'parameter':
      return true;
    case 'field':
      return isPartTotal(expression.base);
    case 'call': {
      const { name, arguments: parts } = expression;
      return isTotalCall(name, parts) && parts.every(isPartTotal);
    }
    case 'case': {
      const branches = expression.branches.flatMap(({ when, result }) => [when, result]);
      return [...branches, expression.otherwise].every(isPartTotal);
    }
    default:
      return false;
  }
}

/**
 * Whether a call answers whatever the values of its arguments are. DuckDB reads a pattern that is the same for all rows before
 * it reads these: one that is not valid is an error without any row.
 */
function isTotalCall(name: string, parts: readonly ResolvedExpression[]): boolean {
  const spec = findFunction(name);
  const pattern = name === '$LIKE' ? 1 : spec?.patternArgument;
  const kind = pattern === undefined ? 'literal' : parts[pattern]?.kind;
  if (kind !== 'literal' && (kind !== 'parameter' || name === '$LIKE')) return false;
  return name === '$LIKE' || spec?.isTotal === true;
}

/**
 * A subquery that has nothing of the rows around it is run once, whatever these are. Of the others, one that is a value has to have one
 * row, which only aggregation without keys is certain to give.
 */
function subqueryNeverRaisesByRow({ mode, scan, operand }: ResolvedSubquery): boolean {
  if (operand !== null && !neverRaisesByRow(operand)) return false;
  if (referencedColumns([scan]).isSubsetOf(allColumnIds(scan))) return true;
  return (mode !== 'scalar' || hasOneRow(scan)) && scanNeverRaisesByRow(scan);
}

function hasOneRow(scan: ResolvedScan): boolean {
  if (scan.kind === 'project') return hasOneRow(scan.input);
  return scan.kind === 'aggregate' && scan.keys.length === 0 && scan.sets === null;
}

const TOTAL_AGGREGATES: ReadonlySet<string> = new Set(['COUNT', '$COUNT_STAR', 'MIN', 'MAX']);

function scanNeverRaisesByRow(scan: ResolvedScan): boolean {
  if (scan.kind === 'limit' || scan.kind === 'window' || scan.kind === 'set-operation') return false;
  if (scan.kind === 'aggregate' && !scan.aggregates.every(({ name }) => TOTAL_AGGREGATES.has(name)))
    return false;
  let isTotalSoFar = true;
  walkParts(scan, (part) => {
    isTotalSoFar &&= isExpression(part) ? neverRaisesByRow(part) : scanNeverRaisesByRow(part);
  });
  return isTotalSoFar;
}
