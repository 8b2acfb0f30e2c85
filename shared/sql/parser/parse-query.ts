import type { ServiceError } from '../../errors/service-error.ts';
import type { Expression, OrderItem } from '../ast/expression.ts';
import type { Cte, Query, QueryBody } from '../ast/query.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { QUERY_LIMITS, type TextLimits } from '../text/sql-limits.ts';
import { checkTreeDepth } from './check-tree-depth.ts';
import { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parseFromItems } from './parse-from.ts';
import { parsePipes } from './parse-pipe.ts';
import { parseSelect } from './parse-select.ts';
import { isSameOperator, parseSetOperator } from './parse-set-operator.ts';

/**
 * Parses one whole query expression of GoogleSQL; a semicolon may end it. All text is consumed, or a ServiceError
 * (invalid_argument) says where reading stopped and what was expected there.
 */
export function parseStatement(text: string, limits: TextLimits = QUERY_LIMITS): Query {
  return parseTokens(text, tokenize(text, limits), limits);
}

/** The same for a text whose tokens are known. */
export function parseTokens(text: string, tokens: readonly Token[], limits: TextLimits): Query {
  const cursor = new Cursor(text, tokens);
  const query = parseQuery(cursor, true);
  cursor.takeSymbol(';');
  if (cursor.peek().kind !== 'end') throw cursor.unexpected('end of input');
  checkTreeDepth(text, query, limits.treeDepth);
  return query;
}

/** `[WITH [RECURSIVE] …] body [ORDER BY …] [LIMIT …]`, with pipe steps after. RECURSIVE may stand in the whole query's WITH only. */
export function parseQuery(cursor: Cursor, isWhole = false): Query {
  return cursor.nested(() => {
    const at = cursor.peek().at;
    const isWith = cursor.takeKeywords('WITH');
    const isRecursive = isWith && takeRecursive(cursor, isWhole);
    const ctes = isWith ? cursor.list(() => parseCte(cursor)) : [];
    const query = finishQuery(cursor, ctes, parseBody(cursor, parseBodyPrimary(cursor)), at);
    return isRecursive ? { ...query, recursive: true } : query;
  });
}

/** Whether what follows a query in parentheses belongs to a query that begins with it. */
export function continuesQuery(cursor: Cursor): boolean {
  return cursor.startsSetOperation() || cursor.isOneOf(['AS', 'ORDER', 'LIMIT']) || cursor.isSymbol('|>');
}

/** The rest of a query whose first parenthesised part has been read already. */
export function continueQuery(cursor: Cursor, first: QueryBody): Query {
  return finishQuery(cursor, [], parseBody(cursor, first), first.at);
}

function finishQuery(cursor: Cursor, ctes: readonly Cte[], body: QueryBody, at: number): Query {
  if (body.kind === 'from-query' && cursor.isOneOf(['ORDER', 'LIMIT'])) {
    const word = cursor.peek().value.toUpperCase();
    throw cursor.error(cursor.peek().at, `Syntax error: ${word} cannot follow FROM; use |> before it`);
  }
  const orderBy = cursor.isKeyword('ORDER') ? parseOrderBy(cursor) : [];
  const { limit, offset } = parseLimit(cursor);
  const query: Query = { kind: 'query', ctes, body, orderBy, limit, offset, at };
  if (!cursor.isSymbol('|>')) return query;
  const isBare = orderBy.length === 0 && limit === null;
  const piped = parsePipes(cursor, isBare ? body : { ...query, ctes: [] });
  return { kind: 'query', ctes, body: piped, orderBy: [], limit: null, offset: null, at };
}

function takeRecursive(cursor: Cursor, isAllowed: boolean): boolean {
  const { at } = cursor.peek();
  if (!cursor.takeKeywords('RECURSIVE')) return false;
  if (isAllowed) return true;
  throw cursor.error(
    at,
    'WITH RECURSIVE may stand at the beginning of the whole query only; move its CTEs there',
  );
}

/** `name AS (query)` */
export function parseCte(cursor: Cursor): Cte {
  const { name, at } = cursor.expectIdentifier();
  cursor.expectKeyword('AS');
  cursor.expectSymbol('(');
  const query = parseQuery(cursor);
  cursor.expectSymbol(')');
  return { name, query, at };
}

