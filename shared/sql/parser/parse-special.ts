import type {
  Cast,
  DatePart,
  Expression,
  Extract,
  IntervalExpression,
  StructConstructor,
  WithExpression,
} from '../ast/expression.ts';
import type { TypeName } from '../ast/type-name.ts';
import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parseQuery } from './parse-query.ts';
import { parseStructFields, parseTypeName } from './parse-type.ts';

/** After CAST or SAFE_CAST: `(value AS type [FORMAT format [AT TIME ZONE zone]])`. */
export function parseCast(cursor: Cursor, at: number, safe: boolean): Cast {
  cursor.expectSymbol('(');
  const operand = parseExpression(cursor);
  cursor.expectKeyword('AS');
  const type = parseTypeName(cursor);
  const format = cursor.takeKeywords('FORMAT') ? parseExpression(cursor) : null;
  const zone = format !== null ? parseZone(cursor) : null;
  cursor.expectSymbol(')');
  return { kind: 'cast', operand, type, safe, format, zone, at };
}

/** After EXTRACT: `(part FROM value [AT TIME ZONE zone])`. */
export function parseExtract(cursor: Cursor, at: number): Extract {
  cursor.expectSymbol('(');
  const part = parseDatePart(cursor);
  cursor.expectKeyword('FROM');
  const operand = parseExpression(cursor);
  const zone = parseZone(cursor);
  cursor.expectSymbol(')');
  return { kind: 'extract', part, operand, zone, at };
}

function parseZone(cursor: Cursor): Expression | null {
  return cursor.takeKeywords('AT', 'TIME', 'ZONE') ? parseExpression(cursor) : null;
}

/** `DAY`, `WEEK(MONDAY)` */
function parseDatePart(cursor: Cursor): DatePart {
  const part = cursor.expectIdentifier();
  const name = part.name.toUpperCase();
  if (!cursor.takeSymbol('(')) return { kind: 'date-part', name, weekday: null, at: part.at };
  const weekday = cursor.expectIdentifier().name.toUpperCase();
  cursor.expectSymbol(')');
  return { kind: 'date-part', name, weekday, at: part.at };
}

/** After INTERVAL: `value part` or `'text' part TO part`. */
export function parseInterval(cursor: Cursor, at: number): IntervalExpression {
  const value = parseExpression(cursor);
  const from = cursor.expectIdentifier().name.toUpperCase();
  const to = cursor.takeKeywords('TO') ? cursor.expectIdentifier().name.toUpperCase() : null;
  return { kind: 'interval', value, from, to, at };
}

/** After ARRAY, or at an opening bracket: `[…]`, `<type>[…]`, `(query)`. */
export function parseArray(cursor: Cursor, at: number): Expression {
  if (cursor.takeSymbol('(')) {
    const query = parseQuery(cursor);
    cursor.expectSymbol(')');
    return { kind: 'subquery', mode: 'array', query, at };
  }
  const elementType = cursor.takeSymbol('<') ? parseClosedType(cursor) : null;
  cursor.expectSymbol('[');
  const elements = cursor.isSymbol(']') ? [] : cursor.list(() => parseExpression(cursor));
  cursor.expectSymbol(']');
  return { kind: 'array', elementType, elements, at };
}

function parseClosedType(cursor: Cursor): TypeName {
  const type = parseTypeName(cursor);
  cursor.expectSymbol('>');
  return type;
}

/** After STRUCT: `(value [AS name], …)`, `<fields>(value, …)`. */
export function parseStruct(cursor: Cursor, at: number): StructConstructor {
  const type: TypeName | null = cursor.isSymbol('<')
    ? { kind: 'struct', fields: parseStructFields(cursor), at }
    : null;
  cursor.expectSymbol('(');
  const parseField = () => {
    const value = parseExpression(cursor);
    return { value, alias: cursor.takeKeywords('AS') ? cursor.expectIdentifier().name : null };
  };
  const fields = cursor.isSymbol(')') ? [] : cursor.list(parseField);
  cursor.expectSymbol(')');
  return { kind: 'struct', type, fields, at };
}

/** After WITH in an expression: `(name AS value, …, result)`. */
export function parseWithExpression(cursor: Cursor, at: number): WithExpression {
  cursor.expectSymbol('(');
  const variables: { name: string; value: Expression }[] = [];
  do {
    const { name } = cursor.expectIdentifier();
    cursor.expectKeyword('AS');
    variables.push({ name, value: parseExpression(cursor) });
    cursor.expectSymbol(',');
  } while (cursor.isIdentifier() && cursor.isKeyword('AS', 1));
  const result = parseExpression(cursor);
  cursor.expectSymbol(')');
  return { kind: 'with-expression', variables, result, at };
}
