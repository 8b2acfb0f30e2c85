import type { Expression } from '../ast/expression.ts';
import type { GroupBy, GroupItem, GroupingLists, Select, SelectItem, StarModifiers } from '../ast/query.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parseFromItems } from './parse-from.ts';
import { parseWindowSpec } from './parse-window.ts';

/** After SELECT: list, FROM and the clauses after it, up to QUALIFY and WINDOW. */
export function parseSelect(cursor: Cursor, at: number): Select {
  if (cursor.isSymbol('@{')) throw cursor.notAllowed(cursor.peek().at, 'Hints are');
  if (cursor.isKeyword('WITH') && !cursor.isSymbol('(', 1))
    throw cursor.notAllowed(cursor.peek().at, 'SELECT WITH is');
  const distinct = takeDistinct(cursor);
  const as = parseAs(cursor);
  const items = parseSelectItems(cursor);
  const from = cursor.takeKeywords('FROM') ? parseFromItems(cursor) : null;
  const where = cursor.takeKeywords('WHERE') ? parseExpression(cursor) : null;
  const groupBy = cursor.isKeyword('GROUP') ? parseGroupBy(cursor) : null;
  const having = cursor.takeKeywords('HAVING') ? parseExpression(cursor) : null;
  const qualify = cursor.takeKeywords('QUALIFY') ? parseExpression(cursor) : null;
  const windows = cursor.takeKeywords('WINDOW') ? parseWindows(cursor) : [];
  return { kind: 'select', distinct, as, items, from, where, groupBy, having, qualify, windows, at };
}

/** `DISTINCT`, `ALL` or neither. */
export function takeDistinct(cursor: Cursor): boolean {
  const distinct = cursor.takeKeywords('DISTINCT');
  if (!distinct) cursor.takeKeywords('ALL');
  return distinct;
}

/** `AS STRUCT`, `AS VALUE`, or null where neither stands. */
export function parseAs(cursor: Cursor): Select['as'] {
  if (!cursor.takeKeywords('AS')) return null;
  if (cursor.takeKeywords('STRUCT')) return 'STRUCT';
  if (cursor.takeKeywords('VALUE')) return 'VALUE';
  throw cursor.unexpected('keyword STRUCT or keyword VALUE');
}

/** A comma may follow the last item. */
export function parseSelectItems(cursor: Cursor): SelectItem[] {
  const items = [parseSelectItem(cursor)];
  while (cursor.takeSymbol(',') && !endsSelectList(cursor)) items.push(parseSelectItem(cursor));
  return items;
}

const CLAUSES = ['FROM', 'WHERE', 'GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER', 'LIMIT'];

function endsSelectList(cursor: Cursor): boolean {
  const token = cursor.peek();
  if (token.kind === 'end') return true;
  if (cursor.startsSetOperation()) return true;
  return cursor.isSymbol(')') || cursor.isSymbol(';') || cursor.isSymbol('|>') || cursor.isOneOf(CLAUSES);
}

/** What `.*` cannot follow: it binds tighter than any operator, and no operator gives a record. */
const OPERATIONS: ReadonlySet<Expression['kind']> = new Set([
  'unary',
  'binary',
  'between',
  'in',
  'quantified-like',
  'is',
]);

/** `*`, `expression.*` or `expression [[AS] alias]`; EXCEPT and REPLACE may follow a star. */
export function parseSelectItem(cursor: Cursor): SelectItem {
  const at = cursor.peek().at;
  if (cursor.takeSymbol('*')) return { kind: 'star', ...parseStarModifiers(cursor), at };
  const expression = parseExpression(cursor);
  if (cursor.isSymbol('.') && cursor.isSymbol('*', 1)) {
    cursor.next();
    if (OPERATIONS.has(expression.kind)) throw cursor.unexpected();
    cursor.next();
    return { kind: 'dot-star', base: expression, ...parseStarModifiers(cursor), at };
  }
  return { kind: 'expression', expression, alias: parseAlias(cursor), at };
}

