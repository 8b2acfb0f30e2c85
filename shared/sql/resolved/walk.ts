import type { ResolvedAggregate, ResolvedExpression, ResolvedWindow } from './expression.ts';
import type { ResolvedScan } from './scan.ts';

/** What a walk does with the parts of a node. It goes on below a part by walkExpression() and walkScan(). */
export interface Walker {
  expression(part: ResolvedExpression): void;
  scan(part: ResolvedScan): void;
}

/** Visits what an expression is made of, without itself: its operands, and the scan of a subquery. */
export function walkExpression(expression: ResolvedExpression, walker: Walker): void {
  switch (expression.kind) {
    case 'literal':
    case 'column':
    case 'parameter':
      return;
    case 'call':
      for (const part of expression.arguments) walker.expression(part);
      return;
    case 'cast':
      walker.expression(expression.operand);
      return;
    case 'case':
      for (const { when, result } of expression.branches) {
        walker.expression(when);
        walker.expression(result);
      }
      walker.expression(expression.otherwise);
      return;
    case 'field':
      walker.expression(expression.base);
      return;
    case 'array':
      for (const element of expression.elements) walker.expression(element);
      return;
    case 'struct':
      for (const field of expression.fields) walker.expression(field);
      return;
    case 'subquery':
      walker.scan(expression.scan);
      if (expression.operand !== null) walker.expression(expression.operand);
      return;
    case 'let':
      for (const { value } of expression.variables) walker.expression(value);
      walker.expression(expression.result);
      return;
    default: {
      const unreachable: never = expression;
      throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}

/** Visits the inputs of a scan and the expressions that are its own. The query of a CTE is no input. */
export function walkScan(scan: ResolvedScan, walker: Walker): void {
  if ('input' in scan) walker.scan(scan.input);
  switch (scan.kind) {
    case 'filter':
      walker.expression(scan.condition);
      return;
    case 'project':
      walkFields(scan.computed, walker);
      return;
    case 'unnest':
      walker.expression(scan.array);
      return;
    case 'join':
      walker.scan(scan.left);
      walker.scan(scan.right);
      if (scan.condition !== null) walker.expression(scan.condition);
      return;
    case 'aggregate':
      walkFields(scan.keys, walker);
      for (const aggregate of scan.aggregates) walkAggregate(aggregate, walker);
      return;
    case 'window':
      for (const window of scan.windows) walkWindow(window, walker);
      return;
    case 'order':
      walkFields(scan.keys, walker);
      return;
    case 'set-operation':
      for (const input of scan.inputs) walker.scan(input.scan);
      return;
    default:
  }
}

export function walkAggregate(aggregate: ResolvedAggregate, walker: Walker): void {
  for (const part of aggregate.arguments) walker.expression(part);
  if (aggregate.having !== null) walker.expression(aggregate.having.expression);
  walkFields(aggregate.orderBy, walker);
}

export function walkWindow(
  { arguments: parts, partitionBy, orderBy, frame }: ResolvedWindow,
  walker: Walker,
): void {
  for (const part of parts) walker.expression(part);
  for (const key of partitionBy) walker.expression(key);
  walkFields(orderBy, walker);
  if (frame === null) return;
  for (const bound of [frame.start, frame.end]) if ('offset' in bound) walker.expression(bound.offset);
}

function walkFields(list: readonly { readonly expression: ResolvedExpression }[], walker: Walker): void {
  for (const { expression } of list) walker.expression(expression);
}

/** Visits all scans of a plan, from the top: those in subqueries too, and the query of each CTE once. */
export function walkPlan(plan: ResolvedScan, visit: (scan: ResolvedScan) => void): void {
  const ctes = new Set<number>();
  const walker: Walker = {
    expression: (part) => walkExpression(part, walker),
    scan(part) {
      visit(part);
      walkScan(part, walker);
      if (part.kind !== 'cte' || ctes.has(part.cte.id)) return;
      ctes.add(part.cte.id);
      walker.scan(part.cte.scan);
    },
  };
  walker.scan(plan);
}
