import type { SqlType } from '../../../sql/types/sql-type.ts';
import { duck, identifier, joined, type Sql } from './duck/sql.ts';
import { notSupported } from './not-supported.ts';

/** A struct of values, whose SQL stands in the order of the type's fields. */
export function structSql(type: SqlType, values: readonly Sql[]): Sql {
  if (type.kind !== 'STRUCT') throw new TypeError('a struct has a struct type');
  if (values.length === 0) throw notSupported('a STRUCT without fields');
  const names = structFieldNames(type);
  return duck`struct_pack(${joined(
    values.map((value, index) => duck`${identifier(names[index] ?? '')} := ${value}`),
    ', ',
  )})`;
}

/** The names of a struct's fields in DuckDB, where each needs one of its own: anonymous ones are `_field_1`, … */
export function structFieldNames(type: Extract<SqlType, { kind: 'STRUCT' }>): readonly string[] {
  const taken = new Set<string>();
  return type.fields.map((field, index) => {
    const wanted = field.name === '' ? `_field_${index + 1}` : field.name;
    const name = taken.has(wanted.toLowerCase()) ? `${wanted}_${index + 1}` : wanted;
    taken.add(name.toLowerCase());
    return name;
  });
}
