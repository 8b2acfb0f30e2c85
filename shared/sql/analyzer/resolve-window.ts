import type { FunctionCall } from '../ast/expression.ts';
import type { WindowSpec } from '../ast/query.ts';
import type { FunctionSpec } from '../functions/signature.ts';
import type { ResolvedExpression, ResolvedWindow } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import { typeText } from '../types/sql-type.ts';
import { checkConstantExpressions, checkConstants } from './constant-arguments.ts';
import { analysisError, newColumn } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { isOrderable, isPartitionable } from './groupable.ts';
import { matchCall } from './match-call.ts';
import { checkSafe, resolveAggregateCall } from './resolve-aggregate.ts';
import { resolveArguments } from './resolve-call.ts';
import { resolveExpression } from './resolve-expression.ts';
import { resolveFrame } from './resolve-frame.ts';
import { sortKey } from './sort-keys.ts';

/** A call with OVER: it is collected for the query's window step, and a column stands in its place. */
export function resolveWindow(
  context: ExpressionContext,
  spec: FunctionSpec,
  call: FunctionCall,
  over: WindowSpec,
): ResolvedExpression {
  const { environment } = context;
  if (!spec.allowsOver) {
    throw analysisError(environment, call.at, `Function ${spec.name} does not support an OVER clause`);
  }
  if (context.windows === null) {
    throw analysisError(
      environment,
      call.at,
      `Analytic function ${spec.name} not allowed in ${context.clause}`,
    );
  }
  const inner: ExpressionContext = { ...context, windows: null, clause: 'a window function' };
  const { type, call: resolved } = resolveFunction(inner, spec, call);
  const window = flattenWindow(context, over);
  checkWindow(context, spec, window, call.at);
  if (call.distinct) checkDistinct(context, window, call.at);
  const orderBy = window.orderBy.map((item) =>
    sortKey(environment, item, resolveExpression(inner, item.expression)),
  );
  const column = newColumn(environment, '$window', type);
  context.windows.found.push({
    ...resolved,
    column,
    partitionBy: window.partitionBy.map((key) => {
      const expression = resolveExpression(inner, key);
      if (!isPartitionable(expression.type)) {
        const found = typeText(expression.type);
        throw analysisError(
          environment,
          key.at,
          `Partitioning by expressions of type ${found} is not allowed`,
        );
      }
      return expression;
    }),
    orderBy,
    frame: resolveFrame(environment, window.frame, orderBy, (part) => resolveExpression(inner, part)),
  });
  return columnReference(column);
}

type WindowFunction = Pick<ResolvedWindow, 'name' | 'arguments' | 'distinct' | 'nulls'>;

function resolveFunction(
  context: ExpressionContext,
  spec: FunctionSpec,
  call: FunctionCall,
): { readonly type: ResolvedExpression['type']; readonly call: WindowFunction } {
  if (spec.kind === 'aggregate') {
    checkSafe(context.environment, spec, call);
    const { type, aggregate } = resolveAggregateCall(context, spec, call);
    if (aggregate.orderBy.length > 0 || aggregate.limit !== null || aggregate.having !== null) {
      throw analysisError(
        context.environment,
        call.at,
        `ORDER BY, LIMIT and HAVING are not allowed in ${spec.name} with OVER`,
      );
    }
    const { name, arguments: list, distinct, nulls } = aggregate;
    return { type, call: { name, arguments: list, distinct, nulls } };
  }
  if (call.nulls !== null && !spec.allowsNulls) {
    throw analysisError(
      context.environment,
      call.at,
      `${call.nulls} NULLS is not allowed in a call of ${spec.name}`,
    );
  }
  if (call.distinct || call.orderBy.length > 0 || call.limit !== null || call.having !== null) {
    throw analysisError(context.environment, call.at, `${spec.name} takes nothing but arguments and OVER`);
  }
  const match = matchCall(context, spec, resolveArguments(context, spec, call), call.at);
  checkConstants(context.environment, spec, match.arguments, call);
  checkConstantExpressions(context.environment, spec, match.arguments, call);
  const [first] = match.arguments;
  if (spec.needsOrderable && first !== undefined && !isOrderable(first.type)) {
    throw analysisError(
      context.environment,
      call.at,
      `${spec.name} is not defined for arguments of type ${typeText(first.type)}`,
    );
  }
  return {
    type: match.type,
    call: { name: spec.name, arguments: match.arguments, distinct: false, nulls: call.nulls },
  };
}

/** Fills in what a window takes over from a named one. */
function flattenWindow(context: ExpressionContext, window: WindowSpec): WindowSpec {
  if (window.base === null) return window;
  const found = context.namedWindows.get(window.base.toLowerCase());
  if (found === undefined) {
    throw analysisError(context.environment, window.at, `Unrecognized window alias ${window.base}`);
  }
  const base = flattenWindow(context, found);
  if (window.partitionBy.length > 0 || (window.orderBy.length > 0 && base.orderBy.length > 0)) {
    throw analysisError(
      context.environment,
      window.at,
      `A window that refers to window ${window.base} can add neither PARTITION BY nor a second ORDER BY`,
    );
  }
  if (base.frame !== null && (window.orderBy.length > 0 || window.frame !== null)) {
    throw analysisError(
      context.environment,
      window.at,
      `A window with its own ORDER BY or frame cannot build on window ${window.base}, which has a frame`,
    );
  }
  return {
    base: null,
    partitionBy: base.partitionBy,
    orderBy: window.orderBy.length > 0 ? window.orderBy : base.orderBy,
    frame: window.frame ?? base.frame,
    at: window.at,
  };
}

function checkWindow(context: ExpressionContext, spec: FunctionSpec, window: WindowSpec, at: number): void {
  const { environment } = context;
  if (spec.needsOrder && window.orderBy.length === 0) {
    throw analysisError(environment, at, `Window ORDER BY is required for analytic function ${spec.name}`);
  }
  if (!spec.allowsWindowOrder && window.orderBy.length > 0) {
    throw analysisError(environment, at, `Window ORDER BY is not allowed for analytic function ${spec.name}`);
  }
  if (!spec.allowsFrame && window.frame !== null) {
    throw analysisError(
      environment,
      at,
      `Window framing clause is not allowed for analytic function ${spec.name}`,
    );
  }
}

/** DISTINCT over a window counts the whole partition; GoogleSQL has no running form of it. */
function checkDistinct(context: ExpressionContext, window: WindowSpec, at: number): void {
  if (window.orderBy.length === 0 && window.frame === null) return;
  const part = window.frame === null ? 'ORDER BY' : 'framing clause';
  throw analysisError(context.environment, at, `Window ${part} is not allowed if DISTINCT is specified`);
}
