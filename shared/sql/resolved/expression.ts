import type { DatePart } from '../ast/expression.ts';
import type { SqlType } from '../types/sql-type.ts';
import type { ResolvedScan, SortKey } from './scan.ts';

/** A column of a scan. Two columns are the same if their ids are; names may repeat. */
export interface ResolvedColumn {
  readonly id: number;
  readonly name: string;
  readonly type: SqlType;
}

/**
 * A literal's value: INT64 as bigint; TIMESTAMP, DATETIME and TIME as microseconds (bigint); DATE as days since the
 * epoch (bigint); NUMERIC and BIGNUMERIC as their decimal spelling; BYTES as characters U+0000 to U+00FF; INTERVAL as
 * its months, days and microseconds, with spaces between.
 */
export type LiteralValue = string | bigint | number | boolean | null;

/** A constant: a literal of the query's text, or one that analysis or a later pass put there. */
export interface ResolvedLiteral {
  readonly kind: 'literal';
  readonly type: SqlType;
  readonly value: LiteralValue;
  /** The digits of a FLOAT64 as the query has them: NUMERIC and BIGNUMERIC take these rather than the value. */
  readonly digits?: string;
}

/** The value that a column has in the row at hand. */
export interface ColumnReference {
  readonly kind: 'column';
  readonly type: SqlType;
  readonly column: ResolvedColumn;
}

/** A caller's parameter by its name, or one of the service's own, which no text can name. */
export type ParameterName = string | symbol;

/** The value of a query parameter. */
export interface ParameterReference {
  readonly kind: 'parameter';
  readonly type: SqlType;
  readonly name: ParameterName;
}

/**
 * A call of a function or operator. Names are upper case; operators are called `$ADD`, `$EQUAL` and so on, see
 * functions/operators.ts. Arguments have exactly the types of the signature that was chosen, or are left out; those that
 * are given by name come last, in the signature's order, each NULL where the call has none.
 */
export interface ResolvedCall {
  readonly kind: 'call';
  readonly type: SqlType;
  readonly name: string;
  readonly arguments: readonly ResolvedExpression[];
  /** For functions that take one, and for those with INTERVAL, where the count of parts is the last argument. */
  readonly part: Pick<DatePart, 'name' | 'weekday'> | null;
  /** SAFE.name(…): NULL instead of an error. */
  readonly safe: boolean;
}

/** A conversion: CAST, or an implicit one. */
export interface ResolvedCast {
  readonly kind: 'cast';
  readonly type: SqlType;
  readonly operand: ResolvedExpression;
  /** SAFE_CAST */
  readonly safe: boolean;
}

/** The result of the first branch whose condition is TRUE, else `otherwise`; all results have one type. */
export interface ResolvedCase {
  readonly kind: 'case';
  readonly type: SqlType;
  readonly branches: readonly { readonly when: ResolvedExpression; readonly result: ResolvedExpression }[];
  readonly otherwise: ResolvedExpression;
}

/** A field of a struct; NULL where the struct is. */
export interface ResolvedField {
  readonly kind: 'field';
  readonly type: SqlType;
  readonly base: ResolvedExpression;
  /** Position of the field in the base's struct type. */
  readonly index: number;
}

/** An array of elements that all have its element type. */
export interface ResolvedArray {
  readonly kind: 'array';
  readonly type: SqlType;
  readonly elements: readonly ResolvedExpression[];
  /** `[]`, which takes the type of any array that is expected. */
  readonly isUntyped?: true;
}

/** A struct of values, in the order of its type's fields. */
export interface ResolvedStruct {
  readonly kind: 'struct';
  readonly type: SqlType;
  readonly fields: readonly ResolvedExpression[];
}

/**
 * A query as an expression: its value, all values as an array, whether it has rows, or whether a value is among its
 * rows.
 */
export interface ResolvedSubquery {
  readonly kind: 'subquery';
  readonly type: SqlType;
  readonly mode: 'scalar' | 'array' | 'exists' | 'in';
  readonly scan: ResolvedScan;
  /** The one column that is the value; null for `exists`. */
  readonly column: ResolvedColumn | null;
  /** What is looked for, for `in`. */
  readonly operand: ResolvedExpression | null;
}

/** `WITH(name AS value, …, result)`: the columns stand for the values inside the result. */
export interface ResolvedLet {
  readonly kind: 'let';
  readonly type: SqlType;
  readonly variables: readonly { readonly column: ResolvedColumn; readonly value: ResolvedExpression }[];
  readonly result: ResolvedExpression;
}

/** An expression after analysis: names are columns, and every value has a type. */
export type ResolvedExpression =
  | ResolvedLiteral
  | ColumnReference
  | ParameterReference
  | ResolvedCall
  | ResolvedCast
  | ResolvedCase
  | ResolvedField
  | ResolvedArray
  | ResolvedStruct
  | ResolvedSubquery
  | ResolvedLet;

/** An aggregate function's call; `column` is where its result stands. */
export interface ResolvedAggregate {
  readonly column: ResolvedColumn;
  readonly name: string;
  readonly arguments: readonly ResolvedExpression[];
  readonly distinct: boolean;
  readonly nulls: 'IGNORE' | 'RESPECT' | null;
  readonly having: { readonly bound: 'MAX' | 'MIN'; readonly expression: ResolvedExpression } | null;
  readonly orderBy: readonly SortKey[];
  readonly limit: number | null;
}

/** Where a window's frame begins or ends; the offset counts rows, or the units of the sort key. */
export type ResolvedFrameBound =
  | { readonly kind: 'unbounded-preceding' | 'unbounded-following' | 'current-row' }
  | { readonly kind: 'preceding' | 'following'; readonly offset: ResolvedExpression };

/** A window function's or an aggregate's call with OVER. */
export interface ResolvedWindow {
  readonly column: ResolvedColumn;
  readonly name: string;
  readonly arguments: readonly ResolvedExpression[];
  readonly distinct: boolean;
  readonly nulls: 'IGNORE' | 'RESPECT' | null;
  readonly partitionBy: readonly ResolvedExpression[];
  readonly orderBy: readonly SortKey[];
  readonly frame: {
    readonly unit: 'ROWS' | 'RANGE';
    readonly start: ResolvedFrameBound;
    readonly end: ResolvedFrameBound;
  } | null;
}
