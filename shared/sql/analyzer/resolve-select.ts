import type { OrderItem } from '../ast/expression.ts';
import type { Select, WindowSpec } from '../ast/query.ts';
import type { ResolvedAggregate, ResolvedExpression, ResolvedWindow } from '../resolved/expression.ts';
import { referencedByAggregates } from '../resolved/references.ts';
import type { ResolvedQuery, ResolvedScan } from '../resolved/scan.ts';
import { mapWindow } from '../resolved/transform.ts';
import { checkExpressions } from './budget.ts';
import { coerceToBool } from './coerce.ts';
import { analysisError, type Environment } from './environment.ts';
import { resolveSelectItems, type SelectedItem } from './expand-star.ts';
import { type Aliases, type ExpressionContext, NO_ALIASES, plainContext } from './expression-context.ts';
import { type From, NO_FROM } from './from.ts';
import { aggregateScan, type Regroup, regrouper, resolveGroupBy } from './grouping.ts';
import { ordinalOf } from './ordinals.ts';
import { resolveExpression } from './resolve-expression.ts';
import { resolveFrom } from './resolve-from.ts';
import { distinctOutput, orderedOutput, projectItems, wrapRows } from './select-output.ts';
import { sortKey } from './sort-keys.ts';

/** An item of ORDER BY with the expression it sorts by, before grouping is looked at. */
interface OrderedExpression {
  readonly item: OrderItem;
  readonly expression: ResolvedExpression;
}

/** Resolves SELECT with its clauses, and the ORDER BY behind it, which may use names of both list and FROM. */
export function resolveSelect(
  environment: Environment,
  select: Select,
  orderBy: readonly OrderItem[],
): ResolvedQuery {
  if (select.from === null) checkWithoutFrom(environment, select, orderBy);
  const from = select.from === null ? NO_FROM : resolveFrom(environment, select.from);
  return selectFrom(environment, from, select, orderBy);
}

/** Without FROM there is one row, and no clause that would do something with rows. */
function checkWithoutFrom(environment: Environment, select: Select, orderBy: readonly OrderItem[]): void {
  const clauses: readonly (readonly [string, { readonly at: number } | null | undefined])[] = [
    ['a WHERE clause', select.where],
    ['a GROUP BY clause', select.groupBy],
    ['a HAVING clause', select.having],
    ['a QUALIFY clause', select.qualify],
    ['a WINDOW clause', select.windows[0]],
    ['an ORDER BY clause', orderBy[0]],
    ['SELECT DISTINCT', select.distinct ? select : null],
  ];
  for (const [label, clause] of clauses) {
    if (clause !== null && clause !== undefined)
      throw analysisError(environment, clause.at, `Query without FROM clause cannot have ${label}`);
  }
}

/** The same over rows that are resolved already. */
export function selectFrom(
  environment: Environment,
  from: From,
  select: Select,
  orderBy: readonly OrderItem[],
): ResolvedQuery {
  const scope = { names: from.names, outer: environment.outer };
  const aggregates: { found: ResolvedAggregate[] } = { found: [] };
  const windows: { found: ResolvedWindow[] } = { found: [] };
  const context: ExpressionContext = {
    environment,
    scope,
    aliases: NO_ALIASES,
    aggregates,
    windows,
    clause: 'SELECT list',
    namedWindows: namedWindows(environment, select),
  };
  const filtered = addWhere(environment, from, select);
  const items = resolveSelectItems(context, select.items);
  const aliases = aliasesOf(items);
  const behind: ExpressionContext = { ...context, aliases };
  const having = condition(
    { ...behind, windows: null, clause: 'HAVING clause' },
    select.having,
    'HAVING clause',
  );
  const qualify = condition({ ...behind, clause: 'QUALIFY clause' }, select.qualify, 'QUALIFY clause');
  checkPresence(environment, select, aggregates.found.length, windows.found.length);
  const order = orderBy.map((item) =>
    resolveOrderItem({ ...behind, clause: 'ORDER BY clause' }, item, items),
  );
  checkExpressions(
    environment,
    [...items, ...order].map(({ expression }) => expression),
    select.at,
  );
  checkExpressions(
    environment,
    [having, qualify].filter((one) => one !== null),
    select.at,
  );
  const collected = new Set([...aggregates.found, ...windows.found].map(({ column }) => column.id));
  checkNesting(environment, aggregates.found, collected, select.at);
  if (from === NO_FROM && collected.size > 0) {
    const kind = aggregates.found.length > 0 ? 'aggregation' : 'analytic functions';
    throw analysisError(environment, select.at, `SELECT without FROM clause cannot use ${kind}`);
  }
  const grouping = resolveGroupBy({ environment, scope, items, aliases, collected }, select.groupBy);
  const isGrouped = select.groupBy !== null || aggregates.found.length > 0 || having !== null;
  const regroup: Regroup = isGrouped ? regrouper(environment, scope, grouping) : (expression) => expression;
  let scan: ResolvedScan = isGrouped
    ? aggregateScan(filtered, grouping, aggregates.found, regroup)
    : filtered;
  scan = addFilter(scan, having, (expression) =>
    regroup(expression, select.having?.at ?? 0, 'HAVING clause'),
  );
  scan = addWindows(scan, windows.found, (expression) => regroup(expression, select.at, 'SELECT list'));
  scan = addFilter(scan, qualify, (expression) =>
    regroup(expression, select.qualify?.at ?? 0, 'QUALIFY clause'),
  );
  const regrouped = items.map((item) => ({
    ...item,
    expression: regroup(item.expression, item.at, 'SELECT list'),
  }));
  const keys = order.map(({ item, expression }) =>
    sortKey(environment, item, regroup(expression, item.at, 'ORDER BY clause')),
  );
  const projected = projectItems(environment, scan, regrouped);
  const output = select.distinct ? distinctOutput(environment, projected, select.at) : projected;
  const rows = wrapRows(environment, output, select);
  return orderedOutput(environment, rows, output, keys, { isDistinct: select.distinct, orderBy });
}

