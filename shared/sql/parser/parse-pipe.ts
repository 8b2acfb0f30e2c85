import type { Direction, PipeGroupItem, PipeOperator, QueryBody, SelectItem } from '../ast/query.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parseFromPrimary, parseJoinCondition, parseJoinKind, parseTableAlias } from './parse-from.ts';
import { parsePivot, parseUnpivot } from './parse-pivot.ts';
import { parseCte, parseDirection, parseLimit, parseOrderItem, parseQuery } from './parse-query.ts';
import {
  parseAlias,
  parseAs,
  parseGroupingSets,
  parseSelectItem,
  parseSelectItems,
  takeDistinct,
} from './parse-select.ts';
import { parseSetOperator } from './parse-set-operator.ts';

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
  EXTEND: (cursor) => ({ kind: 'extend', items: pipeList(cursor, () => parseItem(cursor)) }),
  WINDOW: (cursor) => ({ kind: 'window', items: pipeList(cursor, () => parseItem(cursor)) }),
  SET: (cursor) => ({
    kind: 'set',
    items: pipeList(cursor, () => {
      const target = cursor.expectIdentifier();
      if (cursor.isSymbol('.')) {
        const message = 'Pipe SET updates whole columns, by their name alone';
        throw cursor.error(cursor.peek().at, `Syntax error: ${message}`);
      }
      cursor.expectSymbol('=');
      return { ...target, value: parseExpression(cursor) };
    }),
  }),
  DROP: (cursor) => ({ kind: 'drop', names: pipeList(cursor, () => cursor.expectIdentifier()) }),
  RENAME: (cursor) => ({
    kind: 'rename',
    names: pipeList(cursor, () => {
      const from = cursor.expectIdentifier();
      cursor.takeKeywords('AS');
      return { from: from.name, to: cursor.expectIdentifier().name, at: from.at };
    }),
  }),
  AS: (cursor) => ({ kind: 'as', alias: cursor.expectIdentifier().name }),
  WHERE: (cursor) => ({ kind: 'where', condition: parseExpression(cursor) }),
  DISTINCT: () => ({ kind: 'distinct' }),
  AGGREGATE: parseAggregate,
  ORDER: (cursor) => {
    cursor.expectKeyword('BY');
    return { kind: 'order', orderBy: pipeList(cursor, () => parseOrderItem(cursor)) };
  },
  PIVOT: (cursor) => ({ kind: 'pivot', ...parsePivot(cursor), alias: parseTableAlias(cursor) }),
  UNPIVOT: (cursor) => ({ kind: 'unpivot', ...parseUnpivot(cursor), alias: parseTableAlias(cursor) }),
  WITH: (cursor) => {
    if (cursor.isKeyword('RECURSIVE')) throw cursor.notAllowed(cursor.peek().at, 'Pipe WITH RECURSIVE is');
    return { kind: 'with', ctes: pipeList(cursor, () => parseCte(cursor)) };
  },
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
  if (cursor.isKeyword('LIMIT')) {
    const { limit, offset } = parseLimit(cursor);
    if (limit !== null) return { kind: 'limit', limit, offset };
  }
  if (cursor.startsSetOperation()) return parseSetStep(cursor);
  if (cursor.isOneOf(['JOIN', 'CROSS', 'INNER', 'LEFT', 'RIGHT', 'FULL'])) {
    const join = parseJoinKind(cursor);
    return { kind: 'join', join, right: parseFromPrimary(cursor), ...parseJoinCondition(cursor) };
  }
  if (token.kind === 'name')
    throw cursor.notAllowed(token.at, `Pipe operator ${token.value.toUpperCase()} is`);
  throw cursor.unexpected('a pipe operator');
}

/** One or more of something between commas; a comma may follow the last. */
function pipeList<T>(cursor: Cursor, parse: () => T): T[] {
  const items = [parse()];
  while (cursor.takeSymbol(',') && !endsList(cursor)) items.push(parse());
  return items;
}

/** Whether the list of a step is over: the next step comes, the end, or what GROUP BY begins. */
function endsList(cursor: Cursor): boolean {
  if (cursor.peek().kind === 'end' || cursor.isKeyword('GROUP')) return true;
  return cursor.isSymbol('|>') || cursor.isSymbol(')') || cursor.isSymbol(';');
}

function parseItem(cursor: Cursor): SelectItem {
  if (cursor.isSymbol('*')) throw cursor.unexpected();
  return parseSelectItem(cursor);
}

function parseSetStep(cursor: Cursor): PipeOperator {
  const { at: _, ...operator } = parseSetOperator(cursor);
  const inputs = pipeList(cursor, () => {
    cursor.expectSymbol('(');
    const query = parseQuery(cursor);
    cursor.expectSymbol(')');
    return query;
  });
  return { kind: 'set-operation', ...operator, inputs };
}

/** `AGGREGATE [item [ASC | DESC], …] [GROUP [AND ORDER] BY key [ASC | DESC], …]` */
function parseAggregate(cursor: Cursor): PipeOperator {
  const isBare = endsList(cursor);
  const items = isBare ? [] : pipeList(cursor, () => [parseItem(cursor), parseOrder(cursor)] as const);
  const sortGroups = cursor.takeKeywords('GROUP', 'AND', 'ORDER', 'BY');
  const isGrouped = sortGroups || cursor.takeKeywords('GROUP', 'BY');
  const keys = isGrouped ? pipeList(cursor, () => parseGroupKey(cursor, sortGroups)) : [];
  if (items.length === 0 && keys.length === 0) throw cursor.unexpected('an aggregate or keyword GROUP');
  return {
    kind: 'aggregate',
    items: items.map(([item]) => item),
    itemOrders: items.map(([, order]) => order),
    groupBy: keys.map(([key]) => key),
    sortGroups,
    keyOrders: keys.map(([, order]) => order),
  };
}

/** Where not every item is sorted by, NULLS FIRST and NULLS LAST need ASC or DESC before them. */
function parseOrder(cursor: Cursor, words: readonly string[] = ['ASC', 'DESC']): Direction | null {
  return cursor.isOneOf(words) ? parseDirection(cursor) : null;
}

/** An alias of a key needs its AS. Grouping sets have neither alias nor order. */
function parseGroupKey(cursor: Cursor, isSorted: boolean): readonly [PipeGroupItem, Direction | null] {
  const sets = parseGroupingSets(cursor);
  if (sets !== null) return [sets, null];
  const at = cursor.peek().at;
  const expression = parseExpression(cursor);
  const alias = cursor.isKeyword('AS') ? parseAlias(cursor) : null;
  return [
    { kind: 'expression', expression, alias, at },
    parseOrder(cursor, isSorted ? ['ASC', 'DESC', 'NULLS'] : undefined),
  ];
}
