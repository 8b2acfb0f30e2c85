import type { Argument, Expression, In } from './expression.ts';
import type {
  FrameBound,
  FromItem,
  GroupBy,
  GroupItem,
  PipeOperator,
  Query,
  QueryBody,
  SelectItem,
} from './query.ts';
import type { TypeName } from './type-name.ts';

/** Every object of a query's tree that has a kind. */
export type TreeNode =
  | Query
  | QueryBody
  | SelectItem
  | GroupBy
  | GroupItem
  | FrameBound
  | FromItem
  | PipeOperator
  | Expression
  | Argument
  | In['list']
  | TypeName;

/** All kinds that a tree may hold: a new one has to be considered here before a consumer's query may use it. */
const KINDS: Readonly<Record<TreeNode['kind'], true>> = {
  query: true,
  select: true,
  'set-operation': true,
  'from-query': true,
  pipe: true,
  star: true,
  'dot-star': true,
  expression: true,
  all: true,
  items: true,
  rollup: true,
  cube: true,
  sets: true,
  'unbounded-preceding': true,
  'unbounded-following': true,
  'current-row': true,
  preceding: true,
  following: true,
  join: true,
  table: true,
  unnest: true,
  'table-subquery': true,
  pivot: true,
  unpivot: true,
  extend: true,
  window: true,
  with: true,
  set: true,
  drop: true,
  rename: true,
  as: true,
  where: true,
  limit: true,
  distinct: true,
  aggregate: true,
  order: true,
  literal: true,
  parameter: true,
  name: true,
  field: true,
  subscript: true,
  unary: true,
  binary: true,
  between: true,
  in: true,
  'quantified-like': true,
  is: true,
  case: true,
  cast: true,
  extract: true,
  interval: true,
  array: true,
  struct: true,
  subquery: true,
  call: true,
  'with-expression': true,
  'named-argument': true,
  lambda: true,
  'date-part': true,
  values: true,
  scalar: true,
};

/**
 * Everything in a query's tree, the query itself first. It follows every property of every object, so that no part of
 * the grammar can be left out, and throws a TypeError for a kind that it does not know.
 */
export function* walkQuery(query: Query): Generator<{ readonly node: TreeNode }, void, undefined> {
  const open: unknown[] = [query];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isTreeNode(value)) yield { node: value };
    open.push(...Object.values(value).reverse());
  }
}

function isTreeNode(value: object): value is TreeNode {
  if (!('kind' in value)) return false;
  if (!Object.hasOwn(KINDS, String(value.kind)))
    throw new TypeError(`node ${String(value.kind)} is not known`);
  return true;
}
