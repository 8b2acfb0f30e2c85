import type { Expression, OrderItem } from '../ast/expression.ts';
import type { Cte, Query, QueryBody } from '../ast/query.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import type { ResolvedQuery, ResolvedScan } from '../resolved/scan.ts';
import { INT64, sameType } from '../types/sql-type.ts';
import { analysisError, type Ctes, type Environment } from './environment.ts';
import { plainContext } from './expression-context.ts';
import { ordinalOf } from './ordinals.ts';
import { resolveExpression } from './resolve-expression.ts';
import { resolvePipe } from './resolve-pipe.ts';
import { resolveRecursive } from './resolve-recursive.ts';
import { resolveSelect } from './resolve-select.ts';
import { NO_NAMES, namesOf } from './scope.ts';
import { combineQueries } from './set-operation.ts';
import { sortKey } from './sort-keys.ts';
import { withOrder } from './with-order.ts';

/** Resolves a query: its CTEs, its body, and ORDER BY and LIMIT around it. */
export function resolveQuery(outside: Environment, query: Query): ResolvedQuery {
  const environment =
    query.ctes.length === 0
      ? outside
      : { ...outside, ctes: resolveCtes(outside, query.ctes, query.recursive === true) };
  const body =
    query.body.kind === 'select'
      ? resolveSelect(environment, query.body, query.orderBy)
      : orderOutput(environment, resolveBody(environment, query.body), query.orderBy);
  return { ...body, scan: addLimit(environment, body.scan, query.limit, query.offset) };
}

/** The CTEs of WITH, each of which sees those before it, or all if it is recursive, added to those in scope already. */
export function resolveCtes(outside: Environment, definitions: readonly Cte[], isRecursive = false): Ctes {
  const ctes = new Map(outside.ctes);
  const own = new Set<string>();
  for (const { name, at } of definitions) {
    if (own.has(name.toLowerCase()))
      throw analysisError(outside, at, `Duplicate alias ${name} for WITH subquery`);
    own.add(name.toLowerCase());
  }
  const ordered = isRecursive
    ? withOrder(outside, definitions)
    : definitions.map((cte) => ({ cte, recursiveAt: null }));
  for (const { cte: definition, recursiveAt } of ordered) {
    const { name, query } = definition;
    const environment = { ...outside, ctes: new Map(ctes), outer: null };
    const resolved =
      recursiveAt === null
        ? resolveQuery(environment, query)
        : resolveRecursive(environment, definition, recursiveAt, { body: resolveBody, ctes: resolveCtes });
    const cte = {
      id: outside.ids.next(),
      name,
      scan: resolved.scan,
      columns: resolved.columns.map((output) => output.column),
    };
    ctes.set(name.toLowerCase(), { cte, columns: resolved.columns, isValueTable: resolved.isValueTable });
  }
  return ctes;
}

/**
 * Resolves a query without the WITH, ORDER BY and LIMIT around it. Throws a ServiceError (invalid_argument) that names
 * the place.
 */
export function resolveBody(environment: Environment, body: QueryBody): ResolvedQuery {
  switch (body.kind) {
    case 'select':
      return resolveSelect(environment, body, []);
    case 'set-operation':
      return combineQueries(
        environment,
        body,
        body.inputs.map((input) => resolveBody(environment, input)),
      );
    case 'query':
      return resolveQuery(environment, body);
    case 'from-query':
    case 'pipe':
      return resolvePipe(environment, body);
    default: {
      const unreachable: never = body;
      throw new TypeError(`body ${JSON.stringify(unreachable)}`);
    }
  }
}

/** ORDER BY after a set operation or parenthesised query names its columns only. */
function orderOutput(
  environment: Environment,
  query: ResolvedQuery,
  orderBy: readonly OrderItem[],
): ResolvedQuery {
  if (orderBy.length === 0) return query;
  const context = plainContext(
    environment,
    { names: namesOf({ kind: 'columns', alias: null, columns: query.columns }), outer: environment.outer },
    'ORDER BY clause',
  );
  const keys = orderBy.map((item) => {
    const ordinal = ordinalOf(environment, item.expression, query.columns.length, 'ORDER BY');
    const output = ordinal === null ? undefined : query.columns[ordinal];
    const expression =
      output === undefined ? resolveExpression(context, item.expression) : columnReference(output.column);
    return sortKey(environment, item, expression);
  });
  return { ...query, scan: { kind: 'order', input: query.scan, keys } };
}

/** Puts LIMIT and OFFSET, if there are any, around rows. */
export function addLimit(
  environment: Environment,
  input: ResolvedScan,
  limit: Expression | null,
  offset: Expression | null,
): ResolvedScan {
  if (limit === null) return input;
  return {
    kind: 'limit',
    input,
    limit: resolveCount(environment, limit),
    offset: offset === null ? null : resolveCount(environment, offset),
  };
}

function resolveCount(environment: Environment, expression: Expression): ResolvedExpression {
  const context = plainContext(environment, { names: NO_NAMES, outer: null }, 'LIMIT clause');
  const count = resolveExpression(context, expression);
  const isParameter = count.kind === 'parameter' && sameType(count.type, INT64);
  if (isParameter || (count.kind === 'literal' && typeof count.value === 'bigint' && count.value >= 0n))
    return count;
  throw analysisError(
    environment,
    expression.at,
    'Limit requires non-negative count and offset: whole numbers or INT64 parameters',
  );
}
