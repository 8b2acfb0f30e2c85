import type { SortKey } from '../../../../sql/resolved/scan.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { bind } from './fragments.ts';

/**
 * One key of ORDER BY. GoogleSQL sorts NaN before all numbers and behind NULL, DuckDB behind all numbers; a first key
 * mends that for FLOAT64.
 */
export function sortKeySql(
  sql: string,
  type: SqlType,
  key: Pick<SortKey, 'descending' | 'nullsFirst'>,
): string {
  const direction = key.descending ? 'DESC' : 'ASC';
  const nulls = key.nullsFirst ? 'NULLS FIRST' : 'NULLS LAST';
  const plain = `${sql} ${direction} ${nulls}`;
  if (type.kind !== 'FLOAT64') return plain;
  const isNumber = bind([sql], (value) => `NOT isnan(${value})`);
  return `${isNumber} ${direction} ${nulls}, ${plain}`;
}
