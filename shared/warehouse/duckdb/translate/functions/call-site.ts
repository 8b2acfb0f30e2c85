import type { CheckedRe2 } from '../../../../re2/check-re2.ts';
import type { ResolvedCall } from '../../../../sql/resolved/expression.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, joined, type Sql, word } from '../duck/sql.ts';

/** What the SQL of a call may depend on besides its arguments. */
export interface CallContext {
  /** SQL of the request's clock, a TIMESTAMP. */
  readonly now: () => Sql;
  /** Reads a regular expression; one text is checked once, however often it is asked for. */
  readonly checkRe2: (pattern: string) => CheckedRe2;
  /** Whether there may be a subquery where the call is. */
  readonly runsSubqueries: boolean;
}

/** A call with the SQL of its arguments. */
export interface CallSite extends Omit<ResolvedCall, 'kind'> {
  readonly sql: readonly Sql[];
  readonly context: CallContext;
}

/** DuckDB SQL that computes a call; throws notSupported() for arguments that DuckDB has no exact answer for. */
export type CallTranslator = (site: CallSite) => Sql;

/** Translators by the name that a resolved call has. */
export type CallTranslators = Readonly<Record<string, CallTranslator>>;

/** The SQL of the argument at an index; the resolved call has one there. */
export function argument(site: CallSite, index: number): Sql {
  const sql = site.sql[index];
  if (sql === undefined) throw new TypeError(`${site.name} has no argument ${index}`);
  return sql;
}

/** The type of the argument at an index. */
export function argumentType(site: CallSite, index: number): SqlType {
  const type = site.arguments[index]?.type;
  if (type === undefined) throw new TypeError(`${site.name} has no argument ${index}`);
  return type;
}

/** The value of an argument that is a literal and not NULL; undefined for anything else. */
export function literalValue(site: CallSite, index: number): string | bigint | number | boolean | undefined {
  const expression = site.arguments[index];
  return expression?.kind === 'literal' ? (expression.value ?? undefined) : undefined;
}

/** Whether an argument that can be left out is, or is NULL as a literal, which stands for that. */
export function isOmitted(site: CallSite, index: number): boolean {
  const expression = site.arguments[index];
  return expression === undefined || (expression.kind === 'literal' && expression.value === null);
}

/** The same function under another DuckDB name: `name(a, b, …)`. */
export function direct(name: string): CallTranslator {
  const called = word(name);
  return ({ sql }) => duck`${called}(${joined(sql, ', ')})`;
}

/** Whether an argument is NULL, of a type or without one. */
export function isNullArgument(site: CallSite, index: number): boolean {
  const expression = site.arguments[index];
  const value = expression?.kind === 'cast' ? expression.operand : expression;
  return value?.kind === 'literal' && value.value === null;
}
