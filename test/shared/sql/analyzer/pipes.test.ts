import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

describe('pipe syntax', () => {
  test.each<[string, string]>([
    ['from auth_logs as a |> drop event_message |> select a.id', 'id STRING'],
    [
      'from auth_logs as a |> drop metadata |> select *',
      'id STRING, timestamp TIMESTAMP, event_message STRING',
    ],
    ['from auth_logs as a |> set id = 1.5 |> select id, a.id as before', 'id FLOAT64, before STRING'],
    [
      'from auth_logs as a |> rename event_message as text |> select text, a.event_message',
      'text STRING, event_message STRING',
    ],
    [
      'from auth_logs as a |> cross join unnest(metadata) as m |> drop metadata |> select a.id, m.level',
      'id STRING, level STRING',
    ],
    [
      'from auth_logs |> aggregate count(*) as n group and order by event_message desc nulls last, id as key',
      'event_message STRING, key STRING, n INT64',
    ],
    ['from auth_logs |> aggregate count(*) as n group by id asc', 'id STRING, n INT64'],
    ['from auth_logs |> select as struct id, timestamp |> where id > "a"', 'id STRING, timestamp TIMESTAMP'],
    ['from auth_logs |> select as struct id |> as x |> select x, x.id', 'x STRUCT<id STRING>, id STRING'],
    [
      'select array(from auth_logs |> select as struct id, 1 as n |> order by n) as a',
      'a ARRAY<STRUCT<id STRING, n INT64>>',
    ],
    ['from auth_logs |> select as value id |> limit 1', 'f0_ STRING'],
    // A range variable of an array is one column, the whole element; a star takes its fields.
    [
      'from (select 1 as z) as t, unnest([struct(1 as p, 2 as q)]) as m |> where p = 1',
      'z INT64, m STRUCT<p INT64, q INT64>',
    ],
    [
      'from (select 1 as z) as t, unnest([struct(1 as p, 2 as q)]) as m |> set z = 3 |> where p = 1 |> select *',
      'z INT64, p INT64, q INT64',
    ],
    ['from (select 1 as z) as t, unnest([struct(1 as p, 2 as q)]) as m |> drop m', 'z INT64'],
    ['from (select 1 as z) as t, unnest([struct(1 as p, 2 as q)]) as m |> set m = 3', 'z INT64, m INT64'],
    [
      'from (select 1 as z) as t, unnest([struct(1 as p, 2 as q)]) as m |> as u |> select u.m, u.*',
      'm STRUCT<p INT64, q INT64>, z INT64, p INT64, q INT64',
    ],
    [
      'from (select 1 as z) as t, unnest([struct(1 as p, 2 as q)]) as m |> distinct |> select p, m.q, t.z',
      'p INT64, q INT64, z INT64',
    ],
    [
      'select p, x.q from (from (select 1 as z) as t, unnest([struct(1 as p, 2 as q)]) as x)',
      'p INT64, q INT64',
    ],
    [
      'with c as (from (select 1 as z) as t, unnest([struct(1 as p, 2 as q)]) as x) select * from c',
      'z INT64, x STRUCT<p INT64, q INT64>',
    ],
    ['from unnest([3]) as x |> union all (select 4)', 'f0_ INT64'],
    // Window functions in every step that computes.
    ['from auth_logs |> where row_number() over (order by id) = 1 |> select id', 'id STRING'],
    ['from auth_logs |> set id = rank() over (order by id) |> select id', 'id INT64'],
    ['from auth_logs |> order by rank() over (order by id) |> select id', 'id STRING'],
    [
      'from auth_logs |> window rank() over (order by id) as r, 1 + count(*) over () as n, |> select r, n',
      'r INT64, n INT64',
    ],
    // Commas after the last item.
    [
      'from auth_logs |> drop metadata, |> rename id as i, |> set i = 1, |> extend 2 as j, |> order by i, |> select i, j,',
      'i INT64, j INT64',
    ],
    ['from auth_logs |> aggregate count(*) as n, group by id,', 'id STRING, n INT64'],
    // AGGREGATE.
    [
      'from auth_logs |> aggregate count(*) as n desc, max(id) as m asc nulls last group by event_message desc',
      'event_message STRING, n INT64, m STRING',
    ],
    [
      'from auth_logs |> aggregate count(*) as n group by grouping sets (id, (id, event_message), ())',
      'id STRING, event_message STRING, n INT64',
    ],
    ['from auth_logs |> aggregate grouping(id) as g group by rollup (id)', 'id STRING, g INT64'],
    ['from auth_logs |> aggregate count(*) as n group by ()', 'n INT64'],
    // WITH: names for the steps after it.
    [
      'from (select 1 as a) |> with t as (select 2 as b), u as (from t |> extend b + 1 as c), |> cross join u',
      'a INT64, b INT64, c INT64',
    ],
    [
      'with t as (select 1 as x) select 5 as z |> cross join t |> with t as (from t |> set x = "a") |> select z |> join t on true',
      'z INT64, x STRING',
    ],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    ['from auth_logs as a |> drop id |> select id', 'Unrecognized name: id'],
    ['from auth_logs as a |> drop id |> as b |> select a.id', 'Unrecognized name: a'],
    [
      'from auth_logs |> aggregate count(*) as n group by 1',
      'GROUP BY ordinal not allowed in pipe AGGREGATE',
    ],
    ['from auth_logs |> select id |> order by 2', 'ORDER BY is out of SELECT column number range: 2'],
    ['from auth_logs |> aggregate count(*) as n group and order by metadata', 'ORDER BY does not support'],
    ['from auth_logs |> select count(*)', 'Aggregate function COUNT(*) not allowed in pipe SELECT'],
    ['from auth_logs |> where count(*) > 1', 'Aggregate function COUNT(*) not allowed in pipe WHERE clause'],
    ['from auth_logs |> extend *', 'Unexpected "*"'],
    ['from auth_logs |> window id', 'must include a window function call'],
    ['from auth_logs |> set a.id = 1', 'Pipe SET updates whole columns, by their name alone'],
    ['from auth_logs |> set id = "a", ID = "b"', 'Duplicate column name in pipe SET: ID'],
    ['from auth_logs |> drop id, id', 'Duplicate column name in pipe DROP: id'],
    ['from (select 1 as a, 2 as a) |> set a = 1', 'exists more than once in the rows: a'],
    ['from (select 1 as a, 2 as a) |> rename a as b', 'exists more than once in the rows: a'],
    ['from (select 1 as a) |> drop a', 'Pipe DROP dropped all columns'],
    ['from unnest([struct(1 as p)]) as m |> drop p', 'Name in pipe DROP is a field of a value'],
    ['from (select 1 as z), unnest([3]) as x |> rename x as y', 'RENAME is a table alias'],
    ['from (select 1 as z), unnest([3]) as x |> drop x |> select x', 'Unrecognized name: x'],
    ['from auth_logs |> aggregate 1 as n', 'Pipe AGGREGATE cannot include non-aggregate expressions'],
    ['from auth_logs |> aggregate id group by id', 'Pipe AGGREGATE cannot include non-aggregate expressions'],
    ['from auth_logs |> aggregate concat(max(id), id) group by id', 'a column that is not aggregated'],
    ['from auth_logs |> aggregate sum(1) over () as n', 'not allowed in pipe AGGREGATE'],
    ['from auth_logs |> aggregate', 'Expected an aggregate or keyword GROUP'],
    ['from auth_logs |> aggregate count(*) as n nulls last', 'got keyword NULLS'],
    ['from auth_logs |> aggregate count(*) group by id nulls last', 'got keyword NULLS'],
    ['from auth_logs |> aggregate count(*) group and order by rollup(id)', 'cannot be used with ROLLUP'],
    ['from auth_logs |> aggregate count(*) group by id, cube(event_message)', 'only supports CUBE when'],
    ['from auth_logs |> aggregate count(*) group by rollup(upper(id))', 'Grouping sets take columns only'],
    ['from auth_logs |> with t as (select 1), T as (select 2)', 'Duplicate alias T for WITH subquery'],
    ['from auth_logs |> with t as (from u), u as (select 2)', 'Table not found: u'],
    ['from (from auth_logs |> with t as (select 1)) |> join t on true', 'Table not found: t'],
    ['from auth_logs |> assert id = "a"', 'Pipe operator ASSERT is not allowed'],
    ['from auth_logs |> call f(1)', 'Pipe operator CALL is not allowed'],
    ['from auth_logs |> tablesample system (1 percent)', 'Pipe operator TABLESAMPLE is not allowed'],
    ['from auth_logs |> natural join auth_logs', 'NATURAL is not allowed'],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});
