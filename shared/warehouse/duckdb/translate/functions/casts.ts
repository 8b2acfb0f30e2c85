import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { BOOL, INT64, NUMERIC, sameType, typeText } from '../../../../sql/types/sql-type.ts';
import { duck, identifier, joined, mapped, type Sql } from '../duck/sql.ts';
import { notSupported, REFUSAL } from '../not-supported.ts';
import { structFieldNames } from '../struct-sql.ts';
import { duckType, hasSameDuckType } from './duck-type.ts';
import { fieldSql } from './field-sql.ts';
import { raise, raiseText, withLocals, withLocalsOutsideTry } from './fragments.ts';
import { parseText } from './parse-text.ts';
import { textOf } from './value-text.ts';

/** CAST(value AS type) between types that castAllowed() allows; what cannot be converted raises an error. */
export function translateCast(sql: Sql, from: SqlType, to: SqlType): Sql {
  if (sameType(from, to) && from.kind !== 'STRUCT' && from.kind !== 'ARRAY') return sql;
  if (from.kind === 'ARRAY' || to.kind === 'ARRAY') return castArray(sql, from, to);
  if (from.kind === 'STRUCT' || to.kind === 'STRUCT') return castStruct(sql, from, to);
  if (to.kind === 'STRING') return textOf(sql, from);
  if (from.kind === 'STRING') return parseText(sql, to);
  if (to.kind === 'BIGNUMERIC' || from.kind === 'BIGNUMERIC') return castBigNumeric(sql, from, to);
  switch (to.kind) {
    case 'BOOL':
      return from.kind === 'INT64' ? duck`(${sql} <> 0)` : refuse(from, to);
    case 'INT64':
      return from.kind === 'FLOAT64' ? withLocals([sql], integerOf) : duck`CAST(${sql} AS BIGINT)`;
    case 'FLOAT64':
      // DuckDB divides the digits of a DECIMAL, which may be off by a last bit; reading its text is exact.
      return from.kind === 'NUMERIC'
        ? duck`CAST(CAST(${sql} AS VARCHAR) AS DOUBLE)`
        : duck`CAST(${sql} AS DOUBLE)`;
    case 'NUMERIC':
      return from.kind === 'FLOAT64' ? withLocals([sql], numericOf) : duck`CAST(${sql} AS ${duckType(to)})`;
    case 'DATE':
    case 'TIME':
    case 'DATETIME':
    case 'TIMESTAMP':
      return hasSameDuckType(from, to) ? sql : duck`CAST(${sql} AS ${duckType(to)})`;
    default:
      return refuse(from, to);
  }
}

/** SAFE_CAST: NULL where the value cannot be converted. */
export function translateSafeCast(sql: Sql, from: SqlType, to: SqlType): Sql {
  return withLocalsOutsideTry([sql], (value) => {
    const cast = translateCast(value, from, to);
    if (cast.properties.mayRefuse) throw notSupported(`SAFE_CAST of ${typeText(from)} as ${typeText(to)}`);
    return duck`TRY(${cast})`;
  });
}

/** Halves go away from zero. */
function integerOf(value: Sql): Sql {
  const error = raise(
    duck`'Illegal conversion of non-finite or too large FLOAT64 to INT64: ' || gsql_float_text(${value})`,
    INT64,
  );
  const fits = duck`round(${value}) >= -9223372036854775808.0::DOUBLE AND round(${value}) < 9223372036854775808.0::DOUBLE`;
  return duck`CASE WHEN NOT (${fits}) THEN ${error} ELSE CAST(round(${value}) AS BIGINT) END`;
}

/**
 * Sixty digits after the point hold a value's decimal expansion far beyond the digit that decides the rounding. The
 * FLOAT64 that is called 1e29 is a little less, and fits.
 */
function numericOf(value: Sql): Sql {
  const error = raise(duck`'numeric out of range: ' || gsql_float_text(${value})`, NUMERIC);
  const fits = duck`abs(${value}) <= 1e29::DOUBLE`;
  return duck`CASE WHEN NOT (${fits}) THEN ${error} ELSE CAST(printf('%.60f', ${value}) AS ${duckType(NUMERIC)}) END`;
}

function castBigNumeric(sql: Sql, from: SqlType, to: SqlType): Sql {
  if (from.kind === 'NUMERIC')
    return withLocals([sql], (value) => {
      const refusal = raiseText(`${REFUSAL}BIGNUMERIC with more than 38 digits`, to);
      return duck`CASE WHEN abs(${value}) >= ${10n ** 20n} THEN ${refusal} ELSE CAST(${value} AS ${duckType(to)}) END`;
    });
  if (from.kind === 'INT64' || to.kind === 'NUMERIC' || to.kind === 'INT64') {
    return duck`CAST(${sql} AS ${duckType(to)})`;
  }
  if (from.kind === to.kind) return sql;
  return to.kind === 'FLOAT64' ? duck`CAST(CAST(${sql} AS VARCHAR) AS DOUBLE)` : refuse(from, to);
}

function castArray(sql: Sql, from: SqlType, to: SqlType): Sql {
  if (from.kind !== 'ARRAY' || to.kind !== 'ARRAY') return refuse(from, to);
  if (hasSameDuckType(from, to) && sameType(from, to)) return sql;
  return withLocals([sql], (list) =>
    mapped(list, (element) => translateCast(element, from.element, to.element)),
  );
}

function castStruct(sql: Sql, from: SqlType, to: SqlType): Sql {
  if (from.kind !== 'STRUCT' || to.kind !== 'STRUCT') return refuse(from, to);
  if (hasSameDuckType(from, to)) return sql;
  const names = structFieldNames(to);
  return withLocals([sql], (value) => {
    const fields = to.fields.map((field, index) => {
      const source = from.fields[index]?.type ?? BOOL;
      const cast = translateCast(fieldSql(value, index, source), source, field.type);
      return duck`${identifier(names[index] ?? '')} := ${cast}`;
    });
    return duck`CASE WHEN ${value} IS NOT NULL THEN struct_pack(${joined(fields, ', ')}) END`;
  });
}

function refuse(from: SqlType, to: SqlType): never {
  throw notSupported(`CAST of ${typeText(from)} as ${typeText(to)}`);
}
