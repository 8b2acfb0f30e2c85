import type { BinaryOperator, Expression, In, QuantifiedLike, UnaryOperator } from '../ast/expression.ts';
import { ARITHMETIC_LEVELS } from '../ast/operators.ts';
import type { Cursor } from './cursor.ts';
import { parsePostfix } from './parse-postfix.ts';
import { continueQuery, continuesQuery, parseQuery, takeAlias } from './parse-query.ts';

/** Longest chain of one precedence, such as `a + b + …`; AND and OR too. */
const MAX_CHAIN = 500;

const COMPARISONS: Readonly<Record<string, BinaryOperator>> = {
  '=': '=',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** An expression, with the precedences of GoogleSQL's operators (GoogleSQL reference, "Operators"). */
export function parseExpression(cursor: Cursor): Expression {
  return cursor.nested(() =>
    parseChain(cursor, 'OR', () => parseChain(cursor, 'AND', () => parseNot(cursor))),
  );
}

function parseChain(cursor: Cursor, operator: 'AND' | 'OR', parseOperand: () => Expression): Expression {
  let left = parseOperand();
  for (let length = 1; cursor.isKeyword(operator); length++) {
    const at = cursor.next().at;
    checkChain(cursor, length, at);
    left = { kind: 'binary', operator, left, right: parseOperand(), at };
  }
  return left;
}

function checkChain(cursor: Cursor, length: number, at: number): void {
  if (length > MAX_CHAIN)
    throw cursor.error(at, `The query has more than ${MAX_CHAIN} operators in one chain`);
}

function parseNot(cursor: Cursor): Expression {
  if (!cursor.isKeyword('NOT')) return parseComparison(cursor);
  const at = cursor.next().at;
  return cursor.nested(() => ({ kind: 'unary', operator: 'NOT', operand: parseNot(cursor), at }));
}

/** Comparisons do not chain: `a < b < c` is an error. */
function parseComparison(cursor: Cursor): Expression {
  const left = parseArithmetic(cursor, 0);
  const compared = parseComparisonTail(cursor, left);
  if (compared === null) return left;
  if (parseComparisonTail(cursor, compared) !== null) {
    throw cursor.error(compared.at, 'Syntax error: Comparisons do not chain; use parentheses or AND');
  }
  return compared;
}

function parseComparisonTail(cursor: Cursor, operand: Expression): Expression | null {
  const token = cursor.peek();
  const at = token.at;
  const operator = token.kind === 'symbol' ? COMPARISONS[token.value] : undefined;
  if (operator !== undefined) {
    cursor.next();
    return { kind: 'binary', operator, left: operand, right: parseArithmetic(cursor, 0), at };
  }
  if (cursor.takeKeywords('IS')) return parseIs(cursor, operand, at);
  const negated = cursor.isKeyword('NOT') && cursor.isOneOf(['LIKE', 'BETWEEN', 'IN'], 1);
  if (negated) cursor.next();
  if (cursor.takeKeywords('LIKE')) return parseLike(cursor, operand, negated, at);
  if (cursor.takeKeywords('BETWEEN')) {
    const low = parseArithmetic(cursor, 0);
    cursor.expectKeyword('AND');
    return { kind: 'between', operand, low, high: parseArithmetic(cursor, 0), negated, at };
  }
  if (cursor.takeKeywords('IN')) return { kind: 'in', operand, negated, list: parseInList(cursor), at };
  return null;
}

function parseIs(cursor: Cursor, operand: Expression, at: number): Expression {
  const negated = cursor.takeKeywords('NOT');
  if (cursor.takeKeywords('DISTINCT', 'FROM')) {
    const distinct: Expression = {
      kind: 'binary',
      operator: 'IS DISTINCT FROM',
      left: operand,
      right: parseArithmetic(cursor, 0),
      at,
    };
    return negated ? { kind: 'unary', operator: 'NOT', operand: distinct, at } : distinct;
  }
  for (const test of ['NULL', 'TRUE', 'FALSE'] as const) {
    if (cursor.takeKeywords(test)) return { kind: 'is', operand, test, negated, at };
  }
  if (cursor.takeKeywords('UNKNOWN')) return { kind: 'is', operand, test: 'NULL', negated, at };
  throw cursor.unexpected('keyword NULL');
}

function parseLike(cursor: Cursor, operand: Expression, negated: boolean, at: number): Expression {
  if (cursor.isOneOf(['ANY', 'SOME', 'ALL'])) {
    const quantifier = cursor.next().value.toUpperCase() === 'ALL' ? 'ALL' : 'ANY';
    const patterns = parsePatterns(cursor);
    return { kind: 'quantified-like', operand, negated, quantifier, patterns, at };
  }
  const like: Expression = {
    kind: 'binary',
    operator: 'LIKE',
    left: operand,
    right: parseArithmetic(cursor, 0),
    at,
  };
  return negated ? { kind: 'unary', operator: 'NOT', operand: like, at } : like;
}

function parsePatterns(cursor: Cursor): QuantifiedLike['patterns'] {
  const array = parseUnnestedArray(cursor);
  if (array !== null) return { kind: 'array', array };
  cursor.expectSymbol('(');
  if (cursor.startsQuery()) {
    throw cursor.error(
      cursor.peek().at,
      'LIKE ANY, SOME and ALL take no subquery as patterns; write UNNEST(ARRAY(SELECT …))',
    );
  }
  const values = cursor.list(() => parseExpression(cursor));
  cursor.expectSymbol(')');
  return { kind: 'values', values };
}

/** The array of `UNNEST(array)`; null where something else follows. */
function parseUnnestedArray(cursor: Cursor): Expression | null {
  if (!cursor.takeKeywords('UNNEST')) return null;
  cursor.expectSymbol('(');
  const array = parseExpression(cursor);
  cursor.expectSymbol(')');
  return array;
}

function parseInList(cursor: Cursor): In['list'] {
  const array = parseUnnestedArray(cursor);
  if (array !== null) return { kind: 'array', array };
  cursor.expectSymbol('(');
  const list = parseInside(cursor);
  cursor.expectSymbol(')');
  return list;
}

/** A query, in a second pair of parentheses or not, or values; `((SELECT …))` is the query, not one scalar value. */
function parseInside(cursor: Cursor): In['list'] {
  if (cursor.startsQuery()) return { kind: 'query', query: parseQuery(cursor) };
  const first = parseExpression(cursor);
  if (first.kind === 'subquery' && first.mode === 'scalar') {
    if (cursor.isSymbol(')')) return { kind: 'query', query: first.query };
    if (continuesQuery(cursor))
      return { kind: 'query', query: continueQuery(cursor, takeAlias(cursor, first.query)) };
  }
  return {
    kind: 'values',
    values: cursor.takeSymbol(',') ? [first, ...cursor.list(() => parseExpression(cursor))] : [first],
  };
}

/** An expression without comparisons, NOT, AND and OR. */
export function parseOperand(cursor: Cursor): Expression {
  return cursor.nested(() => parseArithmetic(cursor, 0));
}

function parseArithmetic(cursor: Cursor, level: number): Expression {
  const operators = ARITHMETIC_LEVELS[level];
  if (operators === undefined) return parseUnary(cursor);
  let left = parseArithmetic(cursor, level + 1);
  for (let length = 1; ; length++) {
    const operator = operators.find((candidate) => isOperator(cursor, candidate));
    if (operator === undefined) return left;
    const at = cursor.next().at;
    if (operator === '>>') cursor.next();
    checkChain(cursor, length, at);
    left = { kind: 'binary', operator, left, right: parseArithmetic(cursor, level + 1), at };
  }
}

/** `>>` comes from the lexer as two symbols that touch. */
function isOperator(cursor: Cursor, operator: BinaryOperator): boolean {
  if (operator !== '>>') return cursor.isSymbol(operator);
  return cursor.isSymbol('>') && cursor.isSymbol('>', 1) && cursor.peek().end === cursor.peek(1).at;
}

function parseUnary(cursor: Cursor): Expression {
  const token = cursor.peek();
  const operator = (['-', '+', '~'] satisfies UnaryOperator[]).find((sign) => cursor.isSymbol(sign));
  if (operator === undefined) return parsePostfix(cursor);
  cursor.next();
  return cursor.nested(() => ({ kind: 'unary', operator, operand: parseUnary(cursor), at: token.at }));
}
