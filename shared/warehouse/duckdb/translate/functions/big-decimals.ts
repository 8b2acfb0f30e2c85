import { BIGNUMERIC } from '../../../../sql/types/sql-type.ts';
import { duck, mapped, type Sql, textLiteral, word } from '../duck/sql.ts';
import { REFUSAL } from '../not-supported.ts';
import { type AggregateSite, call, first } from './aggregate-site.ts';
import { duckType } from './duck-type.ts';
import { raiseText, withLocals } from './fragments.ts';

/** What can be done with a BIGNUMERIC and another one, or a number of digits. */
export type BigOperation =
  | '+'
  | '-'
  | '*'
  | '/'
  | 'DIV'
  | 'MOD'
  | 'ROUND'
  | 'ROUND_HALF_EVEN'
  | 'TRUNC'
  | 'CEIL'
  | 'FLOOR';

/** An operation on BIGNUMERIC values; one whose result has more digits than the engine keeps is refused. */
export function bigNumeric(left: Sql, operation: BigOperation, right: Sql): Sql {
  return applied('gsql_bignumeric', left, operation, right);
}

/** The same with NULL instead of GoogleSQL's errors. */
export function safeBigNumeric(left: Sql, operation: BigOperation, right: Sql): Sql {
  return applied('gsql_safe_bignumeric', left, operation, right);
}

function applied(name: string, left: Sql, operation: BigOperation, right: Sql): Sql {
  const text = (sql: Sql): Sql => duck`CAST(${sql} AS VARCHAR)`;
  return duck`CAST(${word(name)}(${text(left)}, ${textLiteral(operation)}, ${text(right)}) AS ${duckType(BIGNUMERIC)})`.refusing();
}

/** The sum of BIGNUMERIC values, of whole units and of fractions: DuckDB's own is an error or another number where it is too large. */
export function bigSum(site: AggregateSite): Sql {
  const total = (part: (x: Sql) => Sql): Sql =>
    site.distinct
      ? duck`list_sum(${mapped(call(site, 'list'), part)})`
      : call(site, 'sum', [part(first(site))]);
  const type = duckType(BIGNUMERIC);
  const units = total((x) => duck`CAST(trunc(${x}) AS HUGEINT)`);
  const fractions = total((x) => duck`CAST(${x} - trunc(${x}) AS ${type})`);
  return withLocals([units, fractions], (whole, rest) => {
    const refusal = raiseText(`${REFUSAL}${site.name} of BIGNUMERIC values that are as large`, BIGNUMERIC);
    const isKept = duck`abs(${whole}::DOUBLE) + abs(${rest}::DOUBLE) < 9.9e19::DOUBLE`;
    return duck`CASE WHEN ${isKept} THEN CAST(CAST(${whole} AS ${type}) + ${rest} AS ${type}) WHEN ${whole} IS NOT NULL THEN ${refusal} END`;
  });
}

/** The average of BIGNUMERIC values. */
export function bigAverage(site: AggregateSite): Sql {
  return withLocals(
    [bigSum(site), call(site, 'count')],
    (total, count) => duck`CASE WHEN ${total} IS NOT NULL THEN ${bigNumeric(total, '/', count)} END`,
  );
}
