import type { Query, WindowSpec } from './query.ts';
import type { TypeName } from './type-name.ts';

/** Every node knows the offset in the query's text that an error about it points at. */
interface Node {
  readonly at: number;
}

/** The type of a literal, known from its spelling or from the word before it; `NULL` is a literal that takes any type. */
export type LiteralType =
  | 'STRING'
  | 'BYTES'
  | 'INT64'
  | 'FLOAT64'
  | 'BOOL'
  | 'NULL'
  | 'NUMERIC'
  | 'BIGNUMERIC'
  | 'DATE'
  | 'DATETIME'
  | 'TIME'
  | 'TIMESTAMP'
  | 'JSON'
  | 'INTERVAL';

/** A literal; `value` is its decoded text, or the number's spelling. `TIMESTAMP '…'` and the like carry their type. */
export interface Literal extends Node {
  readonly kind: 'literal';
  readonly type: LiteralType;
  readonly value: string;
  /** `-1` is a literal, and `-(1)` a call. */
  readonly isParenthesized?: true;
}

/** `@name`; the name is without its `@`. */
export interface Parameter extends Node {
  readonly kind: 'parameter';
  readonly name: string;
}

/** The first name of a path: a range variable, a column, or a nested field by itself. */
export interface Name extends Node {
  readonly kind: 'name';
  readonly name: string;
}

/** `base.name`: a field of a struct or of JSON, or a column of a range variable. */
export interface FieldAccess extends Node {
  readonly kind: 'field';
  readonly base: Expression;
  readonly name: string;
}

/** How a subscript finds an element: by the words of `[OFFSET(0)]` and the like, `plain` without one. */
export type SubscriptMode =
  | 'plain'
  | 'offset'
  | 'safe_offset'
  | 'ordinal'
  | 'safe_ordinal'
  | 'key'
  | 'safe_key';

/** `base[index]`, `base[OFFSET(index)]` */
export interface Subscript extends Node {
  readonly kind: 'subscript';
  readonly base: Expression;
  readonly index: Expression;
  readonly mode: SubscriptMode;
}

/** An operator before its operand. */
export type UnaryOperator = '-' | '+' | '~' | 'NOT';

/** `-x`, `NOT x` */
export interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** An operator between two operands. `<>` is `!=`, and negated forms are NOT of the plain ones. */
export type BinaryOperator =
  | 'OR'
  | 'AND'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'LIKE'
  | '|'
  | '^'
  | '&'
  | '<<'
  | '>>'
  | '+'
  | '-'
  | '*'
  | '/'
  | '||'
  | 'IS DISTINCT FROM';

/** `x + y`, `x AND y` */
export interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `x [NOT] BETWEEN low AND high`, both bounds included. */
export interface Between extends Node {
  readonly kind: 'between';
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
  readonly negated: boolean;
}

/** `x IN (…)`, `x IN UNNEST(array)`, `x IN (SELECT …)` */
export interface In extends Node {
  readonly kind: 'in';
  readonly operand: Expression;
  readonly negated: boolean;
  readonly list:
    | { readonly kind: 'values'; readonly values: readonly Expression[] }
    | { readonly kind: 'array'; readonly array: Expression }
    | { readonly kind: 'query'; readonly query: Query };
}

/** `x LIKE ANY (…)`, `x LIKE ALL UNNEST(array)` */
export interface QuantifiedLike extends Node {
  readonly kind: 'quantified-like';
  readonly operand: Expression;
  readonly negated: boolean;
  readonly quantifier: 'ANY' | 'ALL';
  readonly patterns: Exclude<In['list'], { readonly kind: 'query' }>;
}

/** `x IS [NOT] NULL`, TRUE, FALSE or UNKNOWN */
export interface Is extends Node {
  readonly kind: 'is';
  readonly operand: Expression;
  readonly test: 'NULL' | 'TRUE' | 'FALSE';
  readonly negated: boolean;
}

/** `CASE [operand] WHEN … THEN … [ELSE …] END`; without ELSE, `otherwise` is null. */
export interface Case extends Node {
  readonly kind: 'case';
  readonly operand: Expression | null;
  readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
  readonly otherwise: Expression | null;
}

