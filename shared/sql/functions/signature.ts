import type { SqlType } from '../types/sql-type.ts';

/** A type in a signature: a fixed one, or one that the call's arguments decide. */
export type PatternType =
  | { readonly kind: 'type'; readonly type: SqlType }
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

export interface ArgumentPattern {
  readonly pattern: PatternType;
  readonly optional: boolean;
  /** Any number of them, also none. */
  readonly repeated: boolean;
  /** Set for arguments that are given as `name => value` only. */
  readonly name: string | null;
}

export interface Signature {
  /** For messages: `SUBSTR(STRING, INT64[, INT64])`. */
  readonly text: string;
  readonly arguments: readonly ArgumentPattern[];
  readonly result: PatternType;
  /** Date parts that this signature takes, null if it takes none. WEEK stands for WEEK(<WEEKDAY>) too. */
  readonly parts: readonly string[] | null;
}

/** A built-in function or operator. Signatures stand in order of preference. */
export interface FunctionSpec {
  readonly name: string;
  readonly kind: 'scalar' | 'aggregate' | 'window';
  readonly signatures: readonly Signature[];
  /** Date parts that any of the signatures takes. */
  readonly parts: readonly string[] | null;
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
}
