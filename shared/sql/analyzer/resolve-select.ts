import type { Expression, OrderItem } from '../ast/expression.ts';
import type { Select, SelectItem } from '../ast/query.ts';
import type { ResolvedAggregate, ResolvedExpression, ResolvedWindow } from '../resolved/expression.ts';
import { isExpression, mapNodes } from '../resolved/parts.ts';
import type { ResolvedQuery, ResolvedScan } from '../resolved/scan.ts';
import { coerceToBool } from './coerce.ts';
import { analysisError, checkExpressions, type Environment } from './environment.ts';
import {
  keptColumns,
  rangeVariableColumns,
  type SelectedItem,
  starColumns,
  valueColumns,
} from './expand-star.ts';
import { type ExpressionContext, NO_ALIASES, plainContext } from './expression-context.ts';
import { type From, NO_FROM } from './from.ts';
import { aggregateScan, type Regroup, regrouper, resolveGroupBy } from './grouping.ts';
import { ordinalOf } from './ordinals.ts';
import { resolveExpression } from './resolve-expression.ts';
import { resolveFrom } from './resolve-from.ts';
import { impliedName } from './resolve-name.ts';
import { type Aliases, columnIds } from './scope.ts';
import {
  checkNesting,
  checkPresence,
  checkVisibleAfterDistinct,
  checkWithoutFrom,
  namedWindows,
  type OrderedExpression,
} from './select-checks.ts';
import { distinctOutput, orderedOutput, projectItems, wrapRows } from './select-output.ts';
import { sortKey } from './sort-keys.ts';

/** Resolves SELECT with its clauses, and the ORDER BY after it, which may use names of both list and FROM. */
export function resolveSelect(
  environment: Environment,
  select: Select,
  orderBy: readonly OrderItem[],
): ResolvedQuery {
  if (select.from === null) checkWithoutFrom(environment, select, orderBy);
  const from = select.from === null ? NO_FROM : resolveFrom(environment, select.from);
  return selectFrom(environment, from, select, orderBy);
}

/** What the expressions of a select list may call, and how messages name the list. */
export interface AllowedCalls {
  readonly aggregates: boolean;
  readonly windows: boolean;
  readonly clause: string;
}

const ALL_CALLS: AllowedCalls = { aggregates: true, windows: true, clause: 'SELECT list' };