function namedWindows(environment: Environment, { windows }: Select): ExpressionContext['namedWindows'] {
  const named = new Map<string, WindowSpec>();
  for (const { name, spec, at } of windows) {
    const key = name.toLowerCase();
    if (named.has(key)) throw analysisError(environment, at, `Duplicate window alias ${name}`);
    named.set(key, spec);
  }
  return named;
}

function addWhere(environment: Environment, from: From, select: Select): ResolvedScan {
  if (select.where === null) return from.scan;
  const scope = { names: from.names, outer: environment.outer };
  const context = plainContext(environment, scope, 'WHERE clause');
  const value = resolveExpression(context, select.where);
  checkExpressions(environment, [value], select.where.at);
  const filter = coerceToBool(environment, value, select.where.at, 'WHERE clause');
  return { kind: 'filter', input: from.scan, condition: filter };
}

function condition(
  context: ExpressionContext,
  expression: Select['having'],
  place: string,
): ResolvedExpression | null {
  if (expression === null) return null;
  return coerceToBool(context.environment, resolveExpression(context, expression), expression.at, place);
}

/** The names that the select list gives to clauses behind it; of two equal ones the first counts. */
function aliasesOf(items: readonly SelectedItem[]): Aliases {
  const aliases = new Map<string, ResolvedExpression>();
  for (const { name, expression } of items) {
    const key = name.toLowerCase();
    if (key !== '' && !aliases.has(key)) aliases.set(key, expression);
  }
  return aliases;
}

function resolveOrderItem(
  context: ExpressionContext,
  item: OrderItem,
  items: readonly SelectedItem[],
): OrderedExpression {
  const ordinal = ordinalOf(context.environment, item.expression, items.length, 'ORDER BY');
  const selected = ordinal === null ? undefined : items[ordinal];
  return { item, expression: selected?.expression ?? resolveExpression(context, item.expression) };
}

/** HAVING and QUALIFY need something to filter: groups, window functions. ORDER BY's own do not count. */
function checkPresence(
  environment: Environment,
  { groupBy, having, qualify }: Select,
  aggregates: number,
  windows: number,
): void {
  if (having !== null && groupBy === null && aggregates === 0) {
    const message = 'The HAVING clause requires GROUP BY or aggregation to be present; use WHERE';
    throw analysisError(environment, having.at, message);
  }
  if (qualify !== null && windows === 0) {
    const message = 'The QUALIFY clause requires analytic function to be present; use WHERE or HAVING';
    throw analysisError(environment, qualify.at, message);
  }
}

function checkNesting(
  environment: Environment,
  aggregates: readonly ResolvedAggregate[],
  collected: ReadonlySet<number>,
  at: number,
): void {
  const used = referencedByAggregates(aggregates);
  if ([...used].some((id) => collected.has(id))) {
    throw analysisError(environment, at, 'Aggregations of aggregations are not allowed');
  }
}

function addFilter(
  input: ResolvedScan,
  filter: ResolvedExpression | null,
  regroup: (expression: ResolvedExpression) => ResolvedExpression,
): ResolvedScan {
  return filter === null ? input : { kind: 'filter', input, condition: regroup(filter) };
}

function addWindows(
  input: ResolvedScan,
  windows: readonly ResolvedWindow[],
  regroup: (expression: ResolvedExpression) => ResolvedExpression,
): ResolvedScan {
  if (windows.length === 0) return input;
  return { kind: 'window', input, windows: windows.map((window) => mapWindow(window, regroup)) };
}