function parseBodyPrimary(cursor: Cursor): QueryBody {
  const at = cursor.peek().at;
  if (cursor.takeSymbol('(')) {
    const query = parseQuery(cursor);
    cursor.expectSymbol(')');
    return takeAlias(cursor, query);
  }
  if (cursor.takeKeywords('SELECT')) return parseSelect(cursor, at);
  if (cursor.takeKeywords('FROM')) return { kind: 'from-query', from: parseFromItems(cursor), at };
  throw cursor.unexpected();
}

/** `AS alias` after a query in parentheses names its rows, as the pipe operator AS does. */
export function takeAlias(cursor: Cursor, query: Query): QueryBody {
  const { at } = cursor.peek();
  return cursor.takeKeywords('AS') ? namedQuery(query, cursor.expectIdentifier().name, at) : query;
}

/** A query whose rows have a name. */
export function namedQuery(query: Query, alias: string | null, at: number): QueryBody {
  return alias === null ? query : { kind: 'pipe', input: query, operator: { kind: 'as', alias }, at };
}

/** Set operators after a first part; one kind only, others need parentheses. */
function parseBody(cursor: Cursor, first: QueryBody): QueryBody {
  if (!cursor.startsSetOperation()) return first;
  const operator = parseSetOperator(cursor);
  if (first.kind === 'from-query') throw unparenthesizedFrom(cursor, first.at);
  const inputs = [first, parseSetInput(cursor)];
  while (cursor.startsSetOperation()) {
    const next = parseSetOperator(cursor);
    if (!isSameOperator(operator, next)) {
      throw cursor.error(next.at, 'Syntax error: Different set operations need parentheses around them');
    }
    inputs.push(parseSetInput(cursor));
  }
  return { kind: 'set-operation', ...operator, inputs };
}

function parseSetInput(cursor: Cursor): QueryBody {
  if (cursor.isKeyword('FROM')) throw unparenthesizedFrom(cursor, cursor.peek().at);
  return parseBodyPrimary(cursor);
}

function unparenthesizedFrom(cursor: Cursor, at: number): ServiceError {
  return cursor.error(at, 'Syntax error: A query that begins with FROM needs parentheses in a set operation');
}

/** `ORDER BY expression [ASC | DESC] [NULLS FIRST | NULLS LAST], …` */
export function parseOrderBy(cursor: Cursor): OrderItem[] {
  cursor.expectKeyword('ORDER');
  cursor.expectKeyword('BY');
  return cursor.list(() => parseOrderItem(cursor));
}

/** `expression [ASC | DESC] [NULLS FIRST | NULLS LAST]`; COLLATE is refused. */
export function parseOrderItem(cursor: Cursor): OrderItem {
  const at = cursor.peek().at;
  const expression = parseExpression(cursor);
  if (cursor.isKeyword('COLLATE')) throw cursor.collationNotAllowed(cursor.peek().at);
  return { expression, ...parseDirection(cursor), at };
}

/** `[ASC | DESC] [NULLS FIRST | NULLS LAST]` */
export function parseDirection(cursor: Cursor): Pick<OrderItem, 'descending' | 'nullsFirst'> {
  const descending = cursor.takeKeywords('DESC');
  if (!descending) cursor.takeKeywords('ASC');
  return { descending, nullsFirst: parseNullsOrder(cursor) };
}

function parseNullsOrder(cursor: Cursor): boolean | null {
  if (cursor.takeKeywords('NULLS', 'FIRST')) return true;
  if (cursor.takeKeywords('NULLS', 'LAST')) return false;
  return null;
}

/** `LIMIT count [OFFSET skipped]`; both are null where LIMIT does not stand. */
export function parseLimit(cursor: Cursor): { limit: Expression | null; offset: Expression | null } {
  if (!cursor.takeKeywords('LIMIT')) return { limit: null, offset: null };
  const limit = parseExpression(cursor);
  return { limit, offset: cursor.takeKeywords('OFFSET') ? parseExpression(cursor) : null };
}
