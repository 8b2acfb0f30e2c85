import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

const ROWS = "(select 'a' as k, 1 as v, 7 as g)";
const NUMBERS = '(select 1 as a, 2 as b, 3 as c, 4 as d)';

describe('PIVOT', () => {
  test.each<[string, string]>([
    [`pivot(sum(v) for k in ('a', 'b'))`, 'g INT64, a INT64, b INT64'],
    [`pivot(sum(v) for k in ('a' as x, 'b' y)) as p where p.x = 1`, 'g INT64, x INT64, y INT64'],
    [
      `pivot(sum(v) as s, count(*) c for k in ('a', null))`,
      'g INT64, s_a INT64, c_a INT64, s_NULL INT64, c_NULL INT64',
    ],
    [`pivot(avg(v) for concat(k, 'z') in ('az'))`, 'g INT64, az FLOAT64'],
    [
      `pivot(string_agg(k order by g limit 1) for v in (1, -2, +3, 1 + 3 as x))`,
      '_1 STRING, minus_2 STRING, _3 STRING, x STRING',
    ],
    [`pivot(count(v) as n for g in (1, -2))`, 'k STRING, n_1 INT64, n_minus_2 INT64'],
    [`pivot(array_agg(v ignore nulls) for k in (''))`, 'g INT64, empty_string_value ARRAY<INT64>'],
    [`pivot(sum(v) for (k, g) in (('a', 7), ('b', null)))`, 'a_7 INT64, b_NULL INT64'],
    [`pivot(sum(v) for struct(k, g) in (('a', 7)))`, 'k_a_g_7 INT64'],
    [
      `pivot(sum(v) for numeric '1.50' in (1, 1.5, numeric '-2.25'))`,
      'k STRING, g INT64, _1 INT64, _1_point_5 INT64, minus_2_point_25 INT64',
    ],
    [
      `pivot(sum(v) for date '2026-01-02' in ('2026-01-02', null))`,
      'k STRING, g INT64, _2026_01_02 INT64, NULL INT64',
    ],
    [`pivot(sum(v) for 1.5 in (1 as x, numeric '2' as y))`, 'k STRING, g INT64, x INT64, y INT64'],
    [`pivot(sum(v) for upper(k) in (@project as x))`, 'g INT64, x INT64'],
  ])('%s', (clause, columns) => {
    expect(columnsOf(`select * from ${ROWS} as t ${clause}`)).toBe(columns);
  });

  test.each<[string, string]>([
    [`from ${ROWS} |> pivot(sum(v) for k in ('a')) |> where k = 'a'`, 'Unrecognized name: k'],
    [`select t.g from ${ROWS} as t pivot(sum(v) for k in ('a'))`, 'Unrecognized name: t'],
    [`select * from ${ROWS} pivot(v for k in ('a'))`, 'must be an aggregate function call'],
    [`select * from ${ROWS} pivot(sum(v) + 1 for k in ('a'))`, 'must be an aggregate function call'],
    [`select * from ${ROWS} pivot(grouping(v) for k in ('a'))`, 'must be an aggregate function call'],
    [`select * from ${ROWS} pivot(sum(v) over () for k in ('a'))`, 'Analytic function not allowed in PIVOT'],
    [`select * from ${ROWS} pivot(sum(v), max(v) as m for k in ('a'))`, 'must specify an alias unless'],
    [
      `select * from ${ROWS} pivot(array_agg(v) for k in ('a'))`,
      'ARRAY_AGG is not supported in PIVOT unless IGNORE NULLS',
    ],
    [
      `select * from ${ROWS} pivot(approx_top_count(v, 1) for k in ('a'))`,
      'APPROX_TOP_COUNT is not supported in PIVOT',
    ],
    [`select * from ${ROWS} pivot(max_by(v, g) for k in ('a'))`, 'MAX_BY is not supported in PIVOT'],
    [`select * from ${ROWS} pivot(any_value(v having max g) for k in ('a'))`, 'HAVING MAX is not supported'],
    [`select * from ${ROWS} pivot(sum(v) for k in (k))`, 'must be constant'],
    [`select * from ${ROWS} pivot(sum(v) for k in ((select 'a') as x))`, 'must be constant'],
    [`select * from ${ROWS} pivot(sum(v) for k in (select 'a'))`, 'Expected the values themselves'],
    [
      `select * from ${ROWS} pivot(sum(v) for k in (1))`,
      'must be type STRING to match the PIVOT FOR expression; found INT64',
    ],
    [`select * from ${ROWS} pivot(sum(v) for v in (1.5))`, 'must be type INT64'],
    [`select * from ${ROWS} pivot(sum(v) for v in (1 + 1))`, 'write AS and a name after it'],
    [`select * from ${ROWS} pivot(sum(v) for 1.5 in (1.5))`, 'write AS and a name after it'],
    [`select * from ${ROWS} pivot(sum(v) for k in ('a.b'))`, 'write AS and a name after it'],
    [`select * from ${ROWS} pivot(sum(v) for k in ('a"b'))`, 'write AS and a name after it'],
    [`select * from ${ROWS} pivot(sum(v) for k in ('a', 'A'))`, 'Duplicate column names'],
    [
      `select * from (select 1 as a, json '1' as j) pivot(count(*) for a in (1))`,
      'Column j of type JSON cannot be used',
    ],
    [
      `select * from (select 1 as a, json '1' as j) pivot(count(a) for j in (json '1' as x))`,
      'not groupable',
    ],
    [`select * from unnest([1]) as x pivot(sum(x) for x in (1))`, 'PIVOT is not allowed with array scans'],
    [
      `select * from (select as struct 1 as a) pivot(sum(a) for a in (1))`,
      'PIVOT is not allowed on value tables',
    ],
    [
      `from (select 1 as a), unnest([1]) as x |> pivot(sum(x) for a in (1))`,
      'PIVOT is not allowed on value tables',
    ],
    [
      `select * from ${ROWS} pivot(sum(v) for k in ('a')) pivot(sum(a) for g in (7))`,
      'Only one PIVOT or UNPIVOT',
    ],
    [
      `select * from (${ROWS} as x cross join ${ROWS} as y) pivot(count(*) for k in ('a'))`,
      'follows a table or a subquery',
    ],
    [
      `select * from auth_logs with offset pivot(count(*) for id in ('a'))`,
      'PIVOT and WITH OFFSET cannot be combined',
    ],
    [
      `select * from ${ROWS} pivot(sum(v) for k in (${Array.from({ length: 501 }, (_, i) => `'v${i}'`).join()}))`,
      'more than 500 columns',
    ],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });

  test('PIVOT without a parenthesis is an alias', () => {
    expect(columnsOf('select pivot.id, unpivot.id as other from auth_logs pivot, auth_logs as unpivot')).toBe(
      'id STRING, other STRING',
    );
  });
});

