import { integer } from '../../../sql/ast/build.ts';
import type { Expression, OrderItem } from '../../../sql/ast/expression.ts';
import type { PipeOperator, Query, QueryBody } from '../../../sql/ast/query.ts';

/** Whether the query's last part is written in pipe syntax. */
export function isPiped({ body, limit, orderBy }: Query): boolean {
  return (body.kind === 'pipe' || body.kind === 'from-query') && limit === null && orderBy.length === 0;
}

/**
 * A query with ORDER BY before its own LIMIT (null for its own order), and with its rows capped: the count of its own LIMIT is
 * lowered to the cap, a query without one gets one.
 */
export function withTail(query: Query, orderBy: readonly OrderItem[] | null, maxRows: number): Query {
  if (!isPiped(query))
    return { ...query, orderBy: orderBy ?? query.orderBy, limit: capped(query.limit, maxRows) };
  const { body } = query;
  const last = body.kind === 'pipe' && body.operator.kind === 'limit' ? { body, step: body.operator } : null;
  const rows = last === null ? body : last.body.input;
  const sorted = orderBy === null ? rows : piped(rows, { kind: 'order', orderBy });
  const limit = capped(last?.step.limit ?? null, maxRows);
  return { ...query, body: piped(sorted, { kind: 'limit', limit, offset: last?.step.offset ?? null }) };
}

function piped(input: QueryBody, operator: PipeOperator): QueryBody {
  return { kind: 'pipe', input, operator, at: input.at };
}

function capped(limit: Expression | null, maxRows: number): Expression {
  const isAbove =
    limit?.kind === 'literal' && limit.type === 'INT64' && BigInt(limit.value) > BigInt(maxRows);
  return limit === null || isAbove ? integer(maxRows) : limit;
}
