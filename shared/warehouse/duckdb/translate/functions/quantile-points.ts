import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, type Sql, typedLiteral } from '../duck/sql.ts';

/** Digits of a point after its own; DuckDB multiplies them with the number of rows as HUGEINT. */
const DIGITS = 28;
const ONE = 10n ** BigInt(DIGITS);

/**
 * The point of a quantile as a DECIMAL, with which DuckDB's discrete quantiles count exactly. `numerator / denominator` is the point;
 * what has more digits is rounded up, since the quantile is the first value of which at least that part of the rows is not after it.
 */
export function quantilePoint(numerator: bigint, denominator: bigint): bigint {
  return (numerator * ONE + denominator - 1n) / denominator;
}

/** The point of a FLOAT64, by its exact value. */
export function pointOfFloat(value: number): bigint {
  let denominator = 1n;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    denominator *= 2n;
  }
  return quantilePoint(BigInt(scaled), denominator);
}

/** The point from the other end: the same row where the order of rows is turned round. */
export function pointFromEnd(point: bigint): bigint {
  return point === 0n ? ONE : ONE - point + 1n;
}

/** The point as SQL: a number with a point is a DECIMAL. */
export function pointSql(point: bigint): Sql {
  const digits = point.toString().padStart(DIGITS + 1, '0');
  const fraction = digits.slice(-DIGITS).replace(/0+$/, '');
  return typedLiteral(`${digits.slice(0, -DIGITS)}.${fraction === '' ? '0' : fraction}`);
}

/** A value as one that is never NULL, which sorts as GoogleSQL does: NULL before NaN before all others. Its field `v` has the value. */
export function nullsFirst(value: Sql, type: SqlType): Sql {
  return type.kind === 'FLOAT64'
    ? duck`struct_pack(n := ${value} IS NOT NULL, f := NOT isnan(${value}), v := ${value})`
    : duck`struct_pack(n := ${value} IS NOT NULL, v := ${value})`;
}
