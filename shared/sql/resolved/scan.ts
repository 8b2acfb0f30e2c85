import type { ResolvedAggregate, ResolvedColumn, ResolvedExpression, ResolvedWindow } from './expression.ts';

/** A key of ORDER BY; where NULLs go is always said. */
export interface SortKey {
  readonly expression: ResolvedExpression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** A column together with the expression that fills it. */
export interface ComputedColumn {
  readonly column: ResolvedColumn;
  readonly expression: ResolvedExpression;
}

/** A table of the warehouse; `columns` are those of its schema, in order. */
export interface TableScan {
  readonly kind: 'table';
  readonly table: string;
  readonly columns: readonly ResolvedColumn[];
}

/** A use of a CTE; `columns` are new ones, by position those of the definition. */
export interface CteScan {
  readonly kind: 'cte';
  readonly cte: ResolvedCte;
  readonly columns: readonly ResolvedColumn[];
}

/** The rows that the last step of a recursion added, in its recursive term; `columns` are new ones, by position those of the recursion. */
export interface WorkingTableScan {
  readonly kind: 'working-table';
  readonly recursion: number;
  readonly columns: readonly ResolvedColumn[];
}

/** One row without columns: SELECT without FROM. */
export interface SingleRowScan {
  readonly kind: 'single-row';
}

/** The rows for which the condition is TRUE, and neither FALSE nor NULL. */
export interface FilterScan {
  readonly kind: 'filter';
  readonly input: ResolvedScan;
  readonly condition: ResolvedExpression;
}

/** Adds computed columns to those of its input. */
export interface ProjectScan {
  readonly kind: 'project';
  readonly input: ResolvedScan;
  readonly computed: readonly ComputedColumn[];
}

/**
 * One row for each element of an array that the input's rows have. `outer` keeps rows without elements, with NULL.
 * The rows of `input` are all that the array may refer to, and what surrounds the query.
 */
export interface UnnestScan {
  readonly kind: 'unnest';
  readonly input: ResolvedScan;
  readonly array: ResolvedExpression;
  readonly element: ResolvedColumn;
  readonly offset: ResolvedColumn | null;
  readonly outer: boolean;
}

/**
 * The pairs of rows that meet the condition, with the rows of an outer side that meet none; where the condition is null,
 * all pairs.
 */
export interface JoinScan {
  readonly kind: 'join';
  readonly join: 'CROSS' | 'INNER' | 'LEFT' | 'RIGHT' | 'FULL';
  readonly left: ResolvedScan;
  readonly right: ResolvedScan;
  readonly condition: ResolvedExpression | null;
}

/** `sets` are the grouping sets, as positions in `keys`; null groups by all keys. */
export interface AggregateScan {
  readonly kind: 'aggregate';
  readonly input: ResolvedScan;
  readonly keys: readonly ComputedColumn[];
  readonly sets: readonly (readonly number[])[] | null;
  readonly aggregates: readonly ResolvedAggregate[];
}

/** Adds a column to its input for each call with OVER. */
export interface WindowScan {
  readonly kind: 'window';
  readonly input: ResolvedScan;
  readonly windows: readonly ResolvedWindow[];
}

/** The rows in the order of the keys. */
export interface OrderScan {
  readonly kind: 'order';
  readonly input: ResolvedScan;
  readonly keys: readonly SortKey[];
}

/** The first `limit` rows after the first `offset`. */
export interface LimitScan {
  readonly kind: 'limit';
  readonly input: ResolvedScan;
  /** INT64 literals or parameters. */
  readonly limit: ResolvedExpression;
  readonly offset: ResolvedExpression | null;
}

/** The rows of several inputs, combined column by column. */
export interface SetOperationScan {
  readonly kind: 'set-operation';
  readonly operator: 'UNION' | 'INTERSECT' | 'EXCEPT';
  readonly distinct: boolean;
  /** Each input with the columns that count, in the order of `columns`. */
  readonly inputs: readonly { readonly scan: ResolvedScan; readonly columns: readonly ResolvedColumn[] }[];
  readonly columns: readonly ResolvedColumn[];
  /**
   * Set for the query of a recursive CTE: the id by which its working table names it. It is a UNION of two inputs. The second, the
   * recursive term, reads what the last step added, again and again until nothing is new.
   */
  readonly recursion?: number;
}

/** Rows of a query after analysis, and how they come about. */
export type ResolvedScan =
  | TableScan
  | CteScan
  | WorkingTableScan
  | SingleRowScan
  | FilterScan
  | ProjectScan
  | UnnestScan
  | JoinScan
  | AggregateScan
  | WindowScan
  | OrderScan
  | LimitScan
  | SetOperationScan;

/** A common table expression, resolved once and used by any number of scans. */
export interface ResolvedCte {
  /** Unique in the whole query. */
  readonly id: number;
  readonly name: string;
  readonly scan: ResolvedScan;
  readonly columns: readonly ResolvedColumn[];
}

/** A column as its query shows it to the outside; anonymous ones have an empty name. */
export interface OutputColumn {
  readonly name: string;
  readonly column: ResolvedColumn;
  /**
   * For a column of a pipe query that is a whole row of FROM, such as the elements of an array: `*` takes the row's fields in its
   * place, and, for `fields`, names find them as well.
   */
  readonly row?: 'star' | 'fields';
  /** The literal that the select list has for it, or array or struct of literals, which takes the type of others in a set operation. */
  readonly literal?: ResolvedExpression;
}

/** A whole query: its rows and which columns of them it answers. */
export interface ResolvedQuery {
  readonly scan: ResolvedScan;
  readonly columns: readonly OutputColumn[];
  /** SELECT AS STRUCT and AS VALUE: the one column is the row itself. */
  readonly isValueTable: boolean;
}
