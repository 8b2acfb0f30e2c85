import type { Expression, Literal, OrderItem } from './expression.ts';

interface Node {
  readonly at: number;
}

/** One query expression with what stands around it: WITH before, ORDER BY and LIMIT after. */
export interface Query extends Node {
  readonly kind: 'query';
  readonly ctes: readonly Cte[];
  /** WITH RECURSIVE: the CTEs may name each other in any order, and themselves. */
  readonly recursive?: true;
  readonly body: QueryBody;
  readonly orderBy: readonly OrderItem[];
  readonly limit: Expression | null;
  readonly offset: Expression | null;
}

/** A common table expression. */
export interface Cte extends Node {
  readonly name: string;
  readonly query: Query;
}

/** A query without the WITH, ORDER BY and LIMIT around it; one in parentheses has these again. */
export type QueryBody = Select | SetOperation | Query | FromQuery | PipeStep;

/** How the columns of a set operation's queries find each other by their names. */
export interface ColumnMatch {
  readonly syntax: 'BY NAME' | 'CORRESPONDING';
  /** Which columns the result has; null where the text leaves it to the syntax: STRICT by name, INNER for CORRESPONDING. */
  readonly mode: 'INNER' | 'LEFT' | 'FULL' | 'STRICT' | null;
  /** BY NAME ON (…), CORRESPONDING BY (…) */
  readonly on: readonly { readonly name: string; readonly at: number }[] | null;
}

/** A set operation by itself, without the queries. */
export interface SetOperator extends Node {
  readonly operator: 'UNION' | 'INTERSECT' | 'EXCEPT';
  readonly distinct: boolean;
  /** Null where columns go by position. */
  readonly match: ColumnMatch | null;
}

/** Queries whose rows UNION, INTERSECT or EXCEPT combines. */
export interface SetOperation extends SetOperator {
  readonly kind: 'set-operation';
  /** Two or more. */
  readonly inputs: readonly QueryBody[];
}

/** One SELECT with its clauses up to QUALIFY and WINDOW. */
export interface Select extends Node {
  readonly kind: 'select';
  readonly distinct: boolean;
  /** SELECT AS STRUCT, SELECT AS VALUE */
  readonly as: 'STRUCT' | 'VALUE' | null;
  readonly items: readonly SelectItem[];
  readonly from: FromItem | null;
  readonly where: Expression | null;
  readonly groupBy: GroupBy | null;
  readonly having: Expression | null;
  readonly qualify: Expression | null;
  readonly windows: readonly { readonly name: string; readonly spec: WindowSpec; readonly at: number }[];
}

/** `* EXCEPT (name, …) REPLACE (expression AS name, …)`; both lists are empty where they are not written. */
export interface StarModifiers {
  readonly except: readonly { readonly name: string; readonly at: number }[];
  readonly replace: readonly {
    readonly expression: Expression;
    readonly name: string;
    readonly at: number;
  }[];
}

/** One item of a select list: `*`, `base.*`, or `expression [AS alias]`. */
export type SelectItem =
  | ({ readonly kind: 'star'; readonly at: number } & StarModifiers)
  | ({ readonly kind: 'dot-star'; readonly base: Expression; readonly at: number } & StarModifiers)
  | {
      readonly kind: 'expression';
      readonly expression: Expression;
      readonly alias: string | null;
      readonly at: number;
    };

/** The GROUP BY clause: `GROUP BY ALL`, or a list of keys and grouping sets. */
export type GroupBy =
  | { readonly kind: 'all'; readonly at: number }
  | { readonly kind: 'items'; readonly items: readonly GroupItem[]; readonly at: number };

/** One key of GROUP BY, or grouping sets by ROLLUP, CUBE, GROUPING SETS or `()`. */
export type GroupItem =
  | { readonly kind: 'expression'; readonly expression: Expression; readonly at: number }
  | GroupingLists
  /** GROUPING SETS over lists of expressions, `()`, ROLLUP and CUBE. */
  | {
      readonly kind: 'sets';
      readonly sets: readonly (GroupingLists | readonly Expression[])[];
      readonly at: number;
    };

/** ROLLUP and CUBE over lists of expressions. */
export interface GroupingLists extends Node {
  readonly kind: 'rollup' | 'cube';
  readonly sets: readonly (readonly Expression[])[];
}

/** What follows OVER: `(PARTITION BY … ORDER BY … ROWS …)` or the name of a window. */
export interface WindowSpec extends Node {
  /** A window of the WINDOW clause that this one is or builds upon. */
  readonly base: string | null;
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly frame: Frame | null;
}

/** Where a window's frame begins or ends. */
export type FrameBound =
  | { readonly kind: 'unbounded-preceding' | 'unbounded-following' | 'current-row' }
  | { readonly kind: 'preceding' | 'following'; readonly offset: Expression };

/** `ROWS BETWEEN start AND end`, `RANGE BETWEEN start AND end` */
export interface Frame extends Node {
  readonly unit: 'ROWS' | 'RANGE';
  readonly start: FrameBound;
  readonly end: FrameBound;
}

/** How FROM joins two items; COMMA is CROSS written as a comma. */
export type JoinKind = 'CROSS' | 'COMMA' | 'INNER' | 'LEFT' | 'RIGHT' | 'FULL';

/** `left JOIN right ON …` or `USING (…)`; at most one of the two is not null. */
export interface Join extends Node {
  readonly kind: 'join';
  readonly join: JoinKind;
  readonly left: FromItem;
  readonly right: FromItem;
  readonly on: Expression | null;
  readonly using: readonly { readonly name: string; readonly at: number }[] | null;
}

