import { quoteLiteral } from '../../../shared/warehouse/duckdb/quote.ts';

/** A number per entry that looks random and is the same in every run; `salt` tells the values of one entry apart. */
export function noise(salt: number): string {
  return `hash(i, ${salt})`;
}

/** One of the texts; one that stands there more than once comes more often. */
export function pick(salt: number, texts: readonly string[]): string {
  return pickSql(salt, texts.map(quoteLiteral));
}

/** One of the numbers. */
export function pickNumber(salt: number, numbers: readonly number[]): string {
  return pickSql(salt, numbers.map(String));
}

/** A whole number from 0 up to, without, `size`. */
export function below(salt: number, size: number): string {
  return `CAST(${noise(salt)} % ${size} AS BIGINT)`;
}

/** True for about `perMille` of a thousand entries. */
export function chance(salt: number, perMille: number): string {
  return `(${noise(salt)} % 1000 < ${perMille})`;
}

/** A made UUID. */
export function uuid(salt: number): string {
  return `CAST(CAST(md5(concat(i, ':', ${salt})) AS UUID) AS VARCHAR)`;
}

/** Sixteen hexadecimal digits. */
export function hex(salt: number): string {
  return `lower(lpad(to_hex(${noise(salt)}), 16, '0'))`;
}

function pickSql(salt: number, list: readonly string[]): string {
  return `([${list.join(', ')}])[1 + CAST(${noise(salt)} % ${list.length} AS INTEGER)]`;
}
