import type { Case, Expression, Literal, LiteralType, StructConstructor } from '../ast/expression.ts';
import type { Token } from '../lexer/token.ts';
import type { Cursor } from './cursor.ts';
import { BARE_FUNCTIONS, KEYWORD_FUNCTIONS } from './function-keywords.ts';
import { parseCall } from './parse-call.ts';
import { parseExpression } from './parse-expression.ts';
import { continueQuery, continuesQuery, parseQuery, takeAlias } from './parse-query.ts';
import {
  parseArray,
  parseCast,
  parseExtract,
  parseInterval,
  parseStruct,
  parseWithExpression,
} from './parse-special.ts';

/** Types whose literals are a keyword and a string: `DATE '2026-01-01'`. */
const TYPED_LITERALS: Readonly<Record<string, LiteralType>> = {
  DATE: 'DATE',
  DATETIME: 'DATETIME',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
  NUMERIC: 'NUMERIC',
  DECIMAL: 'NUMERIC',
  BIGNUMERIC: 'BIGNUMERIC',
  BIGDECIMAL: 'BIGNUMERIC',
  JSON: 'JSON',
};

type PrimaryParser = (cursor: Cursor, at: number) => Expression;

/** The forms that begin with a reserved keyword. */
const KEYWORD_FORMS: Readonly<Record<string, PrimaryParser>> = {
  NULL: (_, at) => literal('NULL', 'NULL', at),
  TRUE: (_, at) => literal('BOOL', 'TRUE', at),
  FALSE: (_, at) => literal('BOOL', 'FALSE', at),
  CASE: parseCase,
  CAST: (cursor, at) => parseCast(cursor, at, false),
  EXTRACT: parseExtract,
  EXISTS: (cursor, at) => parseSubquery(cursor, at, 'exists'),
  ARRAY: parseArray,
  STRUCT: parseStruct,
  INTERVAL: parseInterval,
  WITH: parseWithExpression,
  COLLATE: (cursor, at) => {
    throw cursor.collationNotAllowed(at);
  },
  RANGE: (cursor, at) => {
    throw cursor.isSymbol('<') || cursor.isSymbol('(') ? cursor.rangeNotSupported(at) : cursor.unexpected();
  },
};

/** A literal, parameter, name, call, subquery or whatever else an expression is made of. */
export function parsePrimary(cursor: Cursor): Expression {
  const token = cursor.peek();
  switch (token.kind) {
    case 'string':
    case 'bytes':
      return parseText(cursor);
    case 'integer':
    case 'float':
      cursor.next();
      // A number that begins with its dot could not stand after a name.
      if (token.kind === 'float') return literal('FLOAT64', token.value.replace(/^\./, '0.'), token.at);
      return literal('INT64', token.value, token.at);
    case 'parameter':
      cursor.next();
      return { kind: 'parameter', name: token.value, at: token.at };
    case 'system':
      throw cursor.notAllowed(token.at, 'System variables (@@name) are');
    case 'symbol':
      return parseSymbol(cursor, token);
    case 'name':
    case 'quoted':
      return parseNamed(cursor, token);
    case 'end':
      throw cursor.unexpected();
    default: {
      const unreachable: never = token.kind;
      throw new TypeError(`token ${unreachable}`);
    }
  }
}

/** String and bytes literals; those with only white space between them are one. */
function parseText(cursor: Cursor): Literal {
  const first = cursor.next();
  let value = first.value;
  while (cursor.peek().kind === first.kind) value += cursor.next().value;
  return literal(first.kind === 'bytes' ? 'BYTES' : 'STRING', value, first.at);
}

function parseSymbol(cursor: Cursor, token: Token): Expression {
  if (token.value === '(') return parseParenthesis(cursor);
  if (token.value === '[') return parseArray(cursor, token.at);
  if (token.value === '?') throw cursor.notAllowed(token.at, 'Positional parameters are');
  if (token.value === '@{') throw cursor.notAllowed(token.at, 'Hints are');
  throw cursor.unexpected();
}

function parseNamed(cursor: Cursor, token: Token): Expression {
  const word = token.kind === 'name' ? token.value.toUpperCase() : '';
  const form = KEYWORD_FORMS[word];
  if (form !== undefined) {
    cursor.next();
    return form(cursor, token.at);
  }
  if (word === 'SAFE_CAST' && cursor.isSymbol('(', 1)) {
    cursor.next();
    return parseCast(cursor, token.at, true);
  }
  const literalType = TYPED_LITERALS[word];
  if (literalType !== undefined && cursor.peek(1).kind === 'string') {
    cursor.next();
    return { ...parseText(cursor), type: literalType, at: token.at };
  }
  if (startsCall(cursor) || (KEYWORD_FUNCTIONS.has(word) && cursor.isSymbol('(', 1)))
    return parseCall(cursor);
  if (!cursor.isIdentifier()) throw cursor.unexpected();
  cursor.next();
  return { kind: 'name', name: token.value, at: token.at };
}

/** Whether a function's name and its opening parenthesis come next: `f(`, `net.host(`. */
function startsCall(cursor: Cursor): boolean {
  if (!cursor.isIdentifier()) return false;
  if (cursor.isOneOf(BARE_FUNCTIONS)) return true;
  let ahead = 1;
  while (cursor.isSymbol('.', ahead) && ['name', 'quoted'].includes(cursor.peek(ahead + 1).kind)) ahead += 2;
  return cursor.isSymbol('(', ahead);
}

function parseCase(cursor: Cursor, at: number): Case {
  const operand = cursor.isKeyword('WHEN') ? null : parseExpression(cursor);
  const branches: { when: Expression; result: Expression }[] = [];
  cursor.expectKeyword('WHEN');
  do {
    const when = parseExpression(cursor);
    cursor.expectKeyword('THEN');
    branches.push({ when, result: parseExpression(cursor) });
  } while (cursor.takeKeywords('WHEN'));
  const otherwise = cursor.takeKeywords('ELSE') ? parseExpression(cursor) : null;
  cursor.expectKeyword('END');
  return { kind: 'case', operand, branches, otherwise, at };
}

function parseSubquery(cursor: Cursor, at: number, mode: 'exists'): Expression {
  cursor.expectSymbol('(');
  const query = parseQuery(cursor);
  cursor.expectSymbol(')');
  return { kind: 'subquery', mode, query, at };
}

/** `(query)`, `(expression)` or `(a, b)`, a struct. */
function parseParenthesis(cursor: Cursor): Expression {
  const at = cursor.expectSymbol('(').at;
  if (cursor.startsQuery()) {
    const query = parseQuery(cursor);
    cursor.expectSymbol(')');
    return { kind: 'subquery', mode: 'scalar', query, at };
  }
  const first = parseExpression(cursor);
  if (first.kind === 'subquery' && first.mode === 'scalar' && continuesQuery(cursor)) {
    const query = continueQuery(cursor, takeAlias(cursor, first.query));
    cursor.expectSymbol(')');
    return { kind: 'subquery', mode: 'scalar', query, at };
  }
  if (cursor.takeSymbol(')')) return first.kind === 'literal' ? { ...first, isParenthesized: true } : first;
  cursor.expectSymbol(',');
  const fields: StructConstructor['fields'] = [first, ...cursor.list(() => parseExpression(cursor))].map(
    (value) => ({
      value,
      alias: null,
    }),
  );
  cursor.expectSymbol(')');
  return { kind: 'struct', type: null, fields, isTuple: true, at };
}

function literal(type: LiteralType, value: string, at: number): Literal {
  return { kind: 'literal', type, value, at };
}
