import type { PipeOperator, QueryBody, SelectItem } from '../ast/query.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parseFromPrimary, parseJoinCondition, parseJoinKind } from './parse-from.ts';
import { parseDirection, parseLimit, parseOrderBy, parseQuery, parseSetOperator } from './parse-query.ts';
import { parseAlias, parseAs, parseSelectItems, takeDistinct } from './parse-select.ts';

/** Most steps in one chain of pipe syntax. */
const MAX_STEPS = 100;

type OperatorParser = (cursor: Cursor) => PipeOperator;

const OPERATORS: Readonly<Record<string, OperatorParser>> = {
  SELECT: (cursor) => ({
    kind: 'select',
    distinct: takeDistinct(cursor),
    as: parseAs(cursor),
    items: parseSelectItems(cursor),
  }),
  EXTEND: (cursor) => ({ kind: 'extend', items: parseSelectItems(cursor) }),
  SET: (cursor) => ({
    kind: 'set',
    items: cursor.list(() => {
      const target = cursor.expectIdentifier();
      cursor.expectSymbol('=');
      return { ...target, value: parseExpression(cursor) };
    }),
  }),
  DROP: (cursor) => ({ kind: 'drop', names: cursor.list(() => cursor.expectIdentifier()) }),
  RENAME: (cursor) => ({
    kind: 'rename',
    names: cursor.list(() => {
      const from = cursor.expectIdentifier();
      cursor.takeKeywords('AS');
      return { from: from.name, to: cursor.expectIdentifier().name, at: from.at };
    }),
  }),
  AS: (cursor) => ({ kind: 'as', alias: cursor.expectIdentifier().name }),
  WHERE: (cursor) => ({ kind: 'where', condition: parseExpression(cursor) }),
  DISTINCT: () => ({ kind: 'distinct' }),
  AGGREGATE: parseAggregate,
};

/** The steps after a query or FROM clause in pipe syntax (GoogleSQL reference, "Pipe query syntax"). */
export function parsePipes(cursor: Cursor, first: QueryBody): QueryBody {
  let input = first;
  for (let steps = 1; cursor.isSymbol('|>'); steps++) {
    const at = cursor.next().at;
    if (steps > MAX_STEPS) throw cursor.error(at, `The query has more than ${MAX_STEPS} pipe steps`);
    input = { kind: 'pipe', input, operator: parseOperator(cursor), at };
  }
  return input;
}

function parseOperator(cursor: Cursor): PipeOperator {
  const token = cursor.peek();
  const parse = token.kind === 'name' ? OPERATORS[token.value.toUpperCase()] : undefined;
  if (parse !== undefined) {
    cursor.next();
    return parse(cursor);
  }
  if (cursor.isKeyword('ORDER')) return { kind: 'order', orderBy: parseOrderBy(cursor) };
  if (cursor.isKeyword('LIMIT')) {
    const { limit, offset } = parseLimit(cursor);
    if (limit !== null) return { kind: 'limit', limit, offset };
  }
  if (cursor.isOneOf(['JOIN', 'CROSS', 'INNER', 'LEFT', 'RIGHT', 'FULL'])) {
    const join = parseJoinKind(cursor);
    return { kind: 'join', join, right: parseFromPrimary(cursor), ...parseJoinCondition(cursor) };
  }
  if (cursor.startsSetOperation()) return parseSetStep(cursor);
  if (token.kind === 'name')
    throw cursor.notAllowed(token.at, `Pipe operator ${token.value.toUpperCase()} is`);
  throw cursor.unexpected('a pipe operator');
}

function parseSetStep(cursor: Cursor): PipeOperator {
  const { operator, distinct } = parseSetOperator(cursor);
  const inputs = cursor.list(() => {
    cursor.expectSymbol('(');
    const query = parseQuery(cursor);
    cursor.expectSymbol(')');
    return query;
  });
  return { kind: 'set-operation', operator, distinct, inputs };
}

/** `AGGREGATE [items] [GROUP [AND ORDER] BY key [ASC | DESC], …]` */
function parseAggregate(cursor: Cursor): PipeOperator {
  const items: readonly SelectItem[] = cursor.isKeyword('GROUP') ? [] : parseSelectItems(cursor);
  const sortGroups = cursor.takeKeywords('GROUP', 'AND', 'ORDER', 'BY');
  const isGrouped = sortGroups || cursor.takeKeywords('GROUP', 'BY');
  const keys = isGrouped ? cursor.list(() => [parseGroupKey(cursor), parseKeyOrder(cursor)] as const) : [];
  const keyOrders = keys.map(([, order]) => order);
  return { kind: 'aggregate', items, groupBy: keys.map(([key]) => key), sortGroups, keyOrders };
}

function parseKeyOrder(cursor: Cursor): { descending: boolean; nullsFirst: boolean | null } | null {
  const isSorted = cursor.isOneOf(['ASC', 'DESC']);
  const order = parseDirection(cursor);
  return isSorted || order.nullsFirst !== null ? order : null;
}

/** An alias of a key needs its AS. */
function parseGroupKey(cursor: Cursor): SelectItem {
  const at = cursor.peek().at;
  const expression = parseExpression(cursor);
  return { kind: 'expression', expression, alias: cursor.isKeyword('AS') ? parseAlias(cursor) : null, at };
}
