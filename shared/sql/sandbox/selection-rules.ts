import type { Join, PipeOperator, PipeStep, Query, QueryBody } from '../ast/query.ts';
import { findFunction } from '../functions/catalog.ts';

/** A query without the parentheses around it; what stands outside of them comes along. */
export function unwrapped(query: Query): { readonly body: QueryBody; readonly orderBy: readonly unknown[] } {
  const orderBy: unknown[] = [...query.orderBy];
  let { body } = query;
  while (body.kind === 'query' && body.ctes.length === 0) {
    orderBy.push(...body.orderBy);
    body = body.body;
  }
  return { body, orderBy };
}

/** Whether a join adds elements of an array to a row, and at most leaves out rows that have none. */
export function joinsArray({ join, right, using }: Pick<Join, 'join' | 'right' | 'using'>): boolean {
  const isArray = right.kind === 'unnest' || (right.kind === 'table' && right.path.length > 1);
  return isArray && join !== 'RIGHT' && join !== 'FULL' && using === null;
}

/** The steps of a chain of pipe syntax in their order, and what stands before the first. */
export function stepsOf(body: QueryBody): { readonly first: QueryBody; readonly steps: readonly PipeStep[] } {
  const steps: PipeStep[] = [];
  let first = body;
  while (first.kind === 'pipe') {
    steps.unshift(first);
    first = first.input;
  }
  return { first, steps };
}

/** Steps that say which rows there are. */
export function narrows({ kind }: PipeOperator): boolean {
  return kind === 'where' || kind === 'join';
}

/** Steps before the last of those, after which the source still has its name and all its entries. */
export function keepsNames(operator: PipeOperator): boolean {
  switch (operator.kind) {
    case 'where':
    case 'order':
      return true;
    case 'join':
      return joinsArray(operator);
    case 'extend':
      return !isAggregating(operator.items);
    default:
      return false;
  }
}

/** Steps after the last of those that leave the rows what they are, or take the first of them. */
export function keepsRows(operator: PipeOperator): boolean {
  switch (operator.kind) {
    case 'select':
      return !operator.distinct && !isAggregating(operator.items);
    case 'extend':
    case 'set':
    case 'drop':
    case 'rename':
    case 'as':
    case 'order':
    case 'limit':
      return !isAggregating(operator);
    default:
      return false;
  }
}

/** Whether an aggregate function is called in a part of a tree, the subqueries in it left out. */
export function isAggregating(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const { kind, name, over } = part as { kind?: unknown; name?: unknown; over?: unknown };
  if (kind === 'query') return false;
  if (kind === 'call' && over === null && findFunction(String(name))?.kind === 'aggregate') return true;
  return Object.values(part).some(isAggregating);
}