/** The same over rows that are resolved already. */
export function selectFrom(
  environment: Environment,
  from: From,
  select: Select,
  orderBy: readonly OrderItem[],
  allowed: AllowedCalls = ALL_CALLS,
): ResolvedQuery {
  const scope = { names: from.names, outer: environment.outer };
  const aggregates: { found: ResolvedAggregate[] } = { found: [] };
  const windows: { found: ResolvedWindow[] } = { found: [] };
  const context: ExpressionContext = {
    environment,
    scope,
    aliases: NO_ALIASES,
    aggregates: allowed.aggregates ? aggregates : null,
    windows: allowed.windows ? windows : null,
    clause: allowed.clause,
    namedWindows: namedWindows(environment, select),
  };
  const filtered = addWhere(environment, from, select);
  const items = resolveSelectItems(context, select.items);
  const aliases = aliasesOf(items);
  // Clauses after the select list aggregate rows only where the query does so without them.
  const isAggregated = select.groupBy !== null || aggregates.found.length > 0;
  const behind: ExpressionContext = {
    ...context,
    aliases,
    aggregates: isAggregated ? context.aggregates : null,
  };
  const without = isAggregated ? '' : ' without GROUP BY or an aggregate in the select list';
  const having = condition(
    { ...behind, windows: null, clause: `HAVING clause${without}` },
    select.having,
    'HAVING clause',
  );
  const qualify = condition(
    { ...behind, clause: `QUALIFY clause${without}` },
    select.qualify,
    'QUALIFY clause',
  );
  checkPresence(environment, select, aggregates.found.length, windows.found.length);
  const order = orderBy.map((item) =>
    resolveOrderItem({ ...behind, clause: `ORDER BY clause${without}` }, item, items),
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
  if (select.distinct) checkVisibleAfterDistinct(environment, order, items, columnIds(scope.names));
  const collected = new Set([...aggregates.found, ...windows.found].map(({ column }) => column.id));
  checkNesting(environment, aggregates.found, collected, select.at);
  if (from === NO_FROM && collected.size > 0) {
    const kind = aggregates.found.length > 0 ? 'aggregation' : 'analytic functions';
    throw analysisError(environment, select.at, `SELECT without FROM clause cannot use ${kind}`);
  }
  const grouping = resolveGroupBy(
    {
      environment,
      scope,
      items,
      aliases,
      collected,
      resolve: (key) => resolveExpression(plainContext(environment, scope, 'GROUP BY'), key),
    },
    select.groupBy,
  );
  const isGrouped = select.groupBy !== null || aggregates.found.length > 0 || having !== null;
  const regroup: Regroup = isGrouped
    ? regrouper(environment, { scope, items }, grouping)
    : (expression) => expression;
  let scan: ResolvedScan = isGrouped
    ? aggregateScan(environment, filtered, grouping, aggregates.found, select.at)
    : filtered;
  scan = addFilter(scan, having, (expression) =>
    regroup(expression, select.having?.at ?? 0, 'HAVING clause'),
  );
  scan = addWindows(scan, windows.found, (expression) => regroup(expression, select.at, allowed.clause));
  scan = addFilter(scan, qualify, (expression) =>
    regroup(expression, select.qualify?.at ?? 0, 'QUALIFY clause'),
  );
  const regrouped = items.map((item) => ({
    ...item,
    expression: regroup(item.expression, item.at, allowed.clause),
  }));
  const keys = order.map(({ item, expression }) =>
    sortKey(environment, item, regroup(expression, item.at, 'ORDER BY clause')),
  );
  const projected = projectItems(environment, scan, regrouped);
  const output = select.distinct ? distinctOutput(environment, projected, select.at) : projected;
  const rows = wrapRows(environment, output, select);
  return orderedOutput(environment, rows, output, keys, { isDistinct: select.distinct, orderBy });
}

/** Resolves a select list; `*` and `x.*` become the columns that they stand for. */
export function resolveSelectItems(context: ExpressionContext, items: readonly SelectItem[]): SelectedItem[] {
  return items.flatMap((item) => resolveSelectItem(context, item));
}

function resolveSelectItem(context: ExpressionContext, item: SelectItem): readonly SelectedItem[] {
  const resolve = (part: Expression) => resolveExpression(context, part);
  const { at } = item;
  if (item.kind === 'expression') {
    const name = item.alias ?? impliedName(item.expression);
    return [{ name, expression: resolve(item.expression), isAliased: item.alias !== null, at }];
  }
  const { environment } = context;
  const columns =
    item.kind === 'star'
      ? starColumns(context, at)
      : (rangeVariableColumns(context, item.base) ?? valueColumns(environment, resolve(item.base), at));
  const kept = keptColumns(environment, columns, item, at);
  const within: ExpressionContext = { ...context, windows: null, clause: 'SELECT * REPLACE' };
  const replaced = new Map(
    item.replace.map(({ name, expression }) => [name.toLowerCase(), resolveExpression(within, expression)]),
  );
  return kept.map(({ name, expression }) => ({
    name,
    expression: replaced.get(name.toLowerCase()) ?? expression,
    isAliased: false,
    at,
  }));
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

/** The names that the select list gives to clauses after it; of two equal ones the first counts. */
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

function addFilter(
  input: ResolvedScan,
  filter: ResolvedExpression | null,
  regroup: (expression: ResolvedExpression) => ResolvedExpression,
): ResolvedScan {
  return filter === null ? input : { kind: 'filter', input, condition: regroup(filter) };
}

/** Puts window functions, if there are any, around rows. */
export function addWindows(
  input: ResolvedScan,
  windows: readonly ResolvedWindow[],
  regroup: (expression: ResolvedExpression) => ResolvedExpression = (expression) => expression,
): ResolvedScan {
  if (windows.length === 0) return input;
  return {
    kind: 'window',
    input,
    windows: mapNodes(windows, (part) => (isExpression(part) ? regroup(part) : part)),
  };
}
