import type { Expression, Subscript } from '../ast/expression.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parsePrimary } from './parse-primary.ts';
import { isPostgresCast, postgresCastError } from './postgres-cast.ts';
import { SUBSCRIPT_MODES } from './subscript-modes.ts';

/** Most fields and subscripts in one path. */
const MAX_PATH = 100;

/** A primary expression with the fields (`.name`) and subscripts (`[OFFSET(0)]`) after it; stops before `.*`. */
export function parsePostfix(cursor: Cursor): Expression {
  const start = cursor.peek().at;
  let base = parsePrimary(cursor);
  for (let length = 1; ; length++) {
    const at = cursor.peek().at;
    if (length > MAX_PATH) throw cursor.error(at, `The query has a path of more than ${MAX_PATH} parts`);
    if (cursor.isSymbol('.') && !cursor.isSymbol('*', 1)) {
      cursor.next();
      const field = cursor.expectFieldName();
      base = { kind: 'field', base, name: field.name, at: field.at };
    } else if (cursor.takeSymbol('[')) {
      base = parseSubscript(cursor, base, at);
      cursor.expectSymbol(']');
    } else {
      if (isPostgresCast(cursor)) throw postgresCastError(cursor, start);
      return base;
    }
  }
}

function parseSubscript(cursor: Cursor, base: Expression, at: number): Subscript {
  const token = cursor.peek();
  const mode = token.kind === 'name' ? SUBSCRIPT_MODES[token.value.toUpperCase()] : undefined;
  if (mode === undefined || !cursor.isSymbol('(', 1)) {
    return { kind: 'subscript', base, index: parseExpression(cursor), mode: 'plain', at };
  }
  cursor.next();
  cursor.next();
  const index = parseExpression(cursor);
  cursor.expectSymbol(')');
  return { kind: 'subscript', base, index, mode, at };
}
