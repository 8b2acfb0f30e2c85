import type { SortKey } from '../../../../sql/resolved/scan.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, type Sql, word } from '../duck/sql.ts';
import { withLocals } from './fragments.ts';

/**
 * One key of ORDER BY. GoogleSQL sorts NaN before all numbers and after NULL, DuckDB after all numbers; a first key
 * mends that for FLOAT64.
 */
export function sortKeySql(sql: Sql, type: SqlType, key: Pick<SortKey, 'descending' | 'nullsFirst'>): Sql {
  const direction = word(key.descending ? 'DESC' : 'ASC');
  const nulls = word(key.nullsFirst ? 'NULLS FIRST' : 'NULLS LAST');
  const plain = duck`${sql} ${direction} ${nulls}`;
  if (type.kind !== 'FLOAT64') return plain;
  const isNumber = withLocals([sql], (value) => duck`NOT isnan(${value})`);
  return duck`${isNumber} ${direction} ${nulls}, ${plain}`;
}
