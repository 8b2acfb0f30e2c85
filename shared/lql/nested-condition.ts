import {
  binary,
  call,
  column,
  integer,
  isNull,
  join,
  literal,
  path,
  query,
  select,
  subquery,
  unnest,
} from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import type { FromItem } from '../sql/ast/query.ts';
import type { ResolvedPath } from './resolve-path.ts';

/** A condition that holds where it is TRUE. One that is not nullable can stand after NOT. */
export interface RowCondition {
  readonly expression: Expression;
  readonly isNullable: boolean;
}

/** Some value at the path in `row` meets a condition on it; the elements of repeated records on the way are joined. */
export function anyValue(
  row: string,
  { levels, leaf }: ResolvedPath,
  condition: (leaf: Expression) => Expression,
): RowCondition {
  if (levels.length === 0) return { expression: condition(path(row, ...leaf)), isNullable: true };
  const from = levels
    .map((_, index) => elements(row, levels, index))
    .reduce((left, right) => join(left, 'COMMA', right));
  return exists(from, condition(path(element(row, levels.length), ...leaf)));
}

/**
 * Some value at the path in `row` is null: a record that is missing on the way counts as one. Outer joins keep those, but for
 * the first one, without which there is no row at all.
 */
export function someNull(row: string, { levels, leaf, type }: ResolvedPath): RowCondition {
  const missing = (value: Expression) => (type.kind === 'ARRAY' ? isEmpty(value) : isNull(value));
  const [first] = levels;
  if (first === undefined) return { expression: missing(path(row, ...leaf)), isNullable: false };
  const from = levels
    .map((_, index) => elements(row, levels, index))
    .reduce((left, right) => join(left, 'LEFT', right, literal('BOOL', 'TRUE')));
  const { expression } = exists(from, missing(path(element(row, levels.length), ...leaf)));
  return { expression: binary(isEmpty(path(row, ...first)), 'OR', expression), isNullable: false };
}

/** The elements of a repeated record in those of the level above. */
function elements(row: string, levels: ResolvedPath['levels'], index: number): FromItem {
  return unnest(path(element(row, index), ...(levels[index] ?? [])), element(row, index + 1));
}

function exists(from: FromItem, where: Expression): RowCondition {
  return {
    expression: subquery('exists', query(select([column(integer(1))], { from, where }))),
    isNullable: false,
  };
}

function isEmpty(array: Expression): Expression {
  return binary(call('IFNULL', call('ARRAY_LENGTH', array), integer(0)), '=', integer(0));
}

/** The name of the elements of a level; the row itself is the level above all others. */
function element(row: string, level: number): string {
  return level === 0 ? row : `e${level}`;
}
