import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL window functions on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    [
      'select string_agg(cast(s as string)) from (select sum(x) over (order by x) s from unnest([1,2,3]) x)',
      '"1,3,6"',
    ],
    [
      'select array_agg(r order by r) from (select row_number() over (order by x) r from unnest([5,6]) x)',
      '[1,2]',
    ],
    ['select array_agg(r) from (select lag(x, 1, -1) over (order by x) r from unnest([5,6]) x)', '[-1,5]'],
    [
      'select array_agg(r) from (select first_value(x ignore nulls) over (order by o) r from unnest([null,6,7]) x with offset o order by o)',
      '[null,6,6]',
    ],
    [
      'select max(r) from (select last_value(x) over (order by x rows between unbounded preceding and unbounded following) r from unnest([5,6]) x)',
      '6',
    ],
    ['select max(r) from (select percentile_cont(x, 0.5) over () r from unnest([0,3,null,1,2]) x)', '1.5'],
    [
      "select max(r) from (select percentile_disc(x, 0.5) over () r from unnest(['c',null,'b','a']) x)",
      '"b"',
    ],
    ['select max(r) from (select ntile(2) over (order by x) r from unnest([5,6]) x)', '2'],
    ['select max(r) from (select count(distinct x) over () r from unnest([5,6,6]) x)', '2'],
    [
      'select max(r) from (select avg(x) over (order by x rows between 1 preceding and current row) r from unnest([5,6,6]) x)',
      '6.0',
    ],
    ["select min(s) from (select string_agg(x, ',') over (order by x) s from unnest(['a','b']) x)", '"a"'],
    [
      'select array_agg(d order by d) from (select dense_rank() over (order by x) d from unnest([5,5,6]) x)',
      '[1,1,2]',
    ],
    ['select sum(p) from (select percent_rank() over (order by x) p from unnest([5,5,6]) x)', '1.0'],
    ['select sum(p) from (select cume_dist() over (order by x) p from unnest([5,6]) x)', '1.5'],
    [
      'select array_agg(v order by x) from (select x, nth_value(x, 2) over (order by x rows between unbounded preceding and unbounded following) v from unnest([5,6]) x)',
      '[6,6]',
    ],
    [
      'select array_agg(v order by x) from (select x, lead(x, 1) over (order by x) v from unnest([5,6]) x)',
      '[6,null]',
    ],
    [
      'select array_agg(v order by x) from (select x, sum(x) over (order by x range between 1 preceding and current row) v from unnest([1,2,4]) x)',
      '[1,3,4]',
    ],
    [
      'select array_agg(v order by x) from (select x, countif(x > 1) over (order by x) v from unnest([1,2,4]) x)',
      '[0,1,2]',
    ],
    [
      'select array_agg(v order by x) from (select x, avg(x) over () v from unnest([1,2,3]) x)',
      '[2.0,2.0,2.0]',
    ],
    [
      'select array_agg(v order by x) from (select x, lag(x, 1) over (order by x) v from unnest([1.5,2.5]) x)',
      '[null,1.5]',
    ],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });
});
