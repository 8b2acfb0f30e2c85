import type { Expression, Literal } from '../ast/expression.ts';
import type { AliasedExpression, PivotClause, UnpivotClause, UnpivotGroup } from '../ast/query.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression, parseOperand } from './parse-expression.ts';
import { parseAlias } from './parse-select.ts';

/** Most columns that one PIVOT may make, or groups that one UNPIVOT may have. */
const MAX_ITEMS = 500;

const NULLS = ['INCLUDE', 'EXCLUDE'] as const;

/** Whether PIVOT or UNPIVOT comes next as an operator, and not as an alias. */
export function startsPivot(cursor: Cursor): boolean {
  if (cursor.isOneOf(['PIVOT', 'UNPIVOT']) && cursor.isSymbol('(', 1)) return true;
  return cursor.isKeyword('UNPIVOT') && cursor.isOneOf(NULLS, 1) && cursor.isKeyword('NULLS', 2);
}

/** After PIVOT: `(aggregate [[AS] alias], … FOR input IN (value [[AS] alias], …))`. */
export function parsePivot(cursor: Cursor): PivotClause {
  const { at } = cursor.expectSymbol('(');
  const aggregates = cursor.list(() => parseAliased(cursor));
  cursor.expectKeyword('FOR');
  const input = parseOperand(cursor);
  cursor.expectKeyword('IN');
  cursor.expectSymbol('(');
  if (cursor.isKeyword('SELECT')) throw cursor.unexpected('the values themselves');
  const values = cursor.list(() => parseAliased(cursor));
  cursor.expectSymbol(')');
  cursor.expectSymbol(')');
  checkCount(cursor, aggregates.length * values.length, at, 'PIVOT makes', 'columns');
  return { aggregates, input, values };
}

function parseAliased(cursor: Cursor): AliasedExpression {
  const { at } = cursor.peek();
  const expression = parseExpression(cursor);
  return { expression, alias: parseAlias(cursor), at };
}

/** After UNPIVOT: `[INCLUDE NULLS | EXCLUDE NULLS] (value FOR name IN (column [[AS] label], …))`. */
export function parseUnpivot(cursor: Cursor): UnpivotClause {
  const nulls = NULLS.find((word) => cursor.takeKeywords(word, 'NULLS')) ?? null;
  const { at } = cursor.expectSymbol('(');
  const values = cursor.isSymbol('(')
    ? parenthesized(cursor, () => cursor.expectIdentifier().name)
    : [cursor.expectIdentifier().name];
  cursor.expectKeyword('FOR');
  const { name } = cursor.expectIdentifier();
  cursor.expectKeyword('IN');
  const groups = parenthesized(cursor, () => parseGroup(cursor));
  cursor.expectSymbol(')');
  checkCount(cursor, groups.length * values.length, at, 'UNPIVOT has', 'columns');
  return { nulls, values, name, groups };
}

function parseGroup(cursor: Cursor): UnpivotGroup {
  const { at } = cursor.peek();
  const columns = cursor.isSymbol('(')
    ? parenthesized(cursor, () => parseColumn(cursor))
    : [parseColumn(cursor)];
  return { columns, label: parseLabel(cursor), at };
}

/** `name`, `alias.name` */
function parseColumn(cursor: Cursor): Expression {
  const first = cursor.expectIdentifier();
  let column: Expression = { kind: 'name', ...first };
  while (cursor.takeSymbol('.')) column = { kind: 'field', base: column, ...cursor.expectFieldName() };
  return column;
}

function parseLabel(cursor: Cursor): Literal | null {
  const isLabelled = cursor.takeKeywords('AS') || ['string', 'integer'].includes(cursor.peek().kind);
  if (!isLabelled) return null;
  const { kind } = cursor.peek();
  const label = kind === 'string' || kind === 'integer' ? parseOperand(cursor) : null;
  if (label?.kind !== 'literal') throw cursor.unexpected('integer literal or string literal');
  return label;
}

function parenthesized<T>(cursor: Cursor, parse: () => T): T[] {
  cursor.expectSymbol('(');
  const items = cursor.list(parse);
  cursor.expectSymbol(')');
  return items;
}

function checkCount(cursor: Cursor, count: number, at: number, verb: string, noun: string): void {
  if (count > MAX_ITEMS) throw cursor.error(at, `${verb} more than ${MAX_ITEMS} ${noun}`);
}
