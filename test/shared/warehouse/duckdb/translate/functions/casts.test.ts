import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

describe('GoogleSQL casts on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ["cast('nan' as float64) = cast('nan' as float64)", 'false'],
    ["cast('nan' as float64) != cast('nan' as float64)", 'true'],
    ["cast('nan' as float64) > 1", 'false'],
    ['cast(1.5 as string)', '"1.5"'],
    ['cast(1.0 as string)', '"1"'],
    ['cast(0.1 + 0.2 as string)', '"0.30000000000000004"'],
    ['cast(1e20 as string)', '"1e+20"'],
    ["cast(cast('inf' as float64) as string)", '"inf"'],
    ['cast(2.5 as int64)', '3'],
    ['cast(-2.5 as int64)', '-3'],
    ['cast(1.4 as int64)', '1'],
    ["cast('12' as int64)", '12'],
    ["cast(' 12 ' as int64)", '12'],
    ["cast('0x1F' as int64)", '31'],
    ["cast('-0x10' as int64)", '-16'],
    ["safe_cast('apple' as int64)", 'null'],
    ["safe_cast('apple' as float64)", 'null'],
    ["cast('1e3' as float64)", '1000.0'],
    ["cast('true' as bool)", 'true'],
    ["cast('FALSE' as bool)", 'false'],
    ['cast(true as string)', '"true"'],
    ['cast(true as int64)', '1'],
    ['cast(0 as bool)', 'false'],
    ["cast('abc' as bytes)", '"YWJj"'],
    ["cast(b'abc' as string)", '"abc"'],
    [String.raw`safe_cast(b'\xff' as string)`, 'null'],
    ["cast('2024-2-3' as date)", '"2024-02-03"'],
    ["cast('12:34:56.789' as time)", '"12:34:56.789000"'],
    ["cast('2024-02-03 01:02:03' as datetime)", '"2024-02-03T01:02:03"'],
    ["cast('2024-02-03T01:02:03.5' as datetime)", '"2024-02-03T01:02:03.500000"'],
    ["cast('2024-02-03' as timestamp)", '1706918400000000'],
    ["cast('2024-02-03 00:00:00+01:30' as timestamp)", '1706913000000000'],
    ["cast('2024-02-03 00:00:00-8' as timestamp)", '1706947200000000'],
    ["cast('2024-02-03 00:00:00Z' as timestamp)", '1706918400000000'],
    ["cast('2024-02-03 00:00:00 UTC' as timestamp)", '1706918400000000'],
    ["cast('2024-02-03 00:00:00 America/New_York' as timestamp)", '1706936400000000'],
    ["cast(timestamp '2024-05-06 07:00:00.123+00' as string)", '"2024-05-06 07:00:00.123+00"'],
    ["cast(timestamp '2024-05-06 07:00:00' as string)", '"2024-05-06 07:00:00+00"'],
    ["cast(timestamp '2024-05-06 07:00:00.123456' as string)", '"2024-05-06 07:00:00.123456+00"'],
    ["cast(datetime '2024-05-06 07:00:00' as string)", '"2024-05-06 07:00:00"'],
    ["cast(date '2024-05-06' as string)", '"2024-05-06"'],
    ["cast(time '07:00:00.5' as string)", '"07:00:00.500"'],
    ["cast(numeric '12.340' as string)", '"12.34"'],
    ["cast(numeric '100' as string)", '"100"'],
    ["cast(numeric '12.5' as int64)", '13'],
    ['cast(1.25 as numeric)', '"1.25"'],
    ['cast(1/3 as numeric)', '"0.333333333"'],
    ["cast('1.1' as numeric)", '"1.1"'],
    ["cast(date '2024-05-06' as timestamp)", '1714953600000000'],
    ["cast(timestamp '2024-05-06 07:00:00' as date)", '"2024-05-06"'],
    ["cast(timestamp '2024-05-06 07:00:00' as datetime)", '"2024-05-06T07:00:00"'],
    ['cast([1,2] as array<float64>)', '[1.0,2.0]'],
    ["cast('-0x10' as int64) + 1", '-15'],
    ['cast(timestamp_seconds(-1) as string)', '"1969-12-31 23:59:59+00"'],
    ["cast(timestamp '1960-01-01 00:00:00.123' as string)", '"1960-01-01 00:00:00.123+00"'],
    ["cast(timestamp '0001-01-01 00:00:00' as string)", '"0001-01-01 00:00:00+00"'],
    ["cast('1.5' as numeric) + 1", '"2.5"'],
    ['cast(1e15 as string)', '"1e+15"'],
    ['cast(123456.789 as string)', '"123456.789"'],
    ['cast(1e-7 as string)', '"1e-07"'],
    ['cast(-0.0 as string)', '"0"'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ['cast(1e30 as int64)', 'Illegal conversion of non-finite or too large FLOAT64 to INT64: 1e+30'],
    ["cast('1.5' as int64)", 'Bad int64 value: 1.5'],
    ["cast('9223372036854775808' as int64)", 'Bad int64 value: 9223372036854775808'],
    ["cast('t' as bool)", 'Bad bool value: t'],
    [String.raw`cast(b'\xff' as string)`, 'Invalid cast of bytes to UTF8 string'],
    ["cast('2024-02-30' as date)", "Invalid date: '2024-02-30'"],
    ["cast('epoch' as timestamp)", "Invalid timestamp: 'epoch'"],
    ["cast(concat('e','084') as timestamp)", "Invalid timestamp: 'e084'"],
    ["cast('2024-01-01 10:00:00' as date)", "Invalid date: '2024-01-01 10:00:00'"],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
