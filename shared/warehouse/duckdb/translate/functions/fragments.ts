import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { quoteLiteral } from '../../quote.ts';
import { duckType } from './duck-type.ts';

/** Longest SQL that is written out again instead of being computed once and named. */
const MAX_REPEATED_LENGTH = 48;
/** The same for constants: written out they are folded, so that filters on them skip row groups. */
const MAX_REPEATED_CONSTANT = 300;

/** What every error that these translations raise begins with, before GoogleSQL's own text. */
export const RAISED_PREFIX = 'GoogleSQL: ';

/**
 * SQL that raises an error when a row reaches it; TRY turns it into NULL. error() would not do: it is volatile, and TRY
 * refuses volatile functions. A cast that cannot succeed raises as well, with the text in its message.
 */
export function raise(messageSql: string, type: SqlType): string {
  return `CAST(gsql_raise(${messageSql}) AS ${duckType(type)})`;
}

/** raise() with a fixed text. */
export function raiseText(message: string, type: SqlType): string {
  return raise(quoteLiteral(message), type);
}

/** `sql`, or an error where a condition holds: it is looked at before anything is computed. */
export function refuseWhere(condition: string, message: string, type: SqlType, sql: string): string {
  return `CASE WHEN ${condition} THEN ${raiseText(message, type)} ELSE ${sql} END`;
}

/** SQL of text for an error's message, which quotes no more than the beginning of a long one. */
export function excerpt(sql: string): string {
  return `gsql_excerpt(${sql})`;
}

/**
 * A whole number that DuckDB does not take for a constant: it folds constants while it plans, takes long to make large
 * ones, and cannot be interrupted meanwhile. What is not constant anyway stays as it is. TRY refuses the result.
 */
export function unfolded(sql: string): string {
  return isConstant(sql) ? `(${sql} + CASE WHEN ${VOLATILE} < 0 THEN 1 ELSE 0 END)` : sql;
}

const VOLATILE = 'random()';

/** Text as DuckDB SQL; chr(0) cannot stand in a statement's text. */
export function textSql(text: string): string {
  if (!text.includes('\0')) return quoteLiteral(text);
  return `(${text.split('\0').map(quoteLiteral).join(' || chr(0) || ')})`;
}

/**
 * Names values for a body that uses them more than once. Short SQL is repeated as it is; longer SQL is computed once,
 * so that nested calls do not grow exponentially. The body must not hold subqueries, as it may become a lambda's.
 */
export function bind(values: readonly string[], body: (...names: string[]) => string): string {
  const long = values.filter((sql) => !isRepeatable(sql));
  return long.length === 0 ? body(...values) : compute(values, long, body);
}

/** Whether SQL is short enough to be written more than once. */
export function isRepeatable(sql: string): boolean {
  if (isLiteral(sql) || sql.length <= MAX_REPEATED_LENGTH) return true;
  return sql.length <= MAX_REPEATED_CONSTANT && isConstant(sql);
}

/** bind() for a body inside TRY: whatever could fail or be a subquery is computed outside of it. */
export function bindComplex(values: readonly string[], body: (...names: string[]) => string): string {
  const complex = values.filter((sql) => sql.includes('(') && !isLiteral(sql));
  return complex.length === 0 ? body(...values) : compute(values, complex, body);
}

function compute(
  values: readonly string[],
  long: readonly string[],
  body: (...names: string[]) => string,
): string {
  const variable = freshVariable(values);
  // A lambda's body runs no subqueries, so those are computed outside as well.
  const outside = values.filter((sql) => long.includes(sql) || sql.includes('SELECT'));
  if (outside.length === 1) {
    const names = values.map((sql) => (sql === outside[0] ? variable : sql));
    return `list_transform([${outside[0]}], lambda ${variable}: ${body(...names)})[1]`;
  }
  const fields = outside.map((sql, index) => `f${index} := ${sql}`);
  const names = values.map((sql) => (outside.includes(sql) ? `${variable}.f${outside.indexOf(sql)}` : sql));
  return `list_transform([struct_pack(${fields.join(', ')})], lambda ${variable}: ${body(...names)})[1]`;
}

/** Literals stay where they stand: DuckDB prepares constant patterns once. */
function isLiteral(sql: string): boolean {
  return /^'(?:[^']|'')*'(?:::[A-Z]+)?$/.test(sql);
}

/** Whether SQL has no column, lambda variable or subquery. A constant that is not seen as one is only slower. */
function isConstant(sql: string): boolean {
  return !sql.includes(VOLATILE) && isTheSameForAllRows(sql);
}

/** The same for SQL that DuckDB does not fold. */
export function isTheSameForAllRows(sql: string): boolean {
  return !/"|\b[a-z]\d*\b|\bSELECT\b|\blambda\b/.test(sql.replace(/'(?:[^']|'')*'/g, ''));
}

/** A name that no lambda around the values has. */
function freshVariable(values: readonly string[]): string {
  const taken = values.flatMap((sql) => [...sql.matchAll(/\bv(\d+)\b/g)].map((match) => Number(match[1])));
  return `v${Math.max(0, ...taken) + 1}`;
}
