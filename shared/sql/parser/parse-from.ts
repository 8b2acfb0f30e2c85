import type { FromItem, Join, JoinKind, TableSubquery, Unnest, WithOffset } from '../ast/query.ts';
import { combineJoins, type JoinCondition, type ParsedJoin } from './combine-joins.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parsePivot, parseUnpivot, startsPivot } from './parse-pivot.ts';
import { continueQuery, continuesQuery, namedQuery, parseQuery } from './parse-query.ts';

/** Most joins in one FROM clause. */
const MAX_JOINS = 100;

const JOIN_WORDS = ['JOIN', 'CROSS', 'INNER', 'LEFT', 'RIGHT', 'FULL'];

/** After FROM: items joined by commas and JOIN, from left to right. */
export function parseFromItems(cursor: Cursor): FromItem {
  return parseJoins(cursor, parseFromPrimary(cursor), 'commas');
}

/** Joins after a first item. Parentheses hold no commas, and RIGHT and FULL do not follow one. */
function parseJoins(cursor: Cursor, first: FromItem, commas: 'commas' | 'no commas'): FromItem {
  const joins: ParsedJoin[] = [];
  for (;;) {
    const at = cursor.peek().at;
    const isBehindComma = joins.some(({ join }) => join === 'COMMA');
    if (joins.length > MAX_JOINS)
      throw cursor.error(at, `The query has more than ${MAX_JOINS} joins in one FROM`);
    if (commas === 'commas' && cursor.takeSymbol(',')) {
      joins.push({ join: 'COMMA', right: parseFromPrimary(cursor), conditions: [], at });
    } else if (cursor.startsSetOperation()) {
      return combineJoins(cursor, first, joins);
    } else if (cursor.isKeyword('NATURAL')) {
      throw cursor.notAllowed(at, 'NATURAL JOIN is');
    } else if (isBehindComma && cursor.isOneOf(['RIGHT', 'FULL'])) {
      throw cursor.error(
        at,
        'Syntax error: RIGHT and FULL JOIN cannot follow a comma; use CROSS JOIN or parentheses',
      );
    } else if (cursor.isOneOf(JOIN_WORDS)) {
      const join = parseJoinKind(cursor);
      const right = parseFromPrimary(cursor);
      joins.push({ join, right, conditions: parseJoinConditions(cursor), at });
    } else {
      return combineJoins(cursor, first, joins);
    }
  }
}

/** `[INNER] JOIN`, `CROSS JOIN`, `LEFT|RIGHT|FULL [OUTER] JOIN` */
export function parseJoinKind(cursor: Cursor): JoinKind {
  if (cursor.isSymbol('@{', 1)) throw cursor.notAllowed(cursor.peek(1).at, 'Hints are');
  if (cursor.takeKeywords('JOIN')) return 'INNER';
  const kind = cursor.next().value.toUpperCase() as Exclude<JoinKind, 'COMMA'>;
  if (kind !== 'CROSS' && kind !== 'INNER') cursor.takeKeywords('OUTER');
  cursor.expectKeyword('JOIN');
  if (cursor.isSymbol('@{')) throw cursor.notAllowed(cursor.peek().at, 'Hints are');
  return kind;
}

/** `ON condition` or `USING (name, …)`; both are null where neither stands. */
export function parseJoinCondition(cursor: Cursor): Pick<Join, 'on' | 'using'> {
  if (cursor.takeKeywords('ON')) return { on: parseExpression(cursor), using: null };
  if (!cursor.takeKeywords('USING')) return { on: null, using: null };
  cursor.expectSymbol('(');
  const using = cursor.list(() => cursor.expectIdentifier());
  cursor.expectSymbol(')');
  return { on: null, using };
}

/** The conditions that stand after the right side of a join: one, or several where joins before it have none yet. */
function parseJoinConditions(cursor: Cursor): JoinCondition[] {
  const conditions: JoinCondition[] = [];
  while (cursor.isOneOf(['ON', 'USING'])) {
    const { at } = cursor.peek();
    conditions.push({ ...parseJoinCondition(cursor), at });
  }
  return conditions;
}

/** One item of FROM: table, array path, UNNEST, subquery, or joins in parentheses. */
export function parseFromPrimary(cursor: Cursor): FromItem {
  const item = parsePivoted(
    cursor,
    cursor.nested(() => parseFromPrimaryInside(cursor)),
  );
  for (const word of ['TABLESAMPLE', 'MATCH_RECOGNIZE']) {
    if (cursor.isKeyword(word) && (word === 'TABLESAMPLE' || cursor.isSymbol('(', 1))) {
      throw cursor.notAllowed(cursor.peek().at, `${word} is`);
    }
  }
  return item;
}

