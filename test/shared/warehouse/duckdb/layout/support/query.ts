import type { NamedType, Type } from './types.ts';
import type { Value } from './values.ts';

/** An expression of a made query. */
export type Expr =
  | { readonly op: 'variable'; readonly name: string; readonly type: Type }
  | {
      readonly op: 'field';
      readonly of: Expr;
      readonly index: number;
      readonly name: string;
      readonly type: Type;
    }
  | { readonly op: 'literal'; readonly value: Value; readonly type: Type }
  | { readonly op: 'call'; readonly name: CallName; readonly args: readonly Expr[]; readonly type: Type }
  | {
      readonly op: 'index';
      readonly of: Expr;
      readonly how: IndexKind;
      readonly at: number;
      readonly type: Type;
    }
  | {
      readonly op: 'struct';
      readonly fields: readonly { readonly name: string; readonly value: Expr }[];
      readonly type: Type;
    }
  | { readonly op: SubqueryKind; readonly query: Query; readonly type: Type }
  | { readonly op: 'in'; readonly of: Expr; readonly query: Query; readonly type: Type }
  | {
      readonly op: 'aggregate';
      readonly name: AggregateName;
      readonly arg: Expr | null;
      readonly type: Type;
    };

export type SubqueryKind = 'exists' | 'array' | 'scalar';
export type IndexKind = 'OFFSET' | 'SAFE_OFFSET' | 'ORDINAL' | 'SAFE_ORDINAL';
export type AggregateName = 'COUNT' | 'COUNTIF' | 'COUNT DISTINCT' | 'MIN' | 'MAX' | 'LOGICAL_OR';
export type CallName =
  | '='
  | '!='
  | '<'
  | '>='
  | 'AND'
  | 'OR'
  | 'NOT'
  | 'IS NULL'
  | 'IS NOT NULL'
  | 'IFNULL'
  | 'IF'
  | 'ARRAY_LENGTH'
  | 'CONTAINS'
  | 'STARTS_WITH'
  | 'LENGTH'
  | 'TO_JSON_STRING';

/** A table, a CTE or a subquery in FROM. */
export type Relation =
  | { readonly kind: 'table'; readonly name: string; readonly columns: readonly NamedType[] }
  | { readonly kind: 'cte'; readonly name: string; readonly columns: readonly NamedType[] }
  | { readonly kind: 'derived'; readonly query: Query; readonly columns: readonly NamedType[] };

/** One item of FROM, joined with those before it. The first one has no join. */
export type FromItem =
  | {
      readonly kind: 'relation';
      readonly relation: Relation;
      readonly alias: string;
      readonly join: 'CROSS' | 'INNER' | 'LEFT' | ',';
      readonly on: Expr | null;
    }
  | {
      readonly kind: 'unnest';
      readonly array: Expr;
      readonly alias: string;
      readonly offset: string | null;
      readonly join: 'CROSS' | 'INNER' | 'LEFT' | ',';
      readonly on: Expr | null;
    };

export interface Select {
  readonly from: readonly FromItem[];
  readonly where: Expr | null;
  readonly columns: readonly SelectColumn[];
  /** Whether it aggregates: by the columns that hold no aggregate. */
  readonly isGrouped: boolean;
  readonly isPiped: boolean;
}

export interface SelectColumn {
  readonly name: string;
  readonly value: Expr;
}

export interface OrderKey {
  /** A column of the select list. */
  readonly column: number;
  readonly isDescending: boolean;
}

export interface Query {
  readonly ctes: readonly { readonly name: string; readonly query: Query }[];
  /** More than one are put together by UNION ALL; their columns have the same types. */
  readonly selects: readonly Select[];
  readonly orderBy: readonly OrderKey[];
  readonly limit: number | null;
}

/** The columns that a query's rows have. */
export function columnsOf(query: Query): readonly NamedType[] {
  return (query.selects[0]?.columns ?? []).map(({ name, value }) => ({ name, type: value.type }));
}
