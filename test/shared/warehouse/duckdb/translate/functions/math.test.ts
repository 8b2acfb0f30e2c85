import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL mathematical functions on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ['mod(-9223372036854775808, -1)', '0'],
    ['array(select mod(x, -1) from unnest([5, null, -9223372036854775808]) x)', '[0,null,0]'],
    [
      "is_nan(sin(cast('inf' as float64))) and is_nan(cot(cast('-inf' as float64))) and is_nan(sec(cast('nan' as float64)))",
      'true',
    ],
    ["is_nan(log(2.0, cast('inf' as float64))) and is_nan(log(0.0, cast('inf' as float64)))", 'true'],
    ["is_nan(log(cast('-inf' as float64), 2.0))", 'true'],
    ["log(cast('inf' as float64), 2.0) = cast('inf' as float64)", 'true'],
    ['trunc(-1.5, -9223372036854775808)', '0.0'],
    ["trunc(cast('nan' as float64), -400)", '0.0'],
    ["round(cast('inf' as float64), -400)", '0.0'],
    ["round(cast('inf' as float64), -1) = cast('inf' as float64)", 'true'],
    ['round(1.2e308, -308)', '1e308'],
    ['trunc(-1.7e308, -308)', '-1e308'],
    ['round(1.6e308, -307)', '1.6e308'],
    ['trunc(1234.5, -2)', '1200.0'],
    ['round(cast(null as float64), -400)', 'null'],
    ["range_bucket(cast('nan' as float64), [2.0, 1.0])", 'null'],
    ['range_bucket(1, [1, 1, 2])', '2'],
    ['range_bucket(3, cast([] as array<int64>))', '0'],
    ['abs(-5)', '5'],
    ['sign(-2.5)', '-1.0'],
    ['sign(5)', '1'],
    ['round(2.5)', '3.0'],
    ['round(-2.5)', '-3.0'],
    ['round(123.7, -1)', '120.0'],
    ['round(1.235, 2)', '1.24'],
    ['round(2.675, 2)', '2.67'],
    ['round(1.45, 1)', '1.4'],
    ['round(0.125, 2)', '0.13'],
    ['round(-0.375, 2)', '-0.38'],
    ['round(100 * 1 / 16, 1)', '6.3'],
    ['trunc(0.3, 1)', '0.2'],
    ["round(cast('nan' as float64), 2)", 'NaN'],
    ["round(numeric '2.5')", '"3"'],
    ['round(5)', '5.0'],
    ['trunc(2.8)', '2.0'],
    ['trunc(-2.8)', '-2.0'],
    ['trunc(2.87, 1)', '2.8'],
    ['trunc(287.5, -1)', '280.0'],
    ['ceil(2.3)', '3.0'],
    ['floor(-2.3)', '-3.0'],
    ["ceil(numeric '2.3')", '"3"'],
    ['sqrt(9)', '3.0'],
    ['safe.sqrt(-1)', 'null'],
    ['pow(2, 10)', '1024.0'],
    ['ln(1)', '0.0'],
    ['log(8, 2)', '3.0'],
    ['log(100, 10)', '2.0'],
    ['log10(1000)', '3.0'],
    ['cbrt(27)', '3.0'],
    ['is_inf(ieee_divide(1, 0))', 'true'],
    ['is_nan(ieee_divide(0, 0))', 'true'],
    ['safe.acos(2)', 'null'],
    ['sin(0)', '0.0'],
    ['atan2(1, 1)', '0.7853981633974483'],
    ['range_bucket(20, [0, 10, 20, 30, 40])', '3'],
    ['range_bucket(25, [0, 10, 20, 30, 40])', '3'],
    ['range_bucket(-10, [5, 10])', '0'],
    ['bit_count(5)', '2'],
    ['bit_count(-1)', '64'],
    ['round(-0.4)', '-0.0'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ['abs(-9223372036854775808)', 'int64 overflow: abs(-9223372036854775808)'],
    ['sqrt(-1)', 'Floating point error in function: SQRT(-1)'],
    ['pow(0, -1)', 'Floating point error in function: POW(0, -1)'],
    ['pow(-1, 0.5)', 'Floating point error in function: POW(-1, 0.5)'],
    ['exp(1000)', 'Floating point error in function: EXP(1000)'],
    ['ln(0)', 'Floating point error in function: LN(0)'],
    ['acos(2)', 'Floating point error in function: ACOS(2)'],
    ['cot(0)', 'Floating point error in function: COT(0)'],
    ['round(1.6e308, -308)', 'Floating point overflow in function: ROUND(1.6e+308, -308)'],
    ['range_bucket(3, [5, 1])', 'Elements in input array to RANGE_BUCKET must be in ascending order'],
    ["range_bucket(3.0, [1.0, cast('nan' as float64)])", 'none of them NULL or NaN'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