/** An item with the PIVOT or UNPIVOT after it, if one stands there; only one may. */
function parsePivoted(cursor: Cursor, from: FromItem): FromItem {
  if (!startsPivot(cursor)) return from;
  const { at, value } = cursor.next();
  const word = value.toUpperCase();
  if (from.kind === 'join' || from.kind === 'pivot' || from.kind === 'unpivot')
    throw cursor.error(
      at,
      `Syntax error: ${word} follows a table or a subquery; put the joins into a subquery`,
    );
  if ('offset' in from && from.offset !== null)
    throw cursor.error(at, `Syntax error: ${word} and WITH OFFSET cannot be combined`);
  const item: FromItem =
    word === 'PIVOT'
      ? { kind: 'pivot', from, ...parsePivot(cursor), alias: parseTableAlias(cursor), at }
      : { kind: 'unpivot', from, ...parseUnpivot(cursor), alias: parseTableAlias(cursor), at };
  if (startsPivot(cursor))
    throw cursor.error(
      cursor.peek().at,
      'Syntax error: Only one PIVOT or UNPIVOT can follow a table; use a subquery',
    );
  return item;
}

function parseFromPrimaryInside(cursor: Cursor): FromItem {
  const at = cursor.peek().at;
  if (cursor.takeKeywords('UNNEST')) return parseUnnest(cursor, at);
  if (cursor.isKeyword('LATERAL')) throw cursor.notAllowed(at, 'LATERAL is');
  if (cursor.takeSymbol('(')) return parseParenthesis(cursor, at);
  const path = [cursor.expectIdentifier().name];
  while (cursor.takeSymbol('.')) path.push(cursor.expectFieldName().name);
  if (cursor.isSymbol('(')) throw cursor.notAllowed(at, `Table function ${path.join('.')} is`);
  if (cursor.isSymbol('-') || cursor.isSymbol('*')) throw cursor.unexpected('a source');
  if (cursor.isSymbol('@{')) throw cursor.notAllowed(cursor.peek().at, 'Hints are');
  const alias = parseTableAlias(cursor);
  if (cursor.isKeyword('FOR')) throw cursor.notAllowed(cursor.peek().at, 'FOR SYSTEM_TIME AS OF is');
  return { kind: 'table', path, alias, offset: parseWithOffset(cursor), at };
}

function parseUnnest(cursor: Cursor, at: number): Unnest {
  cursor.expectSymbol('(');
  const array = parseExpression(cursor);
  if (cursor.isSymbol(',')) throw cursor.notAllowed(cursor.peek().at, 'UNNEST of several arrays is');
  cursor.expectSymbol(')');
  const alias = parseTableAlias(cursor);
  return { kind: 'unnest', array, alias, offset: parseWithOffset(cursor), at };
}

/** `(query) [AS] alias`, or `(joins)`. What starts with another parenthesis may turn out to be either. */
function parseParenthesis(cursor: Cursor, at: number): FromItem {
  if (cursor.startsQuery()) {
    const query = parseQuery(cursor);
    cursor.expectSymbol(')');
    return { kind: 'table-subquery', query, alias: parseTableAlias(cursor), at };
  }
  const first = parseFromPrimary(cursor);
  if (first.kind === 'table-subquery' && isFirstPart(cursor, first)) {
    const query = continueQuery(cursor, namedQuery(first.query, first.alias, first.at));
    cursor.expectSymbol(')');
    return { kind: 'table-subquery', query, alias: parseTableAlias(cursor), at };
  }
  const joined = parseJoins(cursor, first, 'no commas');
  if (joined === first) throw cursor.unexpected('keyword JOIN');
  cursor.expectSymbol(')');
  return joined;
}

/** Whether a subquery in FROM is the first part of a query in parentheses. An alias of such a part needs AS. */
function isFirstPart(cursor: Cursor, { alias }: TableSubquery): boolean {
  if (alias !== null && !cursor.isKeyword('AS', -2)) return false;
  return continuesQuery(cursor) || cursor.isSymbol(')');
}

/** `[AS] alias`; PIVOT and UNPIVOT are no aliases when a parenthesis follows. */
export function parseTableAlias(cursor: Cursor): string | null {
  if (cursor.takeKeywords('AS')) return cursor.expectIdentifier().name;
  if (!cursor.isIdentifier()) return null;
  const isOperator = cursor.isKeyword('MATCH_RECOGNIZE') && cursor.isSymbol('(', 1);
  return isOperator || startsPivot(cursor) ? null : cursor.expectIdentifier().name;
}

/** `WITH OFFSET [[AS] alias]`; without an alias the column is called `offset`. */
function parseWithOffset(cursor: Cursor): WithOffset | null {
  const at = cursor.peek().at;
  if (!cursor.takeKeywords('WITH', 'OFFSET')) return null;
  return { alias: parseTableAlias(cursor) ?? 'offset', at };
}
