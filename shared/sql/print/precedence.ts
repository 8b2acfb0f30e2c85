import type { BinaryOperator, Expression } from '../ast/expression.ts';
import { ARITHMETIC_LEVELS } from '../ast/operators.ts';

/** How tightly the parts of an expression hold together: the looser has the smaller number. */
export const PRECEDENCE = {
  OR: 1,
  AND: 2,
  NOT: 3,
  COMPARISON: 4,
  ARITHMETIC: 5,
  UNARY: 12,
  PRIMARY: 13,
} as const;

const BINARY: ReadonlyMap<BinaryOperator, number> = new Map([
  ['OR', PRECEDENCE.OR],
  ['AND', PRECEDENCE.AND],
  ...ARITHMETIC_LEVELS.flatMap((operators, level) =>
    operators.map((operator): [BinaryOperator, number] => [operator, PRECEDENCE.ARITHMETIC + level]),
  ),
]);

/** The precedence of an expression's outermost operation; that of a primary expression where it has none. */
export function precedenceOf(expression: Expression): number {
  switch (expression.kind) {
    case 'unary':
      return expression.operator === 'NOT' ? PRECEDENCE.NOT : PRECEDENCE.UNARY;
    case 'binary':
      return BINARY.get(expression.operator) ?? PRECEDENCE.COMPARISON;
    case 'between':
    case 'in':
    case 'quantified-like':
    case 'is':
      return PRECEDENCE.COMPARISON;
    default:
      return PRECEDENCE.PRIMARY;
  }
}
