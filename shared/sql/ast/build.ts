import type {
  Argument,
  BinaryOperator,
  Expression,
  FieldAccess,
  FunctionCall,
  Literal,
  LiteralType,
  Name,
  OrderItem,
  Parameter,
  SubqueryExpression,
  Unary,
} from './expression.ts';
import type {
  FromItem,
  GroupBy,
  Join,
  JoinKind,
  Query,
  QueryBody,
  Select,
  SelectItem,
  TablePath,
  TableSubquery,
  Unnest,
} from './query.ts';

/** The place of nodes that stand in no text. */
const at = 0;

/** `first.second.…`: a name, and the fields in it. */
export function path(first: string, ...fields: readonly string[]): Name | FieldAccess {
  return fieldOf({ kind: 'name', name: first, at }, ...fields);
}

/** The field at a path in a value; the value itself where the path is empty. */
export function fieldOf<T extends Expression>(base: T, ...names: readonly string[]): T | FieldAccess {
  return names.reduce<T | FieldAccess>((inner, name) => ({ kind: 'field', base: inner, name, at }), base);
}

/** A literal; `value` is its decoded text or a number's spelling, as in `Literal`. */
export function literal(type: LiteralType, value: string): Literal {
  return { kind: 'literal', type, value, at };
}

/** A whole number that is not negative. */
export function integer(value: number | bigint): Literal {
  return literal('INT64', String(value));
}

/** `@name`; the name is given without its `@`. */
export function parameter(name: string): Parameter {
  return { kind: 'parameter', name, at };
}

/** A call of a function, by its upper-case name. */
export function call(name: string, ...values: readonly Argument[]): FunctionCall {
  const plain = {
    safe: false,
    distinct: false,
    nulls: null,
    having: null,
    orderBy: [],
    limit: null,
    over: null,
  };
  return { kind: 'call', name, arguments: values, ...plain, at };
}

export const COUNT_ALL: FunctionCall = call('COUNT', { kind: 'star', at });

/** `left operator right` */
export function binary(left: Expression, operator: BinaryOperator, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, at };
}

/** One or more conditions between AND; null for none. */
export function allOf(conditions: readonly Expression[]): Expression | null {
  return conditions.length === 0 ? null : conditions.reduce((left, right) => binary(left, 'AND', right));
}

/** `NOT operand` */
export function not(operand: Expression): Unary {
  return { kind: 'unary', operator: 'NOT', operand, at };
}

/** `operand IS NULL` */
export function isNull(operand: Expression): Expression {
  return { kind: 'is', operand, test: 'NULL', negated: false, at };
}

/** `(of)`, `ARRAY(of)` or `EXISTS(of)`: a query as an expression. */
export function subquery(mode: SubqueryExpression['mode'], of: Query): SubqueryExpression {
  return { kind: 'subquery', mode, query: of, at };
}

/** `expression [AS alias]` in a SELECT list. */
export function column(expression: Expression, alias: string | null = null): SelectItem {
  return { kind: 'expression', expression, alias, at };
}

/** `* [REPLACE (…)]`, or the same of a record. */
export function star(
  replace: readonly { readonly name: string; readonly expression: Expression }[] = [],
  base: Expression | null = null,
): SelectItem {
  const modifiers = { except: [], replace: replace.map((one) => ({ ...one, at })), at };
  return base === null ? { kind: 'star', ...modifiers } : { kind: 'dot-star', base, ...modifiers };
}

/** `first.second.… [AS alias]` in FROM: a table, or an array of an item before it. */
export function table(names: readonly string[], alias: string | null = null): TablePath {
  return { kind: 'table', path: names, alias, offset: null, at };
}

/** `UNNEST(array) [AS alias] [WITH OFFSET AS offset]` in FROM. */
export function unnest(array: Expression, alias: string | null, offset: string | null = null): Unnest {
  return { kind: 'unnest', array, alias, offset: offset === null ? null : { alias: offset, at }, at };
}

/** `(of) [AS alias]` in FROM. */
export function tableSubquery(of: Query, alias: string | null = null): TableSubquery {
  return { kind: 'table-subquery', query: of, alias, at };
}

/** `left JOIN right [ON on]`, or `left, right` for COMMA. */
export function join(left: FromItem, kind: JoinKind, right: FromItem, on: Expression | null = null): Join {
  return { kind: 'join', join: kind, left, right, on, using: null, at };
}

/** `SELECT items` with the clauses that are given, and no others. */
export function select(
  items: readonly SelectItem[],
  clauses: Partial<Pick<Select, 'distinct' | 'as' | 'from' | 'where' | 'groupBy'>> = {},
): Select {
  const none = {
    distinct: false,
    as: null,
    from: null,
    where: null,
    groupBy: null,
    having: null,
    qualify: null,
  };
  return { kind: 'select', items, ...none, ...clauses, windows: [], at };
}

/** `GROUP BY key, …` */
export function groupBy(...keys: readonly Expression[]): GroupBy {
  return { kind: 'items', items: keys.map((expression) => ({ kind: 'expression', expression, at })), at };
}

/** A key of ORDER BY. NULLs are first in ascending order and last in descending order. */
export function sortedBy(expression: Expression, descending = false): OrderItem {
  return { expression, descending, nullsFirst: null, at };
}

/** A whole query: `body` with the CTEs, ORDER BY and LIMIT that are given. */
export function query(
  body: QueryBody,
  around: Partial<Pick<Query, 'ctes' | 'orderBy' | 'limit'>> = {},
): Query {
  return { kind: 'query', ctes: [], body, orderBy: [], limit: null, ...around, offset: null, at };
}
