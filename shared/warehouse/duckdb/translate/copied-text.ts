import type { SqlType } from '../../../sql/types/sql-type.ts';
import { duck, Sql } from './duck/sql.ts';

/**
 * The value of a column for an expression that may raise an error. DuckDB computes a function of one text column over all texts that a row
 * group has, whichever rows are left of it, unless it knows that the function may raise an error. It does not see that in lambdas and
 * in functions written in JavaScript. A copy has only the texts of the rows that are left.
 */
export function copiedText(sql: Sql, { kind }: SqlType): Sql {
  return kind === 'STRING' || kind === 'BYTES' ? Sql.named(['gsql_copied(', sql, ')']) : sql;
}

/** A list for a lambda that may raise an error. DuckDB computes one over a constant list like a function of the one column that it has. */
export function asOfRow(list: Sql): Sql {
  return list.properties.isConstant ? duck`gsql_of_row(${list})`.volatile() : list;
}
