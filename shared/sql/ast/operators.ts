import type { BinaryOperator, UnaryOperator } from './expression.ts';

/** The catalogue's names of the binary operators. */
export const BINARY_FUNCTIONS: Readonly<Record<BinaryOperator, string>> = {
  OR: '$OR',
  AND: '$AND',
  '=': '$EQUAL',
  '!=': '$NOT_EQUAL',
  '<': '$LESS',
  '<=': '$LESS_OR_EQUAL',
  '>': '$GREATER',
  '>=': '$GREATER_OR_EQUAL',
  LIKE: '$LIKE',
  '|': '$BIT_OR',
  '^': '$BIT_XOR',
  '&': '$BIT_AND',
  '<<': '$SHIFT_LEFT',
  '>>': '$SHIFT_RIGHT',
  '+': '$ADD',
  '-': '$SUBTRACT',
  '*': '$MULTIPLY',
  '/': '$DIVIDE',
  '||': '$CONCAT',
  'IS DISTINCT FROM': '$IS_DISTINCT_FROM',
};

export const UNARY_FUNCTIONS: Readonly<Record<Exclude<UnaryOperator, '+'>, string>> = {
  '-': '$UNARY_MINUS',
  '~': '$BIT_NOT',
  NOT: '$NOT',
};

/** Binary operators above the comparisons, loosest first; each level is left-associative. */
export const ARITHMETIC_LEVELS: readonly (readonly BinaryOperator[])[] = [
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['||'],
  ['*', '/'],
];
