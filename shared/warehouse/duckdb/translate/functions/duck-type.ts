import type { ScalarTypeName, SqlType } from '../../../../sql/types/sql-type.ts';
import { quoteIdentifier } from '../../quote.ts';
import { SCALAR_TYPES } from '../../store/column-type.ts';
import { type Sql, word } from '../duck/sql.ts';
import { structFieldNames } from '../struct-sql.ts';

const NAMES: Readonly<Record<ScalarTypeName, string>> = { ...SCALAR_TYPES, INTERVAL: 'INTERVAL' };

/** The DuckDB type that holds values of a GoogleSQL type, as CAST and CREATE TABLE take it. */
export function duckType(type: SqlType): Sql {
  return word(duckTypeName(type));
}

/** Whether DuckDB holds values of both types in the same one. */
export function hasSameDuckType(a: SqlType, b: SqlType): boolean {
  return duckTypeName(a) === duckTypeName(b);
}

function duckTypeName(type: SqlType): string {
  if (type.kind === 'ARRAY') return `${duckTypeName(type.element)}[]`;
  if (type.kind !== 'STRUCT') return NAMES[type.kind];
  const names = structFieldNames(type);
  const fields = type.fields.map(
    (field, index) => `${quoteIdentifier(names[index] ?? '')} ${duckTypeName(field.type)}`,
  );
  return `STRUCT(${fields.join(', ')})`;
}
