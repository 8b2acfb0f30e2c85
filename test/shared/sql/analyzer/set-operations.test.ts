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

describe('a set operation by name', () => {
  const [AB, BC] = ['select 1 as a, 2 as b', 'select 3 as B, 4.5 as c'];

  test.each<[string, string]>([
    [`${AB} union all by name select 3 as b, 4.5 as a`, 'a FLOAT64, b INT64'],
    [`${AB} inner union all by name ${BC}`, 'b INT64'],
    [`${AB} left outer union all by name ${BC}`, 'a INT64, b INT64'],
    [`${AB} full union distinct by name ${BC}`, 'a INT64, b INT64, c FLOAT64'],
    [`${AB} outer union all by name ${BC}`, 'a INT64, b INT64, c FLOAT64'],
    [`${AB} full union all by name on (c, b) ${BC}`, 'c FLOAT64, b INT64'],
    [`${AB} left union all by name on (b, a) ${BC}`, 'b INT64, a INT64'],
    [`${AB} left union all by name on (a) ${BC}`, 'a INT64'],
    [`${AB} inner except distinct by name on (b) ${BC}`, 'b INT64'],
    [`${AB} union all corresponding ${BC}`, 'b INT64'],
    [`${AB} full intersect distinct corresponding ${BC}`, 'a INT64, b INT64, c FLOAT64'],
    [`${AB} union all strict corresponding select 3 as b, 4 as a`, 'a INT64, b INT64'],
    [`${AB} union all corresponding by (b) ${BC}`, 'b INT64'],
    [
      `${AB} full union all by name ${BC} full union all by name select "x" as d`,
      'a INT64, b INT64, c FLOAT64, d STRING',
    ],
    [
      `from (${AB}) |> full union all by name (${BC}), (select "x" as d)`,
      'a INT64, b INT64, c FLOAT64, d STRING',
    ],
    ['select 1 as a from auth_logs left union all by name select 2 as a', 'a INT64'],
    ['select 1 as a from auth_logs l left union all by name select 2 as a', 'a INT64'],
    ['select 1 as a, full union all by name select 2 as b', 'a INT64, b INT64'],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    [
      `${AB} union all by name ${BC}`,
      'must all have the same names, but [a, b] is asked for and query 2 has [b, c]',
    ],
    [`${AB} union all by name on (b) select 3 as b, 4 as a`, 'must all have the same names'],
    [`${AB} inner union all by name select 5 as z`, 'have no column in common'],
    [`${AB} left union all by name select 5 as z`, 'query 2 has none'],
    [`${AB} inner union all by name on (a) ${BC}`, 'Column a of the list is not in query 2'],
    [`${AB} left union all by name on (c) ${BC}`, 'Column c of the list is not in query 1'],
    [`${AB} full union all by name on (z) ${BC}`, 'Column z of the list is not in any query'],
    [`${AB} full union all by name on (a, A) ${BC}`, 'Column A stands twice'],
    ['select 1 union all by name select 1', 'Anonymous columns are not allowed in set operations BY NAME'],
    [
      'select 1 as a, 2 as A union all corresponding select 1 as a',
      'Duplicate columns found in set operations CORRESPONDING',
    ],
    ['select as struct 1 as a union all by name select as struct 1 as a', 'Value table type not allowed'],
    [`${AB} union all by name select 1 as a, "x" as b`, 'Column 2 in UNION ALL has incompatible types'],
    [`${AB} full union all by name select json "1" as c union all by name select 1 as a`, 'need parentheses'],
    ['select 1 as a full union distinct by name select json "1" as c', 'cannot be compared'],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});
