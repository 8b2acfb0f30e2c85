import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, type Sql } from '../duck/sql.ts';
import { duckType } from './duck-type.ts';

/** A field of a struct by its place, from 0. DuckDB gives a field of a constant that is NULL no type, so that it is cast. */
export function fieldSql(struct: Sql, index: number, type: SqlType): Sql {
  const field = duck`struct_extract_at(${struct}, ${index + 1})`;
  return struct.properties.isConstant ? duck`CAST(${field} AS ${duckType(type)})` : field;
}
