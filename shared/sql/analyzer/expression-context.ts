import type { Expression } from '../ast/expression.ts';
import type { WindowSpec } from '../ast/query.ts';
import type { ResolvedAggregate, ResolvedExpression, ResolvedWindow } from '../resolved/expression.ts';
import type { Environment } from './environment.ts';
import type { Aliases, Scope } from './scope.ts';

/** Collects the aggregate or window functions that stand in a query's expressions. */
export interface Collector<T> {
  readonly found: T[];
}

export const NO_ALIASES: Aliases = new Map();

/** Resolves an expression where another one stands: what a leaf of the resolver is given for the parts of its own. */
export type Resolve = (expression: Expression) => ResolvedExpression;

/** Where an expression stands: the names it may use, and whether aggregates and window functions are allowed. */
export interface ExpressionContext {
  readonly environment: Environment;
  readonly scope: Scope;
  /** Come before the names of FROM. */
  readonly aliases: Aliases;
  readonly aggregates: Collector<ResolvedAggregate> | null;
  readonly windows: Collector<ResolvedWindow> | null;
  /** For messages: `WHERE clause`. */
  readonly clause: string;
  /** The windows of the WINDOW clause by lower-case name. */
  readonly namedWindows: ReadonlyMap<string, WindowSpec>;
}

/** The context of a clause in which only plain expressions may stand. */
export function plainContext(environment: Environment, scope: Scope, clause: string): ExpressionContext {
  return {
    environment,
    scope,
    aliases: NO_ALIASES,
    aggregates: null,
    windows: null,
    clause,
    namedWindows: new Map(),
  };
}
