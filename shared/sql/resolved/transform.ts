import type {
  ResolvedAggregate,
  ResolvedExpression,
  ResolvedFrameBound,
  ResolvedWindow,
} from './expression.ts';
import type { ResolvedScan, SortKey } from './scan.ts';

type MapExpression = (expression: ResolvedExpression) => ResolvedExpression;

/** Answers what an expression is replaced by, or null to look at its parts. */
export type Replace = (expression: ResolvedExpression) => ResolvedExpression | null;

/** Rebuilds an expression with parts replaced, outermost first, subqueries included. What does not change stays the same object. */
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
      return changed(expression, 'arguments', mapList(expression.arguments, map));
    case 'cast':
      return changed(expression, 'operand', map(expression.operand));
    case 'case':
      return {
        ...expression,
        branches: expression.branches.map(({ when, result }) => ({ when: map(when), result: map(result) })),
        otherwise: map(expression.otherwise),
      };
    case 'field':
      return changed(expression, 'base', map(expression.base));
    case 'array':
      return changed(expression, 'elements', mapList(expression.elements, map));
    case 'struct':
      return changed(expression, 'fields', mapList(expression.fields, map));
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
  return mapParts(
    scan,
    (input) => mapScan(input, replace),
    (part) => mapExpression(part, replace),
  );
}

/** Rebuilds a scan with its inputs, and the expressions that are its own, mapped. LIMIT and OFFSET hold constants alone. */
export function mapParts(
  scan: ResolvedScan,
  inner: (input: ResolvedScan) => ResolvedScan,
  map: (expression: ResolvedExpression) => ResolvedExpression,
): ResolvedScan {
  switch (scan.kind) {
    case 'table':
    case 'cte':
    case 'single-row':
      return scan;
    case 'filter':
      return changed(changed(scan, 'input', inner(scan.input)), 'condition', map(scan.condition));
    case 'project':
      return {
        ...scan,
        input: inner(scan.input),
        computed: mapList(scan.computed, (computed) =>
          changed(computed, 'expression', map(computed.expression)),
        ),
      };
    case 'unnest':
      return changed(changed(scan, 'input', inner(scan.input)), 'array', map(scan.array));
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
        aggregates: scan.aggregates.map((aggregate) => mapAggregate(aggregate, map)),
      };
    case 'window':
      return {
        ...scan,
        input: inner(scan.input),
        windows: scan.windows.map((window) => mapWindow(window, map)),
      };
    case 'order':
      return changed(changed(scan, 'input', inner(scan.input)), 'keys', mapKeys(scan.keys, map));
    case 'limit':
      return changed(scan, 'input', inner(scan.input));
    case 'set-operation':
      return { ...scan, inputs: scan.inputs.map((input) => ({ ...input, scan: inner(input.scan) })) };
    default: {
      const unreachable: never = scan;
      throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
    }
  }
}

export function mapAggregate(aggregate: ResolvedAggregate, map: MapExpression): ResolvedAggregate {
  const { having } = aggregate;
  return {
    ...aggregate,
    arguments: aggregate.arguments.map(map),
    having: having === null ? null : { ...having, expression: map(having.expression) },
    orderBy: mapKeys(aggregate.orderBy, map),
  };
}

export function mapWindow(window: ResolvedWindow, map: MapExpression): ResolvedWindow {
  const { frame } = window;
  const mapBound = (bound: ResolvedFrameBound): ResolvedFrameBound =>
    'offset' in bound ? { ...bound, offset: map(bound.offset) } : bound;
  return {
    ...window,
    arguments: window.arguments.map(map),
    partitionBy: window.partitionBy.map(map),
    orderBy: mapKeys(window.orderBy, map),
    frame: frame === null ? null : { ...frame, start: mapBound(frame.start), end: mapBound(frame.end) },
  };
}

function mapKeys(keys: readonly SortKey[], map: MapExpression): readonly SortKey[] {
  return mapList(keys, (key) => changed(key, 'expression', map(key.expression)));
}

/** The list with each member mapped; the same list where none changes. */
function mapList<T>(list: readonly T[], map: (member: T) => T): readonly T[] {
  let changedList: T[] | null = null;
  for (let index = 0; index < list.length; index++) {
    const member = list[index] as T;
    const mapped = map(member);
    if (mapped === member) continue;
    changedList ??= [...list];
    changedList[index] = mapped;
  }
  return changedList ?? list;
}

/** The object with another value in a field; the same object where the value is the same. */
function changed<T, K extends keyof T>(whole: T, field: K, value: T[K]): T {
  return whole[field] === value ? whole : { ...whole, [field]: value };
}