describe('UNPIVOT', () => {
  test.each<[string, string]>([
    ['unpivot(v for k in (a, b))', 'c INT64, d INT64, v INT64, k STRING'],
    [
      "unpivot include nulls (v for k in (a as 'x', t.b 'y')) as u where u.v > 1",
      'c INT64, d INT64, v INT64, k STRING',
    ],
    ['unpivot exclude nulls (v for k in (a as 1, b 2))', 'c INT64, d INT64, v INT64, k INT64'],
    ['unpivot((v, w) for k in ((a, b), (c, d)))', 'v INT64, w INT64, k STRING'],
    ['unpivot((v) for k in ((a), b))', 'c INT64, d INT64, v INT64, k STRING'],
    ['unpivot(a for b in (a, b))', 'c INT64, d INT64, a INT64, b STRING'],
  ])('%s', (clause, columns) => {
    expect(columnsOf(`select * from ${NUMBERS} as t ${clause}`)).toBe(columns);
  });

  test.each<[string, string]>([
    ['unpivot(v for k in (a, a))', 'cannot be repeated'],
    ['unpivot((v, w) for k in (a, b))', 'as many as there are new value columns: 2'],
    ['unpivot(v for k in (a as 1, b))', 'All UNPIVOT labels must be the same type'],
    ["unpivot(v for k in (a as 1, b as 'x'))", 'All UNPIVOT labels must be the same type'],
    ['unpivot(v for k in (a as x))', 'Expected integer literal or string literal'],
    ['unpivot(v for k in (a as 1.5))', 'Expected integer literal or string literal'],
    ['unpivot(v for k in (a + 1))', 'Expected ")"'],
    ['unpivot(v for k in (z))', 'Unrecognized name: z'],
    ['unpivot(v for v in (a))', 'Duplicate column names'],
    ['unpivot(c for k in (a))', 'Duplicate column names'],
  ])('%s is refused', (clause, message) => {
    expect(refusalOf(`select * from ${NUMBERS} as t ${clause}`)).toContain(message);
  });

  test.each<[string, string]>([
    ["select * from (select 1 as a, 'x' as b) unpivot(v for k in (a, b))", 'Expected INT64, Found STRING'],
    ['select * from (select 1 as a, 1.5 as b) unpivot(v for k in (a, b))', 'Expected INT64, Found FLOAT64'],
    ['select * from (select struct(1 as x) as a) unpivot(v for k in (a.x))', 'only column names are allowed'],
    ['select * from unnest([1]) as x unpivot(v for k in (x))', 'UNPIVOT is not allowed with array scans'],
    [
      'select * from (select as struct 1 as a) unpivot(v for k in (a))',
      'UNPIVOT is not allowed on value tables',
    ],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});
