import { describe, expect, test } from '@jest/globals';
import { castAllowed } from '../../../../shared/sql/functions/casts.ts';
import {
  arrayOf,
  BOOL,
  BYTES,
  DATE,
  DATETIME,
  FLOAT64,
  INT64,
  JSON_TYPE,
  type SqlType,
  STRING,
  TIMESTAMP,
  typeText,
} from '../../../../shared/sql/types/sql-type.ts';

const struct = (...types: SqlType[]): SqlType => ({
  kind: 'STRUCT',
  fields: types.map((type) => ({ name: '', type })),
});
const label = ([from, to]: readonly [SqlType, SqlType]) =>
  [`${typeText(from)} AS ${typeText(to)}`, from, to] as const;

describe('Explicit casts', () => {
  const allowed: readonly (readonly [SqlType, SqlType])[] = [
    [INT64, STRING],
    [STRING, TIMESTAMP],
    [TIMESTAMP, DATE],
    [DATE, DATETIME],
    [BOOL, INT64],
    [STRING, BYTES],
    [JSON_TYPE, JSON_TYPE],
    [arrayOf(INT64), arrayOf(FLOAT64)],
    [struct(INT64, DATE), struct(STRING, TIMESTAMP)],
  ];
  const refused: readonly (readonly [SqlType, SqlType])[] = [
    [TIMESTAMP, INT64],
    [INT64, TIMESTAMP],
    [DATE, INT64],
    [BYTES, INT64],
    [BOOL, FLOAT64],
    [STRING, JSON_TYPE],
    [JSON_TYPE, STRING],
    [arrayOf(INT64), STRING],
    [arrayOf(DATE), arrayOf(INT64)],
    [struct(INT64), struct(INT64, INT64)],
    [struct(INT64), INT64],
  ];

  test.each(allowed.map(label))('%s', (_name, from, to) => {
    expect(castAllowed(from, to)).toBe(true);
  });

  test.each(refused.map(label))('not %s', (_name, from, to) => {
    expect(castAllowed(from, to)).toBe(false);
  });
});