/** `[AS] alias`, or null where none stands. */
export function parseAlias(cursor: Cursor): string | null {
  if (cursor.takeKeywords('AS')) return cursor.expectIdentifier().name;
  return cursor.isIdentifier() ? cursor.expectIdentifier().name : null;
}

function parseStarModifiers(cursor: Cursor): StarModifiers {
  let except: StarModifiers['except'] = [];
  let replace: StarModifiers['replace'] = [];
  if (cursor.isKeyword('EXCEPT') && cursor.isSymbol('(', 1)) {
    cursor.next();
    except = parenthesized(cursor, () => cursor.expectIdentifier());
  }
  if (cursor.isKeyword('REPLACE') && cursor.isSymbol('(', 1)) {
    cursor.next();
    replace = parenthesized(cursor, () => {
      const expression = parseExpression(cursor);
      cursor.expectKeyword('AS');
      return { expression, ...cursor.expectIdentifier() };
    });
  }
  return { except, replace };
}

function parenthesized<T>(cursor: Cursor, parse: () => T): T[] {
  cursor.expectSymbol('(');
  const items = cursor.list(parse);
  cursor.expectSymbol(')');
  return items;
}

function parseGroupBy(cursor: Cursor): GroupBy {
  const at = cursor.next().at;
  cursor.expectKeyword('BY');
  if (cursor.takeKeywords('ALL')) return { kind: 'all', at };
  return { kind: 'items', items: cursor.list(() => parseGroupItem(cursor)), at };
}

function parseGroupItem(cursor: Cursor): GroupItem {
  const sets = parseGroupingSets(cursor);
  if (sets !== null) return sets;
  const at = cursor.peek().at;
  return { kind: 'expression', expression: parseExpression(cursor), at };
}

/** ROLLUP, CUBE, GROUPING SETS or `()`, or null where none of them stands. */
export function parseGroupingSets(cursor: Cursor): Exclude<GroupItem, { kind: 'expression' }> | null {
  const at = cursor.peek().at;
  const lists = parseGroupingLists(cursor);
  if (lists !== null) return lists;
  if (cursor.takeKeywords('GROUPING', 'SETS')) {
    return { kind: 'sets', sets: parenthesized(cursor, () => parseGroupingSet(cursor)), at };
  }
  if (cursor.isSymbol('(') && cursor.isSymbol(')', 1)) {
    cursor.next();
    cursor.next();
    return { kind: 'sets', sets: [[]], at };
  }
  return null;
}

/** `ROLLUP (…)` or `CUBE (…)`, or null where neither stands. */
function parseGroupingLists(cursor: Cursor): GroupingLists | null {
  const at = cursor.peek().at;
  for (const kind of ['rollup', 'cube'] as const) {
    if (cursor.takeKeywords(kind.toUpperCase()))
      return { kind, sets: parenthesized(cursor, () => parseKeys(cursor)), at };
  }
  return null;
}

/** `()`, `(a, b)`, `a`, ROLLUP or CUBE */
function parseGroupingSet(cursor: Cursor): GroupingLists | Expression[] {
  const lists = parseGroupingLists(cursor);
  if (lists !== null) return lists;
  if (!cursor.isSymbol('(') || !cursor.isSymbol(')', 1)) return parseKeys(cursor);
  cursor.next();
  cursor.next();
  return [];
}

/** `(a, b)` or `a`; a struct without its word is a list of keys here. */
function parseKeys(cursor: Cursor): Expression[] {
  const expression = parseExpression(cursor);
  return expression.kind === 'struct' && expression.isTuple === true
    ? expression.fields.map((field) => field.value)
    : [expression];
}

function parseWindows(cursor: Cursor): Select['windows'] {
  return cursor.list(() => {
    const { name, at } = cursor.expectIdentifier();
    cursor.expectKeyword('AS');
    if (cursor.isSymbol('(')) return { name, spec: parseWindowSpec(cursor), at };
    const base = cursor.expectIdentifier();
    return { name, spec: { base: base.name, partitionBy: [], orderBy: [], frame: null, at: base.at }, at };
  });
}