/** A table by name, or an array by its path from a range variable before it: which of them, names decide. */
export interface TablePath extends Node {
  readonly kind: 'table';
  readonly path: readonly string[];
  readonly alias: string | null;
  readonly offset: WithOffset | null;
}

/** `UNNEST(array) [AS alias] [WITH OFFSET [AS alias]]` in FROM. */
export interface Unnest extends Node {
  readonly kind: 'unnest';
  readonly array: Expression;
  readonly alias: string | null;
  readonly offset: WithOffset | null;
}

/** `WITH OFFSET [AS alias]`: a column with each element's position, from 0 on. */
export interface WithOffset extends Node {
  readonly alias: string;
}

/** `(query) [AS alias]` in FROM. */
export interface TableSubquery extends Node {
  readonly kind: 'table-subquery';
  readonly query: Query;
  readonly alias: string | null;
}

/** `PIVOT (aggregate, … FOR input IN (value, …))`: a column for each value and aggregate. */
export interface PivotClause {
  readonly aggregates: readonly AliasedExpression[];
  readonly input: Expression;
  readonly values: readonly AliasedExpression[];
}

/** `expression [AS alias]` within PIVOT. */
export interface AliasedExpression extends Node {
  readonly expression: Expression;
  readonly alias: string | null;
}

/** `UNPIVOT (value FOR name IN (column, …))`: a row for each group of columns. */
export interface UnpivotClause {
  /** Whether rows stay whose values are all NULL; null where the text leaves it open, then they do not. */
  readonly nulls: 'INCLUDE' | 'EXCLUDE' | null;
  /** The names of the new columns for the values. */
  readonly values: readonly string[];
  /** The name of the new column that says where a row's values come from. */
  readonly name: string;
  readonly groups: readonly UnpivotGroup[];
}

/** Columns that give one row together, with what the row's name column says: a STRING or INT64 literal. */
export interface UnpivotGroup extends Node {
  readonly columns: readonly Expression[];
  readonly label: Literal | null;
}

/** An item of FROM with PIVOT after it. */
export interface Pivot extends Node, PivotClause {
  readonly kind: 'pivot';
  readonly from: TablePath | TableSubquery | Unnest;
  readonly alias: string | null;
}

/** An item of FROM with UNPIVOT after it. */
export interface Unpivot extends Node, UnpivotClause {
  readonly kind: 'unpivot';
  readonly from: TablePath | TableSubquery | Unnest;
  readonly alias: string | null;
}

/** A source of rows in FROM; a join of several is one, too. */
export type FromItem = Join | TablePath | Unnest | TableSubquery | Pivot | Unpivot;

/** `FROM …` as a query by itself, the start of pipe syntax. */
export interface FromQuery extends Node {
  readonly kind: 'from-query';
  readonly from: FromItem;
}

/** One step of pipe syntax, `input |> operator`. */
export interface PipeStep extends Node {
  readonly kind: 'pipe';
  readonly input: QueryBody;
  readonly operator: PipeOperator;
}

/** Which way a sort goes. */
export type Direction = Pick<OrderItem, 'descending' | 'nullsFirst'>;

/** A key of AGGREGATE … GROUP BY: an expression with or without an alias, or several grouping sets. */
export type PipeGroupItem =
  | Extract<SelectItem, { kind: 'expression' }>
  | Exclude<GroupItem, { kind: 'expression' }>;

/** What follows `|>` (GoogleSQL reference, "Pipe query syntax"). */
export type PipeOperator =
  | {
      readonly kind: 'select';
      readonly distinct: boolean;
      readonly as: Select['as'];
      readonly items: readonly SelectItem[];
    }
  /** `window` is `extend` of which each item calls a window function. */
  | { readonly kind: 'extend' | 'window'; readonly items: readonly SelectItem[] }
  /** CTEs for the steps after this one. */
  | { readonly kind: 'with'; readonly ctes: readonly Cte[] }
  | {
      readonly kind: 'set';
      readonly items: readonly { readonly name: string; readonly value: Expression; readonly at: number }[];
    }
  | { readonly kind: 'drop'; readonly names: readonly { readonly name: string; readonly at: number }[] }
  | {
      readonly kind: 'rename';
      readonly names: readonly { readonly from: string; readonly to: string; readonly at: number }[];
    }
  | { readonly kind: 'as'; readonly alias: string }
  | { readonly kind: 'where'; readonly condition: Expression }
  | { readonly kind: 'limit'; readonly limit: Expression; readonly offset: Expression | null }
  | { readonly kind: 'distinct' }
  | {
      readonly kind: 'aggregate';
      readonly items: readonly SelectItem[];
      /** ASC or DESC after an item, which sorts by it; null for an item without. */
      readonly itemOrders: readonly (Direction | null)[];
      readonly groupBy: readonly PipeGroupItem[];
      readonly sortGroups: boolean;
      /** The same for each of `groupBy`. */
      readonly keyOrders: readonly (Direction | null)[];
    }
  | ({ readonly kind: 'pivot'; readonly alias: string | null } & PivotClause)
  | ({ readonly kind: 'unpivot'; readonly alias: string | null } & UnpivotClause)
  | { readonly kind: 'order'; readonly orderBy: readonly OrderItem[] }
  | {
      readonly kind: 'join';
      readonly join: JoinKind;
      readonly right: FromItem;
      readonly on: Expression | null;
      readonly using: Join['using'];
    }
  | ({ readonly kind: 'set-operation'; readonly inputs: readonly QueryBody[] } & Omit<SetOperator, 'at'>);
