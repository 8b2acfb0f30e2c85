import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Evaluator,
  openEvaluator,
} from '../shared/warehouse/duckdb/translate/functions/support/evaluator.ts';

/** Queries that `npm run fuzz:values` found in numbers, times, windows and groups, with what Google's evaluator answers. */
describe('What Google’s evaluator found in numbers and times', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    // Elements of times with a width.
    [
      "FORMAT_TIMESTAMP('%5d|%-5d|%_5d|%05e|%1d|%-1d|%00d', TIMESTAMP '2020-03-04 05:06:07+00')",
      '"00004|    4|    4|00004|04|4|04"',
    ],
    [
      "FORMAT_TIMESTAMP('%5a|%05a|%^12A|%12F|%15s|%015s|%3F', TIMESTAMP '2020-03-04 05:06:07+00')",
      '"  Wed|00Wed|   WEDNESDAY|  2020-03-04|     1583298367|000001583298367|2020-03-04"',
    ],
    ["FORMAT_DATETIME('%1C|%3Y|%_6Y|%-Y|%0G', DATETIME '0001-01-01 00:00:00')", '"0|001|     1|1|1"'],
    ["FORMAT_DATE('%5H|%0k', DATE '2020-03-04')", '"%5H|%0k"'],
    ["FORMAT_DATETIME('%E4Y,%n,', TIMESTAMP '0001-01-01 00:00:00+00')", String.raw`"0001,\n,"`],
    // Places beyond the digits of a FLOAT64.
    ['TRUNC(1e-7, 63)', '1e-7'],
    ['TRUNC(1.5e-7, 22)', '1.499999999999999e-7'],
    ['ROUND(1e-7, 300)', '1e-7'],
    ['ROUND(0.5, 16)', '0.5'],
    ['ROUND(-0.50000762939453125, 16)', '-0.5000076293945312'],
    ['ROUND(1e14, 16) = 1e14', 'true'],
    ["FLOAT64(JSON '9007199254740992', wide_number_mode => 'exact') = 9007199254740992", 'true'],
    ["NET.PUBLIC_SUFFIX('a.ﬁ')", '"ﬁ"'],
    ["NET.REG_DOMAIN('食狮.公司.cn')", '"食狮.公司.cn"'],
    ["SELECT SUM(x) FROM UNNEST([BIGNUMERIC '1.5', BIGNUMERIC '2']) x", '"3.5"'],
    // Rounding half to even, and to places that rows have.
    ["ROUND(NUMERIC '2.5', 0, 'ROUND_HALF_EVEN')", '"2"'],
    ["ROUND(NUMERIC '-3.5', 0, 'ROUND_HALF_EVEN')", '"-4"'],
    ["ROUND(NUMERIC '0.35', 1, 'ROUND_HALF_EVEN')", '"0.4"'],
    ["ROUND(NUMERIC '25', -1, 'ROUND_HALF_EVEN')", '"20"'],
    ["ROUND(NUMERIC '25.000000001', -1, 'ROUND_HALF_EVEN')", '"30"'],
    ["ROUND(NUMERIC '2.5', 0, 'ROUND_HALF_AWAY_FROM_ZERO')", '"3"'],
    ["ROUND(BIGNUMERIC '-2.5', 0, 'ROUND_HALF_EVEN')", '"-2"'],
    ["ROUND(BIGNUMERIC '3.5', 0, 'ROUND_HALF_EVEN')", '"4"'],
    ["ROUND(NUMERIC '2.5', 0, NULL)", 'null'],
    ["ROUND(NUMERIC '2.5', NULL, 'ROUND_HALF_EVEN')", 'null'],
    ["SELECT ROUND(NUMERIC '12345.6789', n) FROM UNNEST([-4]) AS n", '"10000"'],
    ["SELECT ROUND(NUMERIC '-12345.6785', n) FROM UNNEST([3]) AS n", '"-12345.679"'],
    ["SELECT TRUNC(NUMERIC '-12345.6789', n) FROM UNNEST([3]) AS n", '"-12345.678"'],
    ["SELECT ROUND(NUMERIC '12345.6789', n) FROM UNNEST([9223372036854775807]) AS n", '"12345.6789"'],
    ["SELECT ROUND(NUMERIC '12345.6789', n) FROM UNNEST([-9223372036854775808]) AS n", '"0"'],
    ["CAST('-0X1f ' AS FLOAT64)", '-31.0'],
    ["CAST('0x1F' AS FLOAT64)", '31.0'],
    ['CAST(NULL AS INT64) >> -1', 'null'],
    ["CAST(NUMERIC '9999999999.999999999' AS BIGNUMERIC)", '"9999999999.999999999"'],
    ["DATE(TIMESTAMP '2024-01-01 00:00:00+00', 'America/New_York')", '"2023-12-31"'],
    [
      "DATETIME_BUCKET(DATETIME '2023-02-28 12:00:00', INTERVAL 1 MONTH, DATETIME '2024-01-31 13:00:00')",
      '"2023-01-31T13:00:00"',
    ],
    [
      "DATETIME_BUCKET(DATETIME '2023-02-28 13:00:00', INTERVAL 1 YEAR, DATETIME '2024-02-29 13:00:00')",
      '"2023-02-28T13:00:00"',
    ],
    [
      "DATETIME_BUCKET(DATETIME '2023-02-28 14:00:00', INTERVAL 1 MONTH, DATETIME '2024-01-31 13:00:00')",
      '"2023-02-28T13:00:00"',
    ],
    [
      "DATETIME_BUCKET(DATETIME '2024-01-28 14:00:00', INTERVAL 1 YEAR, DATETIME '2024-02-29 13:00:00')",
      '"2023-02-28T13:00:00"',
    ],
    [
      "DATETIME_BUCKET(DATETIME '2024-02-28 14:00:00', INTERVAL 1 YEAR, DATETIME '2024-01-31 13:00:00')",
      '"2024-01-31T13:00:00"',
    ],
    ['DATE_BUCKET(CAST(NULL AS DATE), INTERVAL -1 DAY)', 'null'],
    ["DATE_BUCKET(CAST(NULL AS DATE), INTERVAL 1 DAY, DATE '2024-01-01')", 'null'],
    ["DATE_BUCKET(DATE '0001-01-01', INTERVAL 2 DAY, DATE '2024-01-02')", '"0001-01-01"'],
    ["DATE_BUCKET(DATE '0001-01-31', INTERVAL 3 MONTH)", '"0001-01-01"'],
    ["DATE_BUCKET(DATE '2023-02-27', INTERVAL 1 MONTH, DATE '2024-01-31')", '"2023-01-31"'],
    ["DATE_BUCKET(DATE '2023-03-01', INTERVAL 1 MONTH, DATE '2024-01-31')", '"2023-02-28"'],
    ["DATE_BUCKET(DATE '2023-04-29', INTERVAL 1 MONTH, DATE '2024-01-31')", '"2023-03-31"'],
    ["DATE_BUCKET(DATE '2023-04-30', INTERVAL 1 MONTH, DATE '2024-01-31')", '"2023-04-30"'],
    ["DATE_BUCKET(DATE '2024-04-29', INTERVAL 1 MONTH, DATE '2024-01-31')", '"2024-03-31"'],
    ["DATE_BUCKET(DATE '2024-04-30', INTERVAL 1 MONTH, DATE '2024-01-31')", '"2024-04-30"'],
    ["DATE_BUCKET(DATE '9999-12-31', INTERVAL 9000 YEAR)", '"1950-01-01"'],
    ['GREATEST(INTERVAL 24 HOUR, INTERVAL 1 DAY)', '"0-0 0 24:0:0"'],
    ['GREATEST(INTERVAL 25 HOUR, INTERVAL 1 DAY)', '"0-0 0 25:0:0"'],
    ['INTERVAL CAST(NULL AS INT64) DAY', 'null'],
    ["LAST_DAY(DATE '9999-12-31')", '"9999-12-31"'],
    ["LAST_DAY(DATE '9999-12-31', YEAR)", '"9999-12-31"'],
    ['LEAST(INTERVAL 1 DAY, INTERVAL 24 HOUR)', '"0-0 1 0:0:0"'],
    ['LEAST(INTERVAL 1 DAY, NULL, INTERVAL 23 HOUR)', 'null'],
    ['MAKE_INTERVAL(year => CAST(NULL AS INT64), month => 0, day => 253402300799, second => 0)', 'null'],
    [
      "NUMERIC '-99999999999999999999999999999.999999999' / NUMERIC '3.7'",
      '"-27027027027027027027027027027.027027027"',
    ],
    ["NUMERIC '12345678901234567890.123456789' * NUMERIC '-1.1'", '"-13580246791358024679.135802468"'],
    ["NUMERIC '99999999999999999999999999999.999999999' * NUMERIC '0.000000001'", '"100000000000000000000"'],
    ["NUMERIC '99999999999999999999999999999.999999999' / 1", '"99999999999999999999999999999.999999999"'],
    ["SAFE.SQRT(CAST('-inf' AS FLOAT64))", 'null'],
    [
      "SAFE.TIMESTAMP_BUCKET(TIMESTAMP '2023-12-31 23:59:59.999999+00', INTERVAL -1 DAY, TIMESTAMP '2024-02-29 12:34:56+00')",
      'null',
    ],
    [
      "SAFE.TIMESTAMP_BUCKET(TIMESTAMP '2023-12-31 23:59:59.999999+00', INTERVAL 1000000 DAY, TIMESTAMP '2024-02-29 12:34:56+00')",
      'null',
    ],
    ["SAFE_MULTIPLY(NUMERIC '-99999999999999999999999999999.999999999', NUMERIC '2')", 'null'],
    ["SELECT ARRAY_AGG(x ORDER BY NUMERIC '1') FROM UNNEST([1]) x", '[1]'],
    [
      'SELECT ARRAY_LENGTH(ARRAY(SELECT COUNT(*) FROM UNNEST(ARRAY<INT64>[]) x GROUP BY GROUPING SETS((x), ())))',
      '0',
    ],
    ['SELECT ARRAY_LENGTH(ARRAY(SELECT COUNT(*) FROM UNNEST(ARRAY<INT64>[]) x GROUP BY ROLLUP(x)))', '0'],
    ["SELECT AVG(DISTINCT x) FROM UNNEST([NUMERIC '-1', 1.5, -2, -2, NULL]) x", '"-0.5"'],
    ['SELECT AVG(x) FROM UNNEST([1.79e308, 1.79e308]) x', '1.79e308'],
    ["SELECT AVG(x) FROM UNNEST([NUMERIC '-1', -2, -2]) x", '"-1.666666667"'],
    ["SELECT AVG(x) FROM UNNEST([NUMERIC '0.000000001', 0, NUMERIC '0.000000002', -1]) x", '"-0.249999999"'],
    [
      "SELECT AVG(x) FROM UNNEST([NUMERIC '99999999999999999999999999999.999999999', NUMERIC '-99999999999999999999999999999.999999999']) x",
      '"0"',
    ],
    [
      "SELECT AVG(x) FROM UNNEST([NUMERIC '99999999999999999999999999999.999999999', NUMERIC '99999999999999999999999999999.999999999']) x",
      '"99999999999999999999999999999.999999999"',
    ],
    ["SELECT CORR(x, 1) FROM UNNEST([NUMERIC '1', 2]) x", 'NaN'],
    ['SELECT CORR(x, x) FROM UNNEST([1.0, 1.0]) x', 'NaN'],
    ['SELECT CORR(x, x) FROM UNNEST([1.0]) x', 'null'],
    ["SELECT COVAR_POP(x, NUMERIC '2') FROM UNNEST([NUMERIC '1', 2]) x", '0.0'],
    ['SELECT LAG(x, 1, -5) OVER (ORDER BY x) FROM UNNEST([1,2]) x', '-5'],
    ['SELECT LAG(x, 1, 1+1) OVER (ORDER BY x) FROM UNNEST([1,2]) x', '2'],
    ['SELECT LAG(x, 1, ABS(-5)) OVER (ORDER BY x) FROM UNNEST([1,2]) x', '5'],
    ["SELECT LAG(x, 1, CAST('1' AS INT64)) OVER (ORDER BY x) FROM UNNEST([1,2]) x", '1'],
    [
      "SELECT LAG(x, 1, DATE '2024-01-01') OVER (ORDER BY x) FROM UNNEST([DATE '2024-01-01']) x",
      '"2024-01-01"',
    ],
    ['SELECT LAG(x, 1, INTERVAL 1 DAY) OVER (ORDER BY 1) FROM UNNEST([INTERVAL 1 DAY]) x', '"0-0 1 0:0:0"'],
    ['SELECT LAG(x, 1, [1]) OVER (ORDER BY 1+1) FROM UNNEST([1]) y, UNNEST([STRUCT([1] AS x)])', '[1]'],
    ["SELECT PERCENTILE_CONT(NUMERIC '1', 1) OVER () FROM UNNEST([NUMERIC '1', 2]) x", '1.0'],
    ["SELECT PERCENTILE_CONT(x, 0) OVER () FROM UNNEST([CAST('nan' AS FLOAT64), 1.0]) x", 'NaN'],
    ["SELECT PERCENTILE_CONT(x, 0.25) OVER () FROM UNNEST([CAST('nan' AS FLOAT64), 1.0, 2.0]) x", 'NaN'],
    [
      'SELECT PERCENTILE_CONT(x, 0.5) OVER () FROM UNNEST([1.7976931348623157e308, -1.7976931348623157e308]) x',
      '0.0',
    ],
    ["SELECT PERCENTILE_CONT(x, 0.5) OVER () FROM UNNEST([CAST('inf' AS FLOAT64), 1.0]) x", 'Infinity'],
    [
      "SELECT PERCENTILE_CONT(x, 0.5) OVER () FROM UNNEST([CAST('inf' AS FLOAT64), CAST('-inf' AS FLOAT64)]) x",
      'NaN',
    ],
    ["SELECT PERCENTILE_CONT(x, 0.5) OVER () FROM UNNEST([CAST('nan' AS FLOAT64), 1.0]) x", 'NaN'],
    ["SELECT PERCENTILE_CONT(x, 0.5) OVER () FROM UNNEST([NUMERIC '1', 2]) x", '1.5'],
    ['SELECT PERCENTILE_CONT(x, 1) OVER () FROM UNNEST([1, 2]) x', '2.0'],
    ["SELECT PERCENTILE_DISC(x, 0) OVER () FROM UNNEST([CAST('nan' AS FLOAT64), 1.0]) x", 'NaN'],
    ['SELECT PERCENTILE_DISC(x, 0.1) OVER () FROM UNNEST([1,2,3,4,5,6,7,8,9,10]) x', '2'],
    ['SELECT PERCENTILE_DISC(x, 0.3) OVER () FROM UNNEST([1,2,3,4,5,6,7,8,9,10]) x', '3'],
    ["SELECT PERCENTILE_DISC(x, 0.5) OVER () FROM UNNEST([CAST('nan' AS FLOAT64), 1.0]) x", 'NaN'],
    ['SELECT PERCENTILE_DISC(x, 0.9) OVER () FROM UNNEST([1,2,3,4,5,6,7,8,9,10]) x', '10'],
    ["SELECT PERCENTILE_DISC(x, BIGNUMERIC '0.5') OVER () FROM UNNEST([2, 1]) x", '1'],
    ["SELECT PERCENTILE_DISC(x, NUMERIC '0.1') OVER () FROM UNNEST([1,2,3,4,5,6,7,8,9,10]) x", '1'],
    ["SELECT PERCENTILE_DISC(x, NUMERIC '0.5') OVER () FROM UNNEST([2, 1]) x", '1'],
    [
      "SELECT SAFE.DATE_ADD(DATE '2024-01-01', INTERVAL x WEEK) FROM UNNEST([-9223372036854775808]) x",
      'null',
    ],
    ['SELECT SAFE.DATE_FROM_UNIX_DATE(x) FROM UNNEST([-9223372036854775808]) x', 'null'],
    [
      "SELECT STDDEV(x) FROM UNNEST([NUMERIC '0.000000001', NUMERIC '-0.000000001']) x",
      '1.4142135623730951e-9',
    ],
    ['SELECT SUM(DISTINCT x) FROM UNNEST([CAST(NULL AS NUMERIC)]) x', 'null'],
    ['SELECT SUM(x) FROM UNNEST([1.79e308, 1.79e308, -1.79e308]) x', '1.79e308'],
    [
      "SELECT SUM(x) FROM UNNEST([NUMERIC '99999999999999999999999999999.999999999', NUMERIC '99999999999999999999999999999.999999999', NUMERIC '-99999999999999999999999999999.999999999']) x",
      '"99999999999999999999999999999.999999999"',
    ],
    [
      'ARRAY(SELECT AS STRUCT 2 AS v, 2 AS w, COUNT(*) AS n FROM UNNEST([1]) x GROUP BY CUBE(v, w) ORDER BY 1,2,3)',
      '[{"v":null,"w":null,"n":1},{"v":null,"w":2,"n":1},{"v":2,"w":null,"n":1},{"v":2,"w":2,"n":1}]',
    ],
    [
      'ARRAY(SELECT AS STRUCT x+1 AS v, x, COUNT(*) AS n FROM UNNEST([1]) x GROUP BY ROLLUP(x+1, x) ORDER BY 1,2,3)',
      '[{"v":null,"x":null,"n":1},{"v":null,"x":null,"n":1},{"v":2,"x":1,"n":1}]',
    ],
    ['SELECT VAR_POP(x) FROM UNNEST([0.3, 0.3, 0.3]) x', '0.0'],
    [
      'SELECT VAR_POP(x) FROM UNNEST([9007199254740993, 9223372036854775807, 9223372036854775806]) x',
      '1.886767096897776e37',
    ],
    [
      'SELECT VAR_POP(x) FROM UNNEST([9007199254740993.0, 9.223372036854775e18, 1.5]) x',
      '1.8886132468919212e37',
    ],
    ['SELECT VAR_POP(x) FROM UNNEST([9223372036854775807, 9223372036854775806]) x', '0.0'],
    [
      'SELECT v FROM (SELECT 2 AS k, COUNT(*) + 2 AS v FROM UNNEST([1]) x GROUP BY ROLLUP(k)) ORDER BY k',
      '3',
    ],
    ['TIME(25, NULL, 1)', 'null'],
    ["TIMESTAMP('2024-02-29 12:34:56')", '1709210096000000'],
    ["TIMESTAMP('2024-02-29 12:34:56', 'America/New_York')", '1709228096000000'],
    ["TIMESTAMP('2024-02-29 12:34:56+01')", '1709206496000000'],
    ["TIMESTAMP('2024-02-29 12:34:56Z')", '1709210096000000'],
    ["TIMESTAMP('2024-02-29', 'America/New_York')", '1709182800000000'],
    ["TIMESTAMP_TRUNC(TIMESTAMP '2024-01-01 00:00:00+00', WEEK, 'Asia/Kolkata')", '1703961000000000'],
    ["TIME_ADD(TIME '12:00:00', INTERVAL -9223372036854775808 MICROSECOND)", '"07:59:05.224192"'],
    ["TIME_ADD(TIME '12:00:00', INTERVAL -9223372036854775808 SECOND)", '"20:29:52"'],
    ["TIME_SUB(TIME '12:00:00', INTERVAL -9223372036854775808 HOUR)", '"20:00:00"'],
    ["TIME_SUB(TIME '12:00:00', INTERVAL 9007199254740993 HOUR)", '"03:00:00"'],
    ["TIME_SUB(TIME '12:00:00.5', INTERVAL 9007199254740993 MILLISECOND)", '"03:00:59.507000"'],
    ["TRUNC(CAST('nan' AS FLOAT64), CAST(NULL AS INT64))", 'null'],
    ['TRUNC(100.25, 64)', '100.25'],
    // NULL beside a value that is an error.
    ['LEFT(CAST(NULL AS STRING), -1)', 'null'],
    ['REPEAT(CAST(NULL AS STRING), -2)', 'null'],
    ["SUBSTR('', CAST(NULL AS INT64), -2)", 'null'],
    ["EDIT_DISTANCE('', CAST(NULL AS STRING), max_distance => -9)", 'null'],
    ["EDIT_DISTANCE('a', 'b')", '1'],
    ["FLOAT64(CAST(NULL AS JSON), wide_number_mode => 'strict')", 'null'],
    ['DATETIME(0, CAST(NULL AS INT64), 1, 0, 0, -7)', 'null'],
    ['CAST(NULL AS TIMESTAMP) + MAKE_INTERVAL(1, -2, 3, -4, 5, -6)', 'null'],
    // Frames by value, at the ends of a type and for numbers with fractions.
    [
      'SELECT COUNT(*) OVER (ORDER BY x RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS n FROM UNNEST([-9223372036854775808, 9223372036854775807, 9223372036854775806]) x ORDER BY x DESC',
      '2',
    ],
    [
      'SELECT COUNT(*) OVER (ORDER BY x DESC RANGE BETWEEN 1 FOLLOWING AND 2 FOLLOWING) AS n FROM UNNEST([-9223372036854775808, 3]) x ORDER BY x',
      '0',
    ],
    [
      'SELECT COUNT(*) OVER (ORDER BY x RANGE BETWEEN 0.5 PRECEDING AND 0.5 FOLLOWING) AS n FROM UNNEST([1.5, 1.0, 1.75, 3]) x WHERE x > 1 ORDER BY x',
      '2',
    ],
    [
      "SELECT COUNT(*) OVER (ORDER BY x RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS n FROM UNNEST([CAST('nan' AS FLOAT64), 1.0, CAST('-inf' AS FLOAT64), CAST('nan' AS FLOAT64)]) x ORDER BY x",
      '2',
    ],
    [
      "SELECT COUNT(*) OVER (ORDER BY x RANGE BETWEEN NUMERIC '0.5' PRECEDING AND NUMERIC '0.5' FOLLOWING) AS n FROM UNNEST([NUMERIC '1', 1.5, NUMERIC '-99999999999999999999999999999.999999999']) x ORDER BY x",
      '1',
    ],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    [
      "CAST(NUMERIC '99999999999999999999999999999.999999999' AS BIGNUMERIC)",
      'not supported by the embedded engine: BIGNUMERIC with more than 38 digits',
    ],
    ["CBRT(NUMERIC '27')", 'not supported by the embedded engine: CBRT on NUMERIC'],
    ["DATE(TIMESTAMP '0001-01-01 00:00:00+00', 'America/New_York')", 'DATETIME overflow'],
    ["DATETIME(TIMESTAMP '9999-12-31 23:59:59.999999+00', 'Asia/Kolkata')", 'DATETIME overflow'],
    [
      "DATETIME_BUCKET(DATETIME '2023-02-28 13:00:00', INTERVAL 10001 YEAR, DATETIME '2024-02-29 13:00:00')",
      "Interval field months '120012' is out of range -120000 to 12",
    ],
    [
      "DATETIME_BUCKET(DATETIME '2024-02-29 12:34:56', INTERVAL 1000000 WEEK)",
      "Interval field days '7000000' is out of range -3660000 to 36",
    ],
    [
      'DATE_BUCKET(CAST(NULL AS DATE), INTERVAL 9223372036854775807 DAY)',
      "Interval field days '9223372036854775807' is out of range -3",
    ],
    ["DATE_BUCKET(DATE '0001-01-01', INTERVAL 1 MONTH, DATE '9999-12-15')", 'DATE overflow'],
    ["DATE_BUCKET(DATE '0001-01-01', INTERVAL 2 WEEK)", 'DATE overflow'],
    [
      "EXTRACT(DATE FROM TIMESTAMP '9999-12-31 23:59:59.999999+00' AT TIME ZONE 'Asia/Kolkata')",
      'DATETIME overflow',
    ],
    [
      "EXTRACT(DATETIME FROM TIMESTAMP '9999-12-31 23:59:59.999999+00' AT TIME ZONE 'Asia/Kolkata')",
      'DATETIME overflow',
    ],
    ["LAST_DAY(DATE '9999-12-31', ISOWEEK)", 'DATE overflow'],
    ["LAST_DAY(DATE '9999-12-31', ISOYEAR)", 'DATE overflow'],
    ['MAKE_INTERVAL(1, month => 2, 3)', 'Call to function MAKE_INTERVAL must not specify positional a'],
    [
      'MAKE_INTERVAL(month => 1000000, day => 1, hour => 0, second => 0)',
      "Interval field months '1000000' is out of range -120000 to 1",
    ],
    [
      "NUMERIC '99999999999999999999999999999.999999999' / NUMERIC '-0.1'",
      'numeric overflow: 99999999999999999999999999999.999999999 / ',
    ],
    [
      "SAFE.DATE_BUCKET(DATE '2024-02-29', INTERVAL (9007199254740993) DAY)",
      'not supported by the embedded engine: SAFE.DATE_BUCKET with an interval that may',
    ],
    [
      "SAFE_CAST(NUMERIC '9999999999.999999999' AS BIGNUMERIC)",
      'not supported by the embedded engine: SAFE_CAST of NUMERIC as BIGNUMERIC',
    ],
    [
      'SELECT ABS(x+1) FROM UNNEST([1]) x GROUP BY x+1',
      'SELECT list expression references column x which is neither ',
    ],
    ["SELECT ARRAY_AGG(x ORDER BY 'a') FROM UNNEST([1]) x", 'Cannot ORDER BY literal values'],
    ['SELECT ARRAY_AGG(x ORDER BY -1) FROM UNNEST([1]) x', 'do not allow ORDER BY by index'],
    ['SELECT ARRAY_AGG(x ORDER BY -1.5) FROM UNNEST([1]) x', 'Cannot ORDER BY literal values'],
    [
      'SELECT CORR(x, -x) FROM UNNEST([1e200, -1e200]) x',
      'not supported by the embedded engine: CORR of such numbers',
    ],
    [
      'SELECT CORR(x, x) FROM UNNEST([1.79e308, -1.79e308]) x',
      'not supported by the embedded engine: CORR of such numbers',
    ],
    [
      'SELECT CORR(x, x) FROM UNNEST([5e-324, 0]) x',
      'not supported by the embedded engine: CORR of such numbers',
    ],
    [
      "SELECT CORR(x, x+x) FROM UNNEST([NUMERIC '12345678901234567890.123456789', NUMERIC '12345678901234567890.123456788']) x",
      'not supported by the embedded engine: CORR of such numbers',
    ],
    [
      'SELECT CORR(x, y) FROM UNNEST([STRUCT(1.79e308 as x, 1.0 as y), (0.0, 2.0), (5e-324, 3.0)])',
      'not supported by the embedded engine: CORR of such numbers',
    ],
    [
      'SELECT COUNT(*) FROM UNNEST([1]) x GROUP BY x+1 HAVING x+1 = 2',
      'HAVING clause expression references column x which is neithe',
    ],
    [
      'SELECT COVAR_POP(x, -x) FROM UNNEST([1e200, -1e200]) x',
      'not supported by the embedded engine: COVAR_POP of such numbers',
    ],
    [
      'SELECT FIRST_VALUE(CAST(NULL AS TIME)) OVER (ORDER BY x) FROM UNNEST([1]) x',
      'Argument 1 to FIRST_VALUE must be non-NULL',
    ],
    [
      'SELECT LAG(x, 1, (SELECT 1)) OVER (ORDER BY x) FROM UNNEST([1,2]) x',
      'Argument 3 to LAG must be a constant expression',
    ],
    [
      'SELECT LAG(x, 1, x) OVER (ORDER BY x) FROM UNNEST([1,2]) x',
      'Argument 3 to LAG must be a constant expression',
    ],
    [
      "SELECT PERCENTILE_CONT(x, BIGNUMERIC '1') OVER () FROM UNNEST([1, 2]) x",
      'not supported by the embedded engine: PERCENTILE_CONT on BIGNUMERIC',
    ],
    [
      "SELECT PERCENTILE_CONT(x, NUMERIC '0.5') OVER () FROM UNNEST([NUMERIC '1', 2]) x",
      'not supported by the embedded engine: PERCENTILE_CONT on NUMERIC',
    ],
    [
      'SELECT RANK() OVER (ORDER BY x+1) FROM UNNEST([1]) x GROUP BY x+1',
      'expression references column x which is neither grouped',
    ],
    [
      "SELECT STDDEV(x) FROM UNNEST([BIGNUMERIC '0.00000000000000000000000000000000000001', BIGNUMERIC '1']) x",
      'not supported by the embedded engine: BIGNUMERIC with more than 38 digits',
    ],
    [
      'SELECT STDDEV_POP(x) FROM UNNEST([1.79e308, -1.79e308]) x',
      'not supported by the embedded engine: STDDEV_POP of such numbers',
    ],
    [
      'SELECT STDDEV_POP(x) FROM UNNEST([1e200, -1e200]) x',
      'not supported by the embedded engine: STDDEV_POP of such numbers',
    ],
    [
      'SELECT STDDEV_SAMP(x) FROM UNNEST([1e154, -1e154, 0]) x',
      'not supported by the embedded engine: STDDEV_SAMP of such numbers',
    ],
    [
      "SELECT SUM(x) FROM UNNEST([NUMERIC '99999999999999999999999999999.999999999', NUMERIC '0.000000001']) x",
      'numeric overflow: SUM',
    ],
    [
      "SELECT SUM(x) FROM UNNEST([NUMERIC '99999999999999999999999999999.999999999', NUMERIC '99999999999999999999999999999.999999999']) x",
      'numeric overflow: SUM',
    ],
    [
      'SELECT VAR_POP(x) FROM UNNEST([1.79e308, -1.79e308]) x',
      'not supported by the embedded engine: VAR_POP of such numbers',
    ],
    [
      'SELECT VAR_POP(x) FROM UNNEST([1.79e308, 1.79e308]) x',
      'not supported by the embedded engine: VAR_POP of such numbers',
    ],
    [
      'SELECT VAR_POP(x) FROM UNNEST([5e-324, 0]) x',
      'not supported by the embedded engine: VAR_POP of such numbers',
    ],
    [
      'SELECT VAR_SAMP(x) FROM UNNEST([1.79e308, -1.79e308]) x',
      'not supported by the embedded engine: VAR_SAMP of such numbers',
    ],
    [
      "SELECT VAR_SAMP(x) FROM UNNEST([NUMERIC '99999999999999999999999999999.999999999', NUMERIC '99999999999999999999999999999.999999998']) x",
      'not supported by the embedded engine: VAR_SAMP of such numbers',
    ],
    [
      'SELECT x+1 FROM UNNEST([1]) x GROUP BY x+1 ORDER BY x+1',
      'ORDER BY clause expression references column x which is neit',
    ],
    ["SQRT(CAST('-inf' AS FLOAT64))", 'The query failed on a value: one is out of range, or cannot '],
    ["TIMESTAMP('2024-02-29 12:34:56 +01')", "Invalid timestamp: '2024-02-29 12:34:56 +01'"],
    [
      "TIMESTAMP('2024-02-29 12:34:56 America/New_York', 'Mars/Base')",
      "Invalid timestamp: '2024-02-29 12:34:56 America/New_York'",
    ],
    [
      "TIMESTAMP('2024-02-29 12:34:56 America/New_York', 'UTC')",
      "Invalid timestamp: '2024-02-29 12:34:56 America/New_York'",
    ],
    ["TIMESTAMP('2024-02-29 12:34:56+01', 'UTC')", "Invalid timestamp: '2024-02-29 12:34:56+01'"],
    ["TIMESTAMP('2024-02-29 12:34:56Z', 'UTC')", "Invalid timestamp: '2024-02-29 12:34:56Z'"],
    ["TIMESTAMP('2024-02-29 UTC')", "Invalid timestamp: '2024-02-29 UTC'"],
    ["TIMESTAMP('2024-02-29 Z')", "Invalid timestamp: '2024-02-29 Z'"],
    ["TIMESTAMP('2024-02-29+01')", "Invalid timestamp: '2024-02-29+01'"],
    ["TIMESTAMP('2024-02-29Z')", "Invalid timestamp: '2024-02-29Z'"],
    ["TIMESTAMP(DATE '0001-01-01', 'Asia/Kolkata')", 'TIMESTAMP overflow'],
    ["TIMESTAMP(DATETIME '0001-01-01 00:00:00', 'Asia/Kolkata')", 'TIMESTAMP overflow'],
    ["TIMESTAMP(DATETIME '9999-12-31 23:59:59', 'America/New_York')", 'TIMESTAMP overflow'],
    [
      "TIMESTAMP_BUCKET(TIMESTAMP '0001-01-01', INTERVAL 1 HOUR, TIMESTAMP '9999-12-31 00:30:00+00')",
      'TIMESTAMP overflow',
    ],
    [
      "TIMESTAMP_BUCKET(TIMESTAMP '2024-01-01', INTERVAL 9223372036854775807 HOUR)",
      "Interval field microseconds '33204139332677192905200000000' ",
    ],
    ["TIMESTAMP_TRUNC(TIMESTAMP '0001-01-01 00:00:00+00', DAY, 'America/New_York')", 'TIMESTAMP overflow'],
    ["TIMESTAMP_TRUNC(TIMESTAMP '2024-02-29 12:34:56+00', SECOND, '+14:01')", 'Invalid time zone'],
    ["TIMESTAMP_TRUNC(TIMESTAMP '0001-01-01 00:00:00+00', DAY, 'Asia/Kolkata')", 'TIMESTAMP overflow'],
    ["TIMESTAMP_TRUNC(TIMESTAMP '0001-01-01 00:00:00+00', HOUR, 'Asia/Kolkata')", 'TIMESTAMP overflow'],
    ["TIMESTAMP_TRUNC(TIMESTAMP '0001-01-01 00:00:00+00', MINUTE, 'America/New_York')", 'TIMESTAMP overflow'],
    ["TIMESTAMP_TRUNC(TIMESTAMP '0001-01-01 00:00:00+00', WEEK, 'Asia/Kolkata')", 'TIMESTAMP overflow'],
    ["ROUND(NUMERIC '2.5', 0, 'UP')", "must be 'ROUND_HALF_AWAY_FROM_ZERO' or 'ROUND_HALF_EVEN'"],
    ["SELECT ROUND(NUMERIC '2.5', 0, m) FROM UNNEST(['ROUND_HALF_EVEN']) AS m", 'must be'],
    ["ROUND(2.5, 0, 'ROUND_HALF_EVEN')", 'No matching signature'],
    ["SELECT ROUND(NUMERIC '99999999999999999999999999999.5', n) FROM UNNEST([0]) AS n", 'out of range'],
    ["FLOAT64(JSON '9007199254740994', wide_number_mode => 'exact')", 'without loss of precision'],
    ["FORMAT_DATE('%5Q', DATE '2020-03-04')", 'not supported by the embedded engine'],
    ["FORMAT_DATE('%100A', DATE '2020-03-04')", 'not supported by the embedded engine'],
    ["FORMAT_DATE('%-H', DATE '2020-03-04')", 'not supported by the embedded engine'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
