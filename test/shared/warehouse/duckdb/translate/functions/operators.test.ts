import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL operators on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ['1 + 1', '2'],
    ['1 = 1', 'true'],
    ['7 / 2', '3.5'],
    ['div(-7, 2)', '-3'],
    ['mod(-7, 2)', '-1'],
    ['safe_divide(1, 0)', 'null'],
    ['safe_divide(7, 2)', '3.5'],
    ['safe_add(9223372036854775807, 1)', 'null'],
    ['safe_multiply(9223372036854775807, 2)', 'null'],
    ['safe_negate(-9223372036854775808)', 'null'],
    ["numeric '1.5' * numeric '2.5'", '"3.75"'],
    ["numeric '1.5' + 1", '"2.5"'],
    ['1 << 3', '8'],
    ['1 << 63', '-9223372036854775808'],
    ['1 << 64', '0'],
    ['-1 >> 1', '9223372036854775807'],
    ['-1 >> 63', '1'],
    ['3 << 62', '-4611686018427387904'],
    ['5 & 3', '1'],
    ['5 | 3', '7'],
    ['5 ^ 3', '6'],
    ['~5', '-6'],
    ["'a' || 'b'", '"ab"'],
    ["b'ab' || b'c'", '"YWJj"'],
    ['[1] || [2,3]', '[1,2,3]'],
    ['null is null', 'true'],
    ['1 is distinct from null', 'true'],
    ["1 < cast('nan' as float64)", 'false'],
    ["1.5 between 1 and cast('nan' as float64)", 'false'],
    ['1 in (2, null)', 'null'],
    ['1 in (1, null)', 'true'],
    ['1 in unnest([2, null])', 'null'],
    ['null in unnest([1])', 'null'],
    ['1 not in (2,3)', 'true'],
    ["(1, 'a') = (1, 'a')", 'true'],
    ["(1, null) = (1, 'a')", 'null'],
    ['(1, 2) in ((1,2),(3,4))', 'true'],
    ["'abc' like 'a%'", 'true'],
    [String.raw`'a%c' like r'a\%c'`, 'true'],
    [String.raw`'abc' like r'a\%c'`, 'false'],
    ["'abc' like any ('x%', 'a%')", 'true'],
    ["'abc' like all ('x%', 'a%')", 'false'],
    ["'abc' not like 'a%'", 'false'],
    ['if(true, 1, 2)', '1'],
    ['if(null, 1, 2)', '2'],
    ['ifnull(null, 3)', '3'],
    ['nullif(1, 1)', 'null'],
    ['nullif(1, 2)', '1'],
    ['coalesce(null, null, 4)', '4'],
    ['greatest(1, 5, 3)', '5'],
    ['greatest(1, null)', 'null'],
    ['least(1.5, 2)', '1.5'],
    ["greatest('a', 'b')", '"b"'],
    ["date '2024-01-31' + 1", '"2024-02-01"'],
    ["select if(x > 0 and div(10, x) > 1, 'a', 'b') from unnest([0]) x", '"b"'],
    ['select (x = 0 or div(10, x) > 1) from unnest([0]) x', 'true'],
    ['select (x is null and div(10, x) > 1) from unnest([0]) x', 'false'],
    ['ieee_divide(1, 0) is null', 'false'],
    ["select case x when 1 then 'a' else 'b' end from unnest([1]) x", '"a"'],
    ['select div(10, x) from unnest([5]) x', '2'],
    ["select ifnull(safe_cast(x as int64), -1) from unnest(['a']) x", '-1'],
    ["select safe_cast((select 'a') as int64)", 'null'],
    ["select safe.substr((select 'abc'), 2)", '"bc"'],
    ['select safe_add((select 1), 2)', '3'],
    ['select safe_add((select 1), 2)', '3'],
    ['select safe_divide((select 1), 0)', 'null'],
    ['select greatest((select 10), (select 0))', '10'],
    ['select exists(select 1 from unnest([1,2]) x where div(10, x - 1 + (select 1)) > 5)', 'true'],
    [
      "select coalesce(cast(cast(cast(cast(cast(cast(cast(cast('5' as int64) as string) as int64) as string) as int64) as string) as int64) as string))",
      '"5"',
    ],
    ["select split('a,b', s) from unnest([',']) s", '["a","b"]'],
    ["select left('abc', p) is null from unnest([cast(null as int64)]) p", 'true'],
    ['select round(1.5, p) is null from unnest([cast(null as int64)]) p', 'true'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ['1 / 0', 'division by zero: 1 / 0'],
    ['select 1 / x from unnest([0]) x', 'division by zero: 1 / 0'],
    ['div(10, 0)', 'division by zero: 10 / 0'],
    ['mod(7, 0)', 'division by zero: 7 / 0'],
    ['9223372036854775807 + 1', 'int64 overflow in addition: 9223372036854775807 + 1'],
    ['1e308 * 10', 'double overflow'],
    [String.raw`'abc' like 'abc\\'`, 'LIKE pattern ends with a backslash'],
    ['select (x = 0 and div(10, x) > 1) from unnest([0]) x', 'division by zero: 10 / 0'],
    ['select div((select 10), (select 0))', 'division by zero'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