/** `CAST(x AS type [FORMAT format [AT TIME ZONE zone]])`; `safe` for SAFE_CAST. */
export interface Cast extends Node {
  readonly kind: 'cast';
  readonly operand: Expression;
  readonly type: TypeName;
  readonly safe: boolean;
  readonly format: Expression | null;
  readonly zone: Expression | null;
}

/** `EXTRACT(part FROM x [AT TIME ZONE zone])` */
export interface Extract extends Node {
  readonly kind: 'extract';
  readonly part: DatePart;
  readonly operand: Expression;
  readonly zone: Expression | null;
}

/** A date part as it stands in a call: `DAY`, `WEEK(MONDAY)`. Names are upper case. */
export interface DatePart extends Node {
  readonly kind: 'date-part';
  readonly name: string;
  readonly weekday: string | null;
}

/** `INTERVAL value part` or `INTERVAL 'text' part TO part` */
export interface IntervalExpression extends Node {
  readonly kind: 'interval';
  readonly value: Expression;
  readonly from: string;
  readonly to: string | null;
}

/** `[a, b]`, `ARRAY<T>[a, b]` */
export interface ArrayConstructor extends Node {
  readonly kind: 'array';
  readonly elementType: TypeName | null;
  readonly elements: readonly Expression[];
}

/** `STRUCT(a AS x)`, `STRUCT<T>(a)`, `(a, b)` */
export interface StructConstructor extends Node {
  readonly kind: 'struct';
  readonly type: TypeName | null;
  readonly fields: readonly { readonly value: Expression; readonly alias: string | null }[];
  /** Written `(a, b)`, without the word STRUCT. */
  readonly isTuple?: true;
}

/** `(SELECT …)`, `ARRAY(SELECT …)`, `EXISTS(SELECT …)` */
export interface SubqueryExpression extends Node {
  readonly kind: 'subquery';
  readonly mode: 'scalar' | 'array' | 'exists';
  readonly query: Query;
}

/** A key of ORDER BY: `expression [ASC | DESC] [NULLS FIRST | NULLS LAST]`. */
export interface OrderItem extends Node {
  readonly expression: Expression;
  readonly descending: boolean;
  /** Null where the text leaves it to the direction: first ascending, last descending. */
  readonly nullsFirst: boolean | null;
}

/** `name => value` in a call; the name is in lower case. */
export interface NamedArgument extends Node {
  readonly kind: 'named-argument';
  readonly name: string;
  readonly value: Expression;
}

/** `x -> body` or `(x, y) -> body` in a call. */
export interface Lambda extends Node {
  readonly kind: 'lambda';
  readonly parameters: readonly string[];
  readonly body: Expression;
}

/** The `*` of `COUNT(*)`. */
export interface Star extends Node {
  readonly kind: 'star';
}

/** What may stand between the parentheses of a call. */
export type Argument = Expression | NamedArgument | Lambda | Star | DatePart;

/**
 * `name([DISTINCT] … [IGNORE NULLS] [HAVING MAX x] [ORDER BY …] [LIMIT n]) [OVER window]`; the modifiers are for
 * aggregates and window functions.
 */
export interface FunctionCall extends Node {
  readonly kind: 'call';
  /** Upper case, with its namespace: `NET.HOST`. `SAFE.` is not part of it. */
  readonly name: string;
  readonly safe: boolean;
  readonly arguments: readonly Argument[];
  readonly distinct: boolean;
  readonly nulls: 'IGNORE' | 'RESPECT' | null;
  readonly having: { readonly bound: 'MAX' | 'MIN'; readonly expression: Expression } | null;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly over: WindowSpec | null;
}

/** `WITH(name AS expression, …, result)` */
export interface WithExpression extends Node {
  readonly kind: 'with-expression';
  readonly variables: readonly { readonly name: string; readonly value: Expression }[];
  readonly result: Expression;
}

/** Any expression of GoogleSQL that the parser reads. */
export type Expression =
  | Literal
  | Parameter
  | Name
  | FieldAccess
  | Subscript
  | Unary
  | Binary
  | Between
  | In
  | QuantifiedLike
  | Is
  | Case
  | Cast
  | Extract
  | IntervalExpression
  | ArrayConstructor
  | StructConstructor
  | SubqueryExpression
  | FunctionCall
  | WithExpression;
