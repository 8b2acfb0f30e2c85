import { conjuncts } from '../../../sql/resolved/conjuncts.ts';
import type {
  ResolvedColumn,
  ResolvedExpression,
  ResolvedSubquery,
} from '../../../sql/resolved/expression.ts';
import { columnReference } from '../../../sql/resolved/make-expression.ts';
import { type PlanNode, walkParts } from '../../../sql/resolved/parts.ts';
import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';

/** One level of a subquery that only walks through arrays of its scope. */
export interface ChainLevel {
  readonly array: ResolvedExpression;
  readonly element: ResolvedColumn;
  readonly outer: boolean;
  /** What rows must meet at this level, before the next one is unnested. */
  readonly conditions: readonly ResolvedExpression[];
}

/**
 * The levels of a subquery such as `SELECT … FROM UNNEST(a) x, UNNEST(x.b) y WHERE …`, outermost first; null for
 * anything else. Such a subquery can run as list functions on the row itself, many times faster than as a join.
 */
export function unnestChain(scan: ResolvedScan): readonly ChainLevel[] | null {
  if (scan.kind === 'filter') {
    const levels = unnestChain(scan.input);
    const last = levels?.at(-1);
    if (levels === null || last === undefined) return null;
    return [
      ...levels.slice(0, -1),
      { ...last, conditions: [...last.conditions, ...conjuncts(scan.condition)] },
    ];
  }
  if (scan.kind !== 'unnest' || scan.offset !== null) return null;
  const level: ChainLevel = { array: scan.array, element: scan.element, outer: scan.outer, conditions: [] };
  if (scan.input.kind === 'single-row') return [level];
  const levels = unnestChain(scan.input);
  return levels === null ? null : [...levels, level];
}

/** A subquery that walks through arrays of its scope, and the value that it makes of each row; EXISTS needs none. */
export interface ListSubquery {
  readonly levels: readonly ChainLevel[];
  readonly value: ResolvedExpression | null;
}

/**
 * EXISTS, ARRAY or IN over nothing but arrays of the row, which can run as list functions; null for all other subqueries. IN
 * looks through the array of each row, so that one that is the same for all rows is left to a join.
 */
export function listSubquery({ mode, scan, column }: ResolvedSubquery): ListSubquery | null {
  const levels = mode === 'scalar' ? null : unnestChain(scan.kind === 'project' ? scan.input : scan);
  if (levels === null || !levels.every(isLambdaSafe)) return null;
  if (mode === 'exists' || column === null) return { levels, value: null };
  if (mode === 'in' && levels[0] !== undefined && referencedColumns(levels[0].array).size === 0) return null;
  const computed =
    scan.kind === 'project' ? scan.computed.find((one) => one.column.id === column.id) : undefined;
  const value = computed?.expression ?? columnReference(column);
  return hasRowSubquery(value) ? null : { levels, value };
}

/** The parts of `SELECT BIT_OR(value) FROM UNNEST(a) …` that can run as list functions; null for anything else. */
export function bitsChain(
  scan: ResolvedScan,
): { readonly levels: readonly ChainLevel[]; readonly value: ResolvedExpression } | null {
  if (scan.kind !== 'aggregate' || scan.keys.length > 0 || scan.sets !== null) return null;
  const [aggregate, ...others] = scan.aggregates;
  const [value] = aggregate?.arguments ?? [];
  if (aggregate?.name !== 'BIT_OR' || aggregate.having !== null || others.length > 0) return null;
  const levels = unnestChain(scan.input);
  if (levels === null || value === undefined) return null;
  return levels.every(isLambdaSafe) && !hasRowSubquery(value) ? { levels, value } : null;
}

/** Whether conditions and array can stand in a lambda, where DuckDB runs no subqueries. */
export function isLambdaSafe(level: ChainLevel): boolean {
  return !level.conditions.some(hasRowSubquery) && !hasRowSubquery(level.array);
}

/** Whether an expression has a subquery that needs rows, which DuckDB's lambdas cannot run. */
export function hasRowSubquery(expression: ResolvedExpression): boolean {
  let found = false;
  const visit = (part: PlanNode): void => {
    if (part.kind !== 'subquery') {
      walkParts(part, visit);
      return;
    }
    if (listSubquery(part) === null) found = true;
    else if (part.operand !== null) visit(part.operand);
  };
  visit(expression);
  return found;
}
