import type { SqlType } from '../../../sql/types/sql-type.ts';
import { quoteIdentifier } from '../quote.ts';
import { structFieldNames } from './encode-row.ts';

/** A struct of values, whose SQL stands in the order of the type's fields. */
export function structSql(type: SqlType, values: readonly string[]): string {
  if (type.kind !== 'STRUCT') throw new TypeError('a struct has a struct type');
  const names = structFieldNames(type);
  return `struct_pack(${values.map((value, index) => `${quoteIdentifier(names[index] ?? '')} := ${value}`).join(', ')})`;
}
