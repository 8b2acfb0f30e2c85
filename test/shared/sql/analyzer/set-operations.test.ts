import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

describe('a set operation', () => {
  test.each<[string, string]>([
    ['select 1 a union all select 2.5 b', 'a FLOAT64'],
    ['select null a union all select "x"', 'a STRING'],
    ['select null a union all select null', 'a INT64'],
    ['select "2020-01-01" d union all select date "2020-01-01"', 'd DATE'],
    ['select timestamp from auth_logs union all select "2020-01-01"', 'timestamp TIMESTAMP'],
    ['select [1] a union all select [2.5]', 'a ARRAY<FLOAT64>'],
    [
      'select struct(1 as a, "x" as b) s union all select struct(2, cast("y" as string))',
      's STRUCT<a INT64, b STRING>',
    ],
    ['select [1, 2.5] a', 'a ARRAY<FLOAT64>'],
    ['select coalesce(null, 1, 2.5) n, [date "2024-01-01"] d', 'n FLOAT64, d ARRAY<DATE>'],
    ['select id from auth_logs intersect distinct select id from edge_logs', 'id STRING'],
    ['(select 1 a union all select 2) except distinct select 3 order by a', 'a INT64'],
    [
      'select metadata from auth_logs union all select metadata from auth_logs',
      'metadata ARRAY<STRUCT<level STRING, path STRING>>',
    ],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    [
      'select id from edge_logs union all select id, timestamp from auth_logs',
      'Queries in UNION ALL have mismatched column count: query 1 has 1, query 2 has 2 (line 1, column 26)',
    ],
    [
      'select 1 union all select "a"',
      'Column 1 in UNION ALL has incompatible types: INT64, STRING (line 1, column 10)',
    ],
    [
      'select metadata from edge_logs union all select metadata from auth_logs',
      'Column 1 in UNION ALL has incompatible types',
    ],
    ['select 1 intersect all select 1', 'INTERSECT ALL is not supported; use DISTINCT'],
    [
      'select parse_json(id) from edge_logs union distinct select parse_json(id) from edge_logs',
      'has type JSON that cannot be compared',
    ],
    ['select 1 x union all select 2 order by y', 'Unrecognized name: y'],
    [
      'select id from edge_logs union all select id from auth_logs order by timestamp',
      'Unrecognized name: timestamp',
    ],
    ['select x from (select 1 x union all select "a")', 'incompatible types'],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});
