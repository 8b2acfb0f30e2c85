import type { SqlType } from '../../../sql/types/sql-type.ts';
import { duck, identifier, joined, type Sql } from './duck/sql.ts';
import { structFieldNames } from './encode-row.ts';

/** A struct of values, whose SQL stands in the order of the type's fields. */
export function structSql(type: SqlType, values: readonly Sql[]): Sql {
  if (type.kind !== 'STRUCT') throw new TypeError('a struct has a struct type');
  const names = structFieldNames(type);
  return duck`struct_pack(${joined(
    values.map((value, index) => duck`${identifier(names[index] ?? '')} := ${value}`),
    ', ',
  )})`;
}
