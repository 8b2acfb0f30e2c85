import type { ScalarTypeName, SqlType } from '../../../../sql/types/sql-type.ts';
import { quoteIdentifier } from '../../quote.ts';
import { SCALAR_TYPES } from '../../store/column-type.ts';
import { structFieldNames } from '../encode-row.ts';

const NAMES: Readonly<Record<ScalarTypeName, string>> = { ...SCALAR_TYPES, INTERVAL: 'INTERVAL' };

/** The DuckDB type that holds values of a GoogleSQL type, as CAST and CREATE TABLE take it. */
export function duckType(type: SqlType): string {
  if (type.kind === 'ARRAY') return `${duckType(type.element)}[]`;
  if (type.kind !== 'STRUCT') return NAMES[type.kind];
  const names = structFieldNames(type);
  const fields = type.fields.map(
    (field, index) => `${quoteIdentifier(names[index] ?? '')} ${duckType(field.type)}`,
  );
  return `STRUCT(${fields.join(', ')})`;
}
