import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, joined, lambda, type Sql, textLiteral, word } from '../duck/sql.ts';
import { REFUSAL } from '../not-supported.ts';
import { duckType } from './duck-type.ts';

/** Longest SQL that is written out again instead of being computed once and named, in characters. */
const MAX_REPEATED_LENGTH = 48;
/** The same for constants: written out they are folded, so that filters on them skip row groups. */
const MAX_REPEATED_CONSTANT = 300;

/** What every error that these translations raise begins with, before GoogleSQL's own text. */
export const RAISED_PREFIX = 'GoogleSQL: ';

/**
 * SQL that raises an error when a row reaches it; TRY turns it into NULL. error() would not do: it is volatile, and TRY
 * refuses volatile functions. A cast that cannot succeed raises as well, with the text in its message.
 */
export function raise(message: Sql, type: SqlType): Sql {
  return duck`CAST(gsql_raise(${message}) AS ${duckType(type)})`.raising();
}

/** raise() with a fixed text. */
export function raiseText(message: string, type: SqlType): Sql {
  const raised = raise(textLiteral(message), type);
  return message.startsWith(REFUSAL) ? raised.refusing() : raised;
}

/** `sql`, or an error where a condition holds: it is looked at before anything is computed. */
export function refuseWhere(condition: Sql, message: string, type: SqlType, sql: Sql): Sql {
  return duck`CASE WHEN ${condition} THEN ${raiseText(message, type)} ELSE ${sql} END`;
}

/** SQL of text for an error's message, which quotes no more than the beginning of a long one. */
export function excerpt(sql: Sql): Sql {
  return duck`gsql_excerpt(${sql})`;
}

/**
 * A whole number that DuckDB does not take for a constant: it folds constants while it plans, takes long to make large
 * ones, and cannot be interrupted meanwhile. What is not constant anyway stays as it is. TRY refuses the result.
 */
export function unfolded(sql: Sql): Sql {
  return isFolded(sql) ? duck`(${sql} + CASE WHEN ${VOLATILE} < 0 THEN 1 ELSE 0 END)` : sql;
}

const VOLATILE = word('random()').volatile();

/** Text as DuckDB SQL; chr(0) cannot stand in a statement's text. */
export function textSql(text: string): Sql {
  if (!text.includes('\0')) return textLiteral(text);
  return duck`(${joined(text.split('\0').map(textLiteral), ' || chr(0) || ')})`;
}

/**
 * Names values for a body that uses them more than once. Short SQL is repeated as it is; longer SQL is computed once,
 * so that nested calls do not grow exponentially. The body must not hold subqueries, as it may become a lambda's.
 */
export function withLocals(values: readonly Sql[], body: (...names: Sql[]) => Sql): Sql {
  return compute(values, new Set(values.filter((sql) => !isRepeatable(sql))), body);
}

/** Whether SQL is short enough to be written more than once. */
export function isRepeatable(sql: Sql): boolean {
  if (sql.isAtom || sql.size <= MAX_REPEATED_LENGTH) return true;
  return sql.size <= MAX_REPEATED_CONSTANT && isFolded(sql);
}

/** withLocals() for a body inside TRY: whatever could fail or be a subquery is computed outside of it. */
export function withLocalsOutsideTry(values: readonly Sql[], body: (...names: Sql[]) => Sql): Sql {
  return compute(values, new Set(values.filter((sql) => !sql.isAtom)), body);
}

/**
 * withLocalsOutsideTry() for any body: columns get a name as well. DuckDB computes calls that occur twice before TRY, and does not look for
 * them in lambdas.
 */
export function withNamesOutsideTry(values: readonly Sql[], body: (...names: Sql[]) => Sql): Sql {
  return compute(values, new Set(values.filter((sql) => !sql.isAtom || !isFolded(sql))), body);
}

/** Names values that hold subqueries for a body that is or has a lambda. */
export function withSubqueriesOutside(values: readonly Sql[], body: (...names: Sql[]) => Sql): Sql {
  return compute(values, new Set(values.filter((sql) => sql.properties.hasSubquery)), body);
}

function compute(values: readonly Sql[], long: ReadonlySet<Sql>, body: (...names: Sql[]) => Sql): Sql {
  if (long.size === 0) return body(...values);
  // A lambda's body runs no subqueries, so those are computed outside as well.
  const named = [...new Set(values)].filter((sql) => long.has(sql) || sql.properties.hasSubquery);
  // DuckDB computes a lambda over a constant for all texts of a column that the body has, see copied-text.ts.
  const outside = named.every(isFolded)
    ? [...new Set(values)].filter((sql) => long.has(sql) || !isFolded(sql))
    : named;
  const [only, ...others] = outside;
  if (only !== undefined && others.length === 0) {
    const whole = lambda((variable) => body(...values.map((sql) => (sql === only ? variable : sql))));
    return duck`list_transform([${only}], ${whole})[1]`;
  }
  const fields = outside.map((sql, index) => duck`${fieldName(index)} := ${sql}`);
  const whole = lambda((variable) =>
    body(...values.map((sql) => (outside.includes(sql) ? variable.field(`f${outside.indexOf(sql)}`) : sql))),
  );
  return duck`list_transform([struct_pack(${joined(fields, ', ')})], ${whole})[1]`;
}

const fieldName = (index: number): Sql => word(`f${index}`);

function isFolded({ properties }: Sql): boolean {
  return properties.isConstant && !properties.isVolatile;
}
