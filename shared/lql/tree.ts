import type { AggregateName, Level, Period, Unit } from './keywords.ts';

/** A query as it was read. Paths are written out: a leading `m.` has become `metadata.`. */
export interface LqlQuery {
  readonly clauses: readonly Clause[];
}

/** Where a clause begins in the text, in UTF-16 units. */
interface Placed {
  readonly at: number;
}

/** `f:source` */
export interface FromClause extends Placed {
  readonly kind: 'from';
  readonly source: string;
}

/** `s:*` */
export interface SelectAllClause extends Placed {
  readonly kind: 'select_all';
}

/** `s:path` and `s:path@alias`; the alias is null where none is written. */
export interface SelectClause extends Placed {
  readonly kind: 'select';
  readonly path: string;
  readonly alias: string | null;
}

/** `c:avg(path)`; the path is null for `*`. */
export interface AggregateClause extends Placed {
  readonly kind: 'aggregate';
  readonly function: AggregateName;
  readonly path: string | null;
}

/** `c:group_by(t::hour)` */
export interface GroupByClause extends Placed {
  readonly kind: 'group_by';
  readonly period: Period;
}

/** A condition on events, or with `-` its complement. */
export interface FilterClause extends Placed {
  readonly kind: 'filter';
  readonly negated: boolean;
  readonly condition: Condition;
}

/** One clause of an LQL query. */
export type Clause =
  | FromClause
  | SelectAllClause
  | SelectClause
  | AggregateClause
  | GroupByClause
  | FilterClause;

/** How a field's value is compared in a filter. */
export type Comparison = '=' | '>' | '>=' | '<' | '<=';

/** A value as it is written, without its quotes; the field decides its type. `at` is where it begins. */
export interface ValueText extends Placed {
  readonly text: string;
}

/** What a filter asks of an event. */
export type Condition =
  | { readonly kind: 'message_contains'; readonly text: string }
  | { readonly kind: 'message_matches'; readonly regex: string }
  | {
      readonly kind: 'compare';
      readonly path: string;
      readonly operator: Comparison;
      readonly value: ValueText;
    }
  | { readonly kind: 'between'; readonly path: string; readonly from: ValueText; readonly to: ValueText }
  | { readonly kind: 'matches'; readonly path: string; readonly regex: string }
  | { readonly kind: 'list_contains'; readonly path: string; readonly value: ValueText }
  | { readonly kind: 'list_matches'; readonly path: string; readonly regex: string }
  | { readonly kind: 'is_null'; readonly path: string }
  | { readonly kind: 'levels'; readonly path: string; readonly from: Level; readonly to: Level }
  | TimeCondition;

/** What a filter asks of an event's timestamp. */
export type TimeCondition =
  | { readonly kind: 'time'; readonly operator: Comparison; readonly point: Instant | NowPoint }
  | { readonly kind: 'time_between'; readonly from: Instant; readonly to: Instant }
  | { readonly kind: 'day'; readonly day: 'today' | 'yesterday' }
  | { readonly kind: 'this'; readonly unit: Unit }
  | { readonly kind: 'last'; readonly count: number; readonly unit: Unit };

/** An instant as it is written; `micros` is what it stands for in UTC, since the epoch: of a date its 00:00:00. */
export interface Instant {
  readonly kind: 'date' | 'datetime' | 'zoned' | 'unix';
  readonly text: string;
  readonly micros: bigint;
}

/** The time of the request, cut to the second. */
export interface NowPoint {
  readonly kind: 'now';
}
