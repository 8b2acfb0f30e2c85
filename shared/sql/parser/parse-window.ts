import type { Frame, FrameBound, WindowSpec } from '../ast/query.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parseOrderBy } from './parse-query.ts';

/** After OVER: a window's name, or its definition in parentheses. */
export function parseOver(cursor: Cursor): WindowSpec {
  const at = cursor.peek().at;
  if (cursor.isSymbol('(')) return parseWindowSpec(cursor);
  const base = cursor.expectIdentifier().name;
  return { base, partitionBy: [], orderBy: [], frame: null, at };
}

/** `([name] [PARTITION BY …] [ORDER BY …] [frame])` */
export function parseWindowSpec(cursor: Cursor): WindowSpec {
  const at = cursor.expectSymbol('(').at;
  const base = cursor.isIdentifier() ? cursor.expectIdentifier().name : null;
  const partitionBy = cursor.takeKeywords('PARTITION', 'BY')
    ? cursor.list(() => parseExpression(cursor))
    : [];
  const orderBy = cursor.isKeyword('ORDER') ? parseOrderBy(cursor) : [];
  const frame = parseFrame(cursor);
  cursor.expectSymbol(')');
  return { base, partitionBy, orderBy, frame, at };
}

function parseFrame(cursor: Cursor): Frame | null {
  const { at } = cursor.peek();
  const unit = cursor.takeKeywords('ROWS') ? 'ROWS' : cursor.takeKeywords('RANGE') ? 'RANGE' : null;
  if (unit === null) return null;
  if (!cursor.takeKeywords('BETWEEN'))
    return { unit, start: parseBound(cursor), end: { kind: 'current-row' }, at };
  const start = parseBound(cursor);
  cursor.expectKeyword('AND');
  return { unit, start, end: parseBound(cursor), at };
}

function parseBound(cursor: Cursor): FrameBound {
  if (cursor.takeKeywords('UNBOUNDED', 'PRECEDING')) return { kind: 'unbounded-preceding' };
  if (cursor.takeKeywords('UNBOUNDED', 'FOLLOWING')) return { kind: 'unbounded-following' };
  if (cursor.takeKeywords('CURRENT', 'ROW')) return { kind: 'current-row' };
  const offset = parseExpression(cursor);
  if (cursor.takeKeywords('PRECEDING')) return { kind: 'preceding', offset };
  cursor.expectKeyword('FOLLOWING');
  return { kind: 'following', offset };
}
