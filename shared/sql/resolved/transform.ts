import type {
  ResolvedAggregate,
  ResolvedColumn,
  ResolvedExpression,
  ResolvedFrameBound,
  ResolvedWindow,
} from './expression.ts';
import type { ResolvedScan } from './scan.ts';

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
      return changed(expression, { arguments: mapList(expression.arguments, map) });
    case 'cast':
      return changed(expression, { operand: map(expression.operand) });
    case 'case':
      return changed(expression, {
        branches: mapList(expression.branches, (branch) =>
          changed(branch, { when: map(branch.when), result: map(branch.result) }),
        ),
        otherwise: map(expression.otherwise),
      });
    case 'field':
      return changed(expression, { base: map(expression.base) });
    case 'array':
      return changed(expression, { elements: mapList(expression.elements, map) });
    case 'struct':
      return changed(expression, { fields: mapList(expression.fields, map) });
    case 'subquery':
      return changed(expression, {
        scan: mapScan(expression.scan, replace),
        operand: expression.operand === null ? null : map(expression.operand),
      });
    case 'let':
      return changed(expression, {
        variables: mapList(expression.variables, (one) => changed(one, { value: map(one.value) })),
        result: map(expression.result),
      });
    default: {
      const unreachable: never = expression;
      throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}

/** The expression over other columns, by the ids of those that they replace. */
export function replaceColumns(
  expression: ResolvedExpression,
  columns: ReadonlyMap<number, ResolvedColumn>,
): ResolvedExpression {
  return mapExpression(expression, (part) => {
    const column = part.kind === 'column' ? columns.get(part.column.id) : undefined;
    return part.kind === 'column' && column !== undefined ? { ...part, column } : null;
  });
}

/** Rebuilds a scan with the expressions in it replaced. CTEs are left alone: they never refer to the outside. */
export function mapScan(scan: ResolvedScan, replace: Replace): ResolvedScan {
  return mapParts(
    scan,
    (input) => mapScan(input, replace),
    (part) => mapExpression(part, replace),
  );
}

/**
 * Rebuilds a scan with its inputs, and the expressions that are its own, mapped; the same scan where nothing changes.
 * LIMIT and OFFSET hold constants alone.
 */
export function mapParts(
  scan: ResolvedScan,
  inner: (input: ResolvedScan) => ResolvedScan,
  map: MapExpression,
): ResolvedScan {
  switch (scan.kind) {
    case 'table':
    case 'cte':
    case 'single-row':
      return scan;
    case 'filter':
      return changed(scan, { input: inner(scan.input), condition: map(scan.condition) });
    case 'project':
      return changed(scan, { input: inner(scan.input), computed: mapFields(scan.computed, map) });
    case 'unnest':
      return changed(scan, { input: inner(scan.input), array: map(scan.array) });
    case 'join':
      return changed(scan, {
        left: inner(scan.left),
        right: inner(scan.right),
        condition: scan.condition === null ? null : map(scan.condition),
      });
    case 'aggregate':
      return changed(scan, {
        input: inner(scan.input),
        keys: mapFields(scan.keys, map),
        aggregates: mapList(scan.aggregates, (aggregate) => mapAggregate(aggregate, map)),
      });
    case 'window':
      return changed(scan, {
        input: inner(scan.input),
        windows: mapList(scan.windows, (window) => mapWindow(window, map)),
      });
    case 'order':
      return changed(scan, { input: inner(scan.input), keys: mapFields(scan.keys, map) });
    case 'limit':
      return changed(scan, { input: inner(scan.input) });
    case 'set-operation':
      return changed(scan, {
        inputs: mapList(scan.inputs, (input) => changed(input, { scan: inner(input.scan) })),
      });
    default: {
      const unreachable: never = scan;
      throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
    }
  }
}

function mapAggregate(aggregate: ResolvedAggregate, map: MapExpression): ResolvedAggregate {
  const { having } = aggregate;
  return changed(aggregate, {
    arguments: mapList(aggregate.arguments, map),
    having: having === null ? null : changed(having, { expression: map(having.expression) }),
    orderBy: mapFields(aggregate.orderBy, map),
  });
}

export function mapWindow(window: ResolvedWindow, map: MapExpression): ResolvedWindow {
  const { frame } = window;
  const mapBound = (bound: ResolvedFrameBound): ResolvedFrameBound =>
    'offset' in bound ? changed(bound, { offset: map(bound.offset) }) : bound;
  return changed(window, {
    arguments: mapList(window.arguments, map),
    partitionBy: mapList(window.partitionBy, map),
    orderBy: mapFields(window.orderBy, map),
    frame: frame === null ? null : changed(frame, { start: mapBound(frame.start), end: mapBound(frame.end) }),
  });
}

/** A list with the expression in each member mapped. */
function mapFields<T extends { readonly expression: ResolvedExpression }>(
  list: readonly T[],
  map: MapExpression,
): readonly T[] {
  return mapList(
    list,
    (one) =>
      changed<{ readonly expression: ResolvedExpression }>(one, { expression: map(one.expression) }) as T,
  );
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

/** The object with other values in some fields; the same object where they are the same. */
export function changed<T extends object>(whole: T, values: Partial<T>): T {
  for (const field in values) if (values[field] !== whole[field]) return { ...whole, ...values };
  return whole;
}
