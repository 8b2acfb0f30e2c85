import type { SortKey } from '../../../../sql/resolved/scan.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, type Sql, word } from '../duck/sql.ts';
import { withLocals } from './fragments.ts';

/**
 * One key of ORDER BY. GoogleSQL sorts NaN before all numbers and after NULL, DuckDB after all numbers; a first key
 * mends that for FLOAT64.
 */
export function sortKeySql(sql: Sql, type: SqlType, key: Pick<SortKey, 'descending' | 'nullsFirst'>): Sql {
  const plain = plainSortKey(sql, key);
  if (type.kind !== 'FLOAT64') return plain;
  const isNumber = withLocals([sql], (value) => duck`NOT isnan(${value})`);
  return duck`${plainSortKey(isNumber, key)}, ${plain}`;
}

/** One key of ORDER BY in DuckDB's order, which has NaN after all numbers. */
export function plainSortKey(sql: Sql, key: Pick<SortKey, 'descending' | 'nullsFirst'>): Sql {
  const direction = word(key.descending ? 'DESC' : 'ASC');
  return duck`${sql} ${direction} ${word(key.nullsFirst ? 'NULLS FIRST' : 'NULLS LAST')}`;
}
