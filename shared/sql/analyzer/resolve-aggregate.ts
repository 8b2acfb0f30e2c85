import type { FunctionCall } from '../ast/expression.ts';
import { findFunction } from '../functions/catalog.ts';
import type { FunctionSpec } from '../functions/signature.ts';
import type { ResolvedAggregate, ResolvedExpression } from '../resolved/expression.ts';
import { typeText } from '../types/sql-type.ts';
import { analysisError, newColumn } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { isGroupable, isOrderable } from './groupable.ts';
import { matchCall, resolveArguments } from './resolve-call.ts';
import { resolveExpression } from './resolve-expression.ts';
import { columnReference } from './resolve-name.ts';
import { resolveSortKey } from './sort-keys.ts';

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
  if (call.safe)
    throw analysisError(environment, call.at, `SAFE. is not supported for aggregate function ${spec.name}`);
  const resolved = resolveAggregateCall(innerContext(context, spec), spec, call);
  const column = newColumn(environment, '$aggregate', resolved.type);
  context.aggregates.found.push({ ...resolved.aggregate, column });
  return columnReference(column);
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
  const isStar =
    written.name === 'COUNT' && call.arguments.length === 1 && call.arguments[0]?.kind === 'star';
  const spec = (isStar ? findFunction('$COUNT_STAR') : undefined) ?? written;
  checkModifiers(context, spec, written.name, call);
  const match = matchCall(context, spec, isStar ? [] : resolveArguments(context, spec, call), call.at);
  const [first] = match.arguments;
  if (call.distinct && first !== undefined && !isGroupable(first.type)) {
    throw analysisError(
      environment,
      call.at,
      `Aggregate functions with DISTINCT cannot take type ${typeText(first.type)}`,
    );
  }
  if ((spec.name === 'MIN' || spec.name === 'MAX') && first !== undefined && !isOrderable(first.type)) {
    throw analysisError(
      environment,
      call.at,
      `${spec.name} is not defined for arguments of type ${typeText(first.type)}`,
    );
  }
  const having =
    call.having === null
      ? null
      : { bound: call.having.bound, expression: resolveExpression(context, call.having.expression) };
  const aggregate = {
    name: spec.name,
    arguments: match.arguments,
    distinct: call.distinct,
    nulls: call.nulls,
    having,
    orderBy: call.orderBy.map((item) => resolveSortKey(context, item)),
    limit: readLimit(context, call),
  };
  return { type: match.type, aggregate };
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

function readLimit(context: ExpressionContext, call: FunctionCall): number | null {
  if (call.limit === null) return null;
  const limit = resolveExpression(context, call.limit);
  if (limit.kind === 'literal' && typeof limit.value === 'bigint' && limit.value >= 0n)
    return Number(limit.value);
  throw analysisError(
    context.environment,
    call.limit.at,
    'LIMIT in an aggregate needs a number that is not negative',
  );
}
