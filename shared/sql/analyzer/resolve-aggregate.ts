import type { FunctionCall, OrderItem } from '../ast/expression.ts';
import { findFunction } from '../functions/catalog.ts';
import type { FunctionSpec } from '../functions/signature.ts';
import type { ResolvedAggregate, ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import type { SortKey } from '../resolved/scan.ts';
import { typeText } from '../types/sql-type.ts';
import { checkConstants } from './constant-arguments.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { isGroupable, isOrderable } from './groupable.ts';
import { matchCall } from './match-call.ts';
import { plainLiteral } from './ordinals.ts';
import { resolveArguments } from './resolve-call.ts';
import { resolveExpression } from './resolve-expression.ts';
import { sortKey } from './sort-keys.ts';

/** An aggregate function's call: it is collected for the query's grouping, and a column stands in its place. */
export function resolveAggregate(
  context: ExpressionContext,
  spec: FunctionSpec,
  call: FunctionCall,
): ResolvedExpression {
  const { environment } = context;
  if (context.aggregates === null) {
    const shown = call.arguments[0]?.kind === 'star' ? `${spec.name}(*)` : spec.name;
    throw analysisError(environment, call.at, `Aggregate function ${shown} not allowed in ${context.clause}`);
  }
  checkSafe(environment, spec, call);
  const resolved = resolveAggregateCall(innerContext(context, spec), spec, call);
  const column = newColumn(environment, '$aggregate', resolved.type);
  context.aggregates.found.push({ ...resolved.aggregate, column });
  return columnReference(column);
}

/** Throws a ServiceError (invalid_argument) for `SAFE.` before an aggregate, with OVER or without. */
export function checkSafe(environment: Environment, spec: FunctionSpec, call: FunctionCall): void {
  if (!call.safe) return;
  throw analysisError(environment, call.at, `SAFE. is not supported for aggregate function ${spec.name}`);
}

/** Aggregates do not nest, and take no window functions. */
function innerContext(context: ExpressionContext, spec: FunctionSpec): ExpressionContext {
  return { ...context, aggregates: null, windows: null, clause: `an argument of ${spec.name}` };
}

/** The function, arguments and modifiers of an aggregate call, with OVER or without. */
export function resolveAggregateCall(
  context: ExpressionContext,
  written: FunctionSpec,
  call: FunctionCall,
): { readonly type: ResolvedExpression['type']; readonly aggregate: Omit<ResolvedAggregate, 'column'> } {
  const { environment } = context;
  const isOnlyStar = call.arguments.length === 1 && call.arguments[0]?.kind === 'star';
  const star = isOnlyStar && written.star !== undefined ? findFunction(written.star) : undefined;
  const spec = star ?? written;
  checkModifiers(context, spec, written.name, call);
  const match = matchCall(
    context,
    spec,
    star !== undefined ? [] : resolveArguments(context, spec, call),
    call.at,
  );
  const [first] = match.arguments;
  if (call.distinct && first !== undefined && !isGroupable(first.type)) {
    throw analysisError(
      environment,
      call.at,
      `Aggregate functions with DISTINCT cannot take type ${typeText(first.type)}`,
    );
  }
  const isUnfit =
    first !== undefined &&
    ((spec.needsOrderable && !isOrderable(first.type)) || (spec.needsGroupable && !isGroupable(first.type)));
  if (isUnfit) {
    throw analysisError(
      environment,
      call.at,
      `${spec.name} is not defined for arguments of type ${typeText(first.type)}`,
    );
  }
  checkConstants(environment, spec, match.arguments, call);
  const orderBy = call.orderBy.map((item) => resolveAggregateKey(context, item));
  if (call.distinct) checkDistinctOrder(environment, match.arguments, orderBy, call);
  const having = call.having === null ? null : resolveHaving(context, call.having);
  const aggregate = {
    name: spec.name,
    arguments: match.arguments,
    distinct: call.distinct,
    nulls: call.nulls,
    having,
    orderBy,
    limit: readLimit(context, call),
  };
  return { type: match.type, aggregate };
}

/** HAVING MAX or MIN: of which rows an expression has its greatest or least value. */
function resolveHaving(context: ExpressionContext, written: NonNullable<FunctionCall['having']>) {
  const expression = resolveExpression(context, written.expression);
  if (!isOrderable(expression.type)) {
    const message = `HAVING ${written.bound} does not support expressions of type ${typeText(expression.type)}`;
    throw analysisError(context.environment, written.expression.at, message);
  }
  return { bound: written.bound, expression };
}

function checkModifiers(
  context: ExpressionContext,
  spec: FunctionSpec,
  name: string,
  call: FunctionCall,
): void {
  const refused = [
    call.distinct && !spec.allowsDistinct ? 'DISTINCT' : null,
    call.orderBy.length > 0 && !spec.allowsOrderBy ? 'ORDER BY' : null,
    call.limit !== null && !spec.allowsLimit ? 'LIMIT' : null,
    call.nulls !== null && !spec.allowsNulls ? `${call.nulls} NULLS` : null,
    call.having !== null && !spec.allowsHaving ? `HAVING ${call.having.bound}` : null,
  ].find((modifier) => modifier !== null);
  if (refused !== undefined) {
    throw analysisError(context.environment, call.at, `${refused} is not allowed in a call of ${name}`);
  }
}

/** Inside a call a number is no position, and sorting by a constant sorts by nothing. */
function resolveAggregateKey(context: ExpressionContext, item: OrderItem): SortKey {
  const literal = plainLiteral(item.expression);
  if (literal?.type === 'INT64') {
    const message = 'Aggregate functions do not allow ORDER BY by index in arguments; name the expression';
    throw analysisError(context.environment, item.at, message);
  }
  if (literal !== null) throw analysisError(context.environment, item.at, 'Cannot ORDER BY literal values');
  return sortKey(context.environment, item, resolveExpression(context, item.expression));
}

/** With DISTINCT there is one row for each value, which has no other columns to sort by. */
function checkDistinctOrder(
  environment: Environment,
  callArguments: readonly ResolvedExpression[],
  orderBy: readonly SortKey[],
  call: FunctionCall,
): void {
  const known = new Set(callArguments.map((argument) => environment.keys.keyOf(argument)));
  const index = orderBy.findIndex(({ expression }) => !known.has(environment.keys.keyOf(expression)));
  if (index < 0) return;
  const message =
    'An aggregate function that has both DISTINCT and ORDER BY arguments can only ORDER BY expressions that are arguments to the function';
  throw analysisError(environment, call.orderBy[index]?.at ?? call.at, message);
}

function readLimit(context: ExpressionContext, call: FunctionCall): number | null {
  if (call.limit === null) return null;
  const limit = resolveExpression(context, call.limit);
  if (limit.kind === 'literal' && typeof limit.value === 'bigint' && limit.value >= 0n)
    return Math.min(Number(limit.value), Number.MAX_SAFE_INTEGER);
  throw analysisError(
    context.environment,
    call.limit.at,
    'LIMIT in an aggregate needs a number that is not negative',
  );
}
