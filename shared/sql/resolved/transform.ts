import type {
  ResolvedAggregate,
  ResolvedExpression,
  ResolvedFrameBound,
  ResolvedWindow,
} from './expression.ts';
import type { ResolvedScan, SortKey } from './scan.ts';

/** Answers what an expression is replaced by, or null to look at its parts. */
export type Replace = (expression: ResolvedExpression) => ResolvedExpression | null;

/** Rebuilds an expression with parts replaced, outermost first, subqueries included. */
export function mapExpression(expression: ResolvedExpression, replace: Replace): ResolvedExpression {
  const replaced = replace(expression);
  if (replaced !== null) return replaced;
  const map = (part: ResolvedExpression) => mapExpression(part, replace);
  switch (expression.kind) {
    case 'literal':
    case 'column':
    case 'parameter':
      return expression;
    case 'call':
      return { ...expression, arguments: expression.arguments.map(map) };
    case 'cast':
      return { ...expression, operand: map(expression.operand) };
    case 'case':
      return {
        ...expression,
        branches: expression.branches.map(({ when, result }) => ({ when: map(when), result: map(result) })),
        otherwise: map(expression.otherwise),
      };
    case 'field':
      return { ...expression, base: map(expression.base) };
    case 'array':
      return { ...expression, elements: expression.elements.map(map) };
    case 'struct':
      return { ...expression, fields: expression.fields.map(map) };
    case 'subquery':
      return {
        ...expression,
        scan: mapScan(expression.scan, replace),
        operand: expression.operand === null ? null : map(expression.operand),
      };
    case 'let':
      return {
        ...expression,
        variables: expression.variables.map(({ column, value }) => ({ column, value: map(value) })),
        result: map(expression.result),
      };
    default: {
      const unreachable: never = expression;
      throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}

/** Rebuilds a scan with the expressions in it replaced. CTEs are left alone: they never refer to the outside. */
export function mapScan(scan: ResolvedScan, replace: Replace): ResolvedScan {
  const map = (part: ResolvedExpression) => mapExpression(part, replace);
  const inner = (part: ResolvedScan) => mapScan(part, replace);
  switch (scan.kind) {
    case 'table':
    case 'cte':
    case 'single-row':
      return scan;
    case 'filter':
      return { ...scan, input: inner(scan.input), condition: map(scan.condition) };
    case 'project':
      return {
        ...scan,
        input: inner(scan.input),
        computed: scan.computed.map(({ column, expression }) => ({ column, expression: map(expression) })),
      };
    case 'unnest':
      return { ...scan, input: inner(scan.input), array: map(scan.array) };
    case 'join':
      return {
        ...scan,
        left: inner(scan.left),
        right: inner(scan.right),
        condition: scan.condition === null ? null : map(scan.condition),
      };
    case 'aggregate':
      return {
        ...scan,
        input: inner(scan.input),
        keys: scan.keys.map(({ column, expression }) => ({ column, expression: map(expression) })),
        aggregates: scan.aggregates.map((aggregate) => mapAggregate(aggregate, replace)),
      };
    case 'window':
      return {
        ...scan,
        input: inner(scan.input),
        windows: scan.windows.map((window) => mapWindow(window, replace)),
      };
    case 'order':
      return { ...scan, input: inner(scan.input), keys: mapKeys(scan.keys, replace) };
    case 'limit':
      return { ...scan, input: inner(scan.input) };
    case 'set-operation':
      return { ...scan, inputs: scan.inputs.map((input) => ({ ...input, scan: inner(input.scan) })) };
    default: {
      const unreachable: never = scan;
      throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
    }
  }
}

export function mapAggregate(aggregate: ResolvedAggregate, replace: Replace): ResolvedAggregate {
  const { having } = aggregate;
  return {
    ...aggregate,
    arguments: aggregate.arguments.map((argument) => mapExpression(argument, replace)),
    having: having === null ? null : { ...having, expression: mapExpression(having.expression, replace) },
    orderBy: mapKeys(aggregate.orderBy, replace),
  };
}

export function mapWindow(window: ResolvedWindow, replace: Replace): ResolvedWindow {
  const { frame } = window;
  const mapBound = (bound: ResolvedFrameBound): ResolvedFrameBound =>
    'offset' in bound ? { ...bound, offset: mapExpression(bound.offset, replace) } : bound;
  return {
    ...window,
    arguments: window.arguments.map((argument) => mapExpression(argument, replace)),
    partitionBy: window.partitionBy.map((key) => mapExpression(key, replace)),
    orderBy: mapKeys(window.orderBy, replace),
    frame: frame === null ? null : { ...frame, start: mapBound(frame.start), end: mapBound(frame.end) },
  };
}

function mapKeys(keys: readonly SortKey[], replace: Replace): readonly SortKey[] {
  return keys.map((key) => ({ ...key, expression: mapExpression(key.expression, replace) }));
}
