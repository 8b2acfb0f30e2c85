import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL arrays on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ['1 in unnest(cast(null as array<int64>))', 'false'],
    ['[1,2,3][offset(0)]', '1'],
    ['[1,2,3][safe_offset(3)]', 'null'],
    ['[1,2,3][safe_offset(-1)]', 'null'],
    ['[1,2,3][safe_offset(9223372036854775807)]', 'null'],
    ['array(select [1][safe_offset(x)] from unnest([0, 9223372036854775807]) x)', '[1,null]'],
    ['[1,2,3][ordinal(1)]', '1'],
    ['[1,2,3][safe_ordinal(3)]', '3'],
    ["array_to_string(['coffee', 'tea', 'milk'], ', ')", '"coffee, tea, milk"'],
    ["array_to_string(['cake', 'pie', null], '--', 'MISSING')", '"cake--pie--MISSING"'],
    ["array_to_string(['cake', null, 'pie'], '--')", '"cake--pie"'],
    ["array_to_string(cast([] as array<string>), ',')", '""'],
    ['array_length([1,2])', '2'],
    ['array_length(cast(null as array<int64>))', 'null'],
    ['array_concat([1], [2,3], [4])', '[1,2,3,4]'],
    ['array_reverse([1,2,3])', '[3,2,1]'],
    ["array_first(['a','b','c'])", '"a"'],
    ["array_last(['a','b','c'])", '"c"'],
    ["array_slice(['a','b','c','d','e'], 1, 3)", '["b","c","d"]'],
    ["array_slice(['a','b','c','d','e'], -1, 3)", '[]'],
    ["array_slice(['a','b','c','d','e'], 1, -3)", '["b","c"]'],
    ["array_slice(['a','b','c','d','e'], -1, -3)", '[]'],
    ["array_slice(['a','b','c','d','e'], -3, -1)", '["c","d","e"]'],
    ["array_slice(['a','b','c','d','e'], -6, -3)", '["a","b","c"]'],
    ["array_slice(['a','b','c','d','e'], 5, 30)", '[]'],
    ["array_slice(['a','b','c','d','e'], 3, 30)", '["d","e"]'],
    ['generate_array(1, 5)', '[1,2,3,4,5]'],
    ['generate_array(0, 10, 3)', '[0,3,6,9]'],
    ['generate_array(10, 0, -3)', '[10,7,4,1]'],
    ['generate_array(4, 4, 10)', '[4]'],
    ['generate_array(10, 0, 3)', '[]'],
    ['generate_array(5, null, 1)', '[]'],
    ['generate_array(0, 1, 0.25)', '[0.0,0.25,0.5,0.75,1.0]'],
    [
      "generate_date_array('2016-10-05', '2016-10-08')",
      '["2016-10-05","2016-10-06","2016-10-07","2016-10-08"]',
    ],
    [
      "generate_date_array('2016-10-05', '2016-10-09', interval 2 day)",
      '["2016-10-05","2016-10-07","2016-10-09"]',
    ],
    ["generate_date_array('2016-10-05', '2016-10-01', interval -3 day)", '["2016-10-05","2016-10-02"]'],
    [
      "generate_date_array('2016-01-01', '2016-12-31', interval 2 month)",
      '["2016-01-01","2016-03-01","2016-05-01","2016-07-01","2016-09-01","2016-11-01"]',
    ],
    [
      "generate_date_array('2016-01-31', '2016-05-31', interval 1 month)",
      '["2016-01-31","2016-02-29","2016-03-29","2016-04-29","2016-05-29"]',
    ],
    [
      "generate_date_array('2024-02-29', '2028-02-29', interval 1 year)",
      '["2024-02-29","2025-02-28","2026-02-28","2027-02-28","2028-02-28"]',
    ],
    [
      "generate_date_array('2024-03-31', '2024-01-01', interval -1 month)",
      '["2024-03-31","2024-02-29","2024-01-29"]',
    ],
    [
      "generate_timestamp_array('2016-10-05 00:00:00', '2016-10-05 00:00:02', interval 1 second)",
      '[1475625600000000,1475625601000000,1475625602000000]',
    ],
    [
      "generate_timestamp_array('2016-10-06 00:00:00', '2016-10-01 00:00:00', interval -2 day)",
      '[1475712000000000,1475539200000000,1475366400000000]',
    ],
    ["select array_to_string(['a',null,'b'], s) from unnest(['-']) s", '"a-b"'],
    ["select array_to_string(['a',null,'b'], s, n) from unnest(['-']) s, unnest(['x']) n", '"a-x-b"'],
    ["select array_to_string(cast([] as array<string>), s) from unnest(['-']) s", '""'],
    ["select array_to_string(cast(null as array<string>), s) from unnest(['-']) s", 'null'],
    ["array_to_string(cast(null as array<string>), ',')", 'null'],
    ["array_to_string([cast(null as string)], ',')", '""'],
    ['generate_array(3, 1)', '[]'],
    ['array_concat([1], cast(null as array<int64>))', '[]'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ['[1,2,3][offset(3)]', 'Array index 3 is out of bounds'],
    ['[1,2,3][ordinal(0)]', 'Array index 0 is out of bounds'],
    ['array_first(cast([] as array<int64>))', 'empty'],
    ['generate_array(1, 10, 0)', 'Sequence step cannot be 0.'],
    ["generate_array(1.0, 2.0, cast('-inf' as float64))", 'Sequence step cannot be +/-inf.'],
    ["generate_timestamp_array('2016-10-06', '2016-10-06', interval 0 day)", 'Sequence step cannot be 0.'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
