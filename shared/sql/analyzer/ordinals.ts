import { nounFor } from '../../errors/noun-for.ts';
import type { Expression, Literal } from '../ast/expression.ts';
import { analysisError, type Environment } from './environment.ts';

const NUMBERS: ReadonlySet<Literal['type']> = new Set(['INT64', 'FLOAT64']);
/** Types of literals that need no type's name. */
const PLAIN: ReadonlySet<Literal['type']> = new Set(['NULL', 'BOOL', 'INT64', 'FLOAT64', 'STRING', 'BYTES']);

/**
 * The literal that an expression is, with the sign before it: a number with a minus, or any number of plus signs before either. A literal with
 * a type's name, as in DATE '2024-01-01', is no plain one.
 */
export function plainLiteral(
  expression: Expression,
): { readonly type: Literal['type']; readonly value: string } | null {
  if (expression.kind === 'literal') return PLAIN.has(expression.type) ? expression : null;
  if (expression.kind !== 'unary') return null;
  const { operator, operand } = expression;
  if (operator === '+') return plainLiteral(operand);
  const isNumber =
    operand.kind === 'literal' && operand.isParenthesized !== true && NUMBERS.has(operand.type);
  return operator === '-' && isNumber ? { type: operand.type, value: `-${operand.value}` } : null;
}

/** Whether an expression is an array or a struct of plain literals, and names no type. */
export function isLiteralList(expression: Expression): boolean {
  const parts =
    expression.kind === 'array' && expression.elementType === null
      ? expression.elements
      : expression.kind === 'struct' && expression.type === null
        ? expression.fields.map(({ value }) => value)
        : null;
  return parts?.every((part) => plainLiteral(part) !== null || isLiteralList(part)) ?? false;
}

/** The position, counted from 0, that a whole number in GROUP BY or ORDER BY means; null for any other expression. */
export function ordinalOf(
  environment: Environment,
  expression: Expression,
  columnCount: number,
  clause: string,
): number | null {
  const literal = plainLiteral(expression);
  if (literal === null && !isLiteralList(expression)) return null;
  if (literal?.type !== 'INT64') {
    throw analysisError(
      environment,
      expression.at,
      `Cannot ${clause} a literal; name a column or its number`,
    );
  }
  const sign = literal.value.startsWith('-') ? -1 : 1;
  const position = sign * Number(literal.value.replace('-', ''));
  if (position >= 1 && position <= columnCount) return position - 1;
  const range = `SELECT has ${columnCount} ${nounFor(columnCount, 'column')}`;
  throw analysisError(
    environment,
    expression.at,
    `${clause} is out of SELECT column number range: ${position}; ${range}`,
  );
}
