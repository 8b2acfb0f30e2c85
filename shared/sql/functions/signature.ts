import type { SqlType } from '../types/sql-type.ts';

/** A type in a signature: a fixed one, or one that the call's arguments decide. */
export type PatternType =
  | {
      readonly kind: 'type';
      readonly type: SqlType;
      /** No value of another type is converted to it. */
      readonly isExact?: true;
      /** Neither a literal nor a parameter, which become values of another type of the function. */
      readonly isComputed?: true;
    }
  /** The same type wherever the same variable stands. */
  | { readonly kind: 'variable'; readonly name: 'T' | 'U' }
  | { readonly kind: 'array-of'; readonly name: 'T' | 'U' }
  /** Any type, and each time another one: the values of FORMAT. */
  | { readonly kind: 'any' }
  /** Only as a result: the ARRAY<STRUCT<value T, count INT64>> of APPROX_TOP_COUNT, `sum` of APPROX_TOP_SUM. */
  | {
      readonly kind: 'weighted';
      readonly name: 'T';
      readonly field: 'count' | 'sum';
      readonly weight: SqlType;
    }
  /** A keyword such as DAY. It is no argument of the resolved call but its `part`. */
  | { readonly kind: 'part'; readonly accepts: readonly string[] }
  /** INTERVAL n part: n stays an INT64 argument in this place, the keyword becomes the resolved call's `part`. */
  | { readonly kind: 'interval'; readonly accepts: readonly string[] };

/** What a signature takes in one place. */
export interface ArgumentPattern {
  readonly pattern: PatternType;
  readonly optional: boolean;
  /** Any number of them, also none. */
  readonly repeated: boolean;
  /** Set for arguments that can be given as `name => value`. */
  readonly name: string | null;
  /** Whether the argument can be given by its place; one with a name often cannot. */
  readonly byPlace: boolean;
  /** The value of a named argument that a call leaves out; null for NULL. */
  readonly fallback: bigint | boolean | string | null;
}

/** One way to call a function: the arguments that it takes, and the type of its result. */
export interface Signature {
  /** For messages: `SUBSTR(STRING, INT64[, INT64])`. */
  readonly text: string;
  readonly arguments: readonly ArgumentPattern[];
  readonly result: PatternType;
  /** Date parts that this signature takes, null if it takes none. WEEK stands for WEEK(<WEEKDAY>) too. */
  readonly parts: readonly string[] | null;
}

/** An argument that is one value for the whole query: a literal or a parameter. */
export interface ConstantArgument {
  readonly index: number;
  readonly least?: number;
  readonly most?: number;
  /** The texts that it may be as a literal; NULL may stand for them. */
  readonly texts?: readonly string[];
}

/** What is known of a function besides its signatures. */
export interface FunctionFacts {
  readonly kind: 'scalar' | 'aggregate' | 'window';
  /** One sentence for somebody who writes a query. */
  readonly description: string;
  /** How messages call it; `function NAME` unless it is given. */
  readonly label?: string;
  readonly allowsDistinct: boolean;
  /** ORDER BY inside the call. */
  readonly allowsOrderBy: boolean;
  readonly allowsLimit: boolean;
  /** IGNORE NULLS and RESPECT NULLS. */
  readonly allowsNulls: boolean;
  /** HAVING MAX and HAVING MIN. */
  readonly allowsHaving: boolean;
  readonly allowsOver: boolean;
  /** Whether OVER must have an ORDER BY. */
  readonly needsOrder: boolean;
  /** Whether OVER may have an ORDER BY. */
  readonly allowsWindowOrder: boolean;
  /** Whether OVER may have a frame. */
  readonly allowsFrame: boolean;
  readonly constantArgument?: ConstantArgument;
  /**
   * Arguments that are the same for all rows, though computed perhaps: the first of them, how far the next one is, if there are others, and
   * whether a literal must not be NULL.
   */
  readonly constantExpressions?: {
    readonly from: number;
    readonly step?: number;
    readonly refusesNull?: true;
  };
  /** What arguments by name must be: literals and parameters, or the same for all rows. */
  readonly options?: 'literal' | 'constant';
  /** Whether the first argument must not be NULL as a literal. */
  readonly refusesNull?: true;
  /** Whether no argument may be NULL by itself, without a type. */
  readonly refusesUntypedNull?: true;
  /** The index of the argument that is a regular expression. */
  readonly patternArgument?: number;
  /** Repeated arguments are pairs of a STRING and a value; so many others stand before and after them. */
  readonly pairs?: { readonly before: number; readonly after: number };
  /** The first argument's type needs an order. */
  readonly needsOrderable?: true;
  /** The argument is a key of GROUP BY, not a value of each row. */
  readonly takesGroupKey?: true;
  /** Has no errors of its own, or its translation makes NULL of them where the call has SAFE. */
  readonly isSafeByItself?: true;
  /** The first argument's values are told apart as GROUP BY does. */
  readonly needsGroupable?: true;
  /** Operands are compared: their type needs an equality, or an order as well. */
  readonly comparesBy?: 'equality' | 'order';
  /** Arguments that are no text are cast to STRING. */
  readonly castsToText?: true;
  /** The text has a few hundred bytes at most, whatever the arguments are. */
  readonly givesShortText?: true;
  /** How the results of parts of the rows become that of all rows. */
  readonly mergedBy?: 'sum' | 'min' | 'max' | 'any';
  /** The value is the present. A query may leave out the parentheses. */
  readonly readsClock?: true;
  /** Has an answer for any values of its arguments, where one that is a pattern is a literal. */
  readonly isTotal?: true;
  /** NULL where any of its arguments is. */
  readonly isStrict?: true;
  /** Values of its arguments may be an error, other than a result too large for its type. Where that depends on the call, its translator says so. */
  readonly raises?: true;
  /** Has no result, only errors: a call may stand where a value of any type does. */
  readonly givesNoValue?: true;
  /** The entry of the call whose only argument is `*`. */
  readonly star?: string;
}

/** A built-in function or operator. Signatures stand in order of preference. */
export interface FunctionSpec extends FunctionFacts {
  readonly name: string;
  readonly label: string;
  readonly signatures: readonly Signature[];
  /** Date parts that any of the signatures takes. */
  readonly parts: readonly string[] | null;
}
