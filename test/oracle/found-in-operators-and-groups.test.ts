import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Evaluator,
  openEvaluator,
} from '../shared/warehouse/duckdb/translate/functions/support/evaluator.ts';

/** Queries that `npm run fuzz:values` found in operators, groups and arrays, with what Google's evaluator answers. */
describe('What Google’s evaluator found in operators and groups', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ["b'a' LIKE ANY ('b', 'a')", 'true'],
    ["'a' LIKE b'a'", 'true'],
    ["TO_HEX('az')", '"617a"'],
    ["TO_HEX(IF(TRUE, 'a', b'b'))", '"61"'],
    ["TO_HEX(['a', b'b'][OFFSET(0)])", '"61"'],
    ['SELECT id FROM UNNEST([7]) AS id GROUP BY + 1', '7'],
    ["SELECT ARRAY_AGG(id ORDER BY DATE '2024-01-01') FROM UNNEST([7]) AS id", '[7]'],
    ['SELECT ARRAY_AGG(id ORDER BY -(1)) FROM UNNEST([7]) AS id', '[7]'],
    ["SELECT COUNT(*) FROM UNNEST([7]) AS id GROUP BY DATE '2024-01-01'", '1'],
    ["SELECT id FROM UNNEST([3, 1, 2]) AS id ORDER BY DATE '2024-01-01', id", '1'],
    ["SELECT id FROM UNNEST([7]) AS id ORDER BY CAST('a' AS STRING)", '7'],
    ["GENERATE_ARRAY(CAST('inf' AS FLOAT64), CAST('inf' AS FLOAT64), -1)", '[Infinity]'],
    ["GENERATE_ARRAY(CAST('-0.0' AS FLOAT64), 1)", '[-0.0,1.0]'],
    ['GENERATE_ARRAY(-1.7e308, 1.7e308, 1e308)', '[-1.7e308,-6.999999999999999e307]'],
    [
      'GENERATE_ARRAY(-9223372036854775808, 9223372036854775807, 9223372036854775807)',
      '[-9223372036854775808,-1]',
    ],
    ['SAFE.GENERATE_ARRAY(1, 2, 0) IS NULL', 'true'],
    ["SAFE.GENERATE_DATE_ARRAY(DATE '2024-01-01', DATE '2024-01-02', INTERVAL 0 DAY) IS NULL", 'true'],
    ['SELECT LOG(x, y) FROM UNNEST([STRUCT(0.0 AS x, CAST(NULL AS FLOAT64) AS y)])', 'null'],
    ['SELECT SAFE.COALESCE(x, ARRAY_LAST(ARRAY<INT64>[])) FROM UNNEST([4]) AS x', '4'],
    ["SAFE.TYPEOF(LPAD(b'a', 0, b''))", '"BYTES"'],
    ['SELECT DATE_SUB(x, INTERVAL 9223372036854775807 YEAR) FROM UNNEST([CAST(NULL AS DATE)]) AS x', 'null'],
    [
      "SELECT IF(x > 5, TIMESTAMP_SUB(TIMESTAMP '2024-01-01', INTERVAL 9223372036854775807 MINUTE), NULL) FROM UNNEST([4]) AS x",
      'null',
    ],
    ['SELECT AVG(x) FROM UNNEST([INTERVAL 10000 YEAR, INTERVAL 10000 YEAR]) AS x', '"10000-0 0 0:0:0"'],
    [
      'SELECT SUM(DISTINCT x) FROM UNNEST([INTERVAL 1 DAY, INTERVAL 1 DAY, INTERVAL 1 MONTH]) AS x',
      '"0-1 1 0:0:0"',
    ],
    [
      'SELECT AVG(DISTINCT x) FROM UNNEST([INTERVAL 1 DAY, INTERVAL 3 DAY, INTERVAL 3 DAY]) AS x',
      '"0-0 2 0:0:0"',
    ],
    ['WITH t AS (SELECT 9007199254740993 AS n) SELECT 0 << n AS v FROM t EXCEPT DISTINCT SELECT 1', '0'],
    ['SELECT 0 << n FROM UNNEST([CAST(NULL AS INT64)]) AS n', 'null'],
    ['SELECT 1 >> n FROM UNNEST([CAST(NULL AS INT64)]) AS n', 'null'],
    ["SELECT TO_HEX(REPEAT(b'', n)) FROM UNNEST([1700000000000000]) AS n", '""'],
    ["SELECT REPEAT('', n) IS NULL FROM UNNEST([CAST(NULL AS INT64)]) AS n", 'true'],
    ['SELECT GENERATE_ARRAY(n, 1, n) FROM UNNEST([10]) AS n', '[]'],
    ['SELECT GENERATE_ARRAY(1, n, -3) FROM UNNEST([2]) AS n', '[]'],
    ["CAST(DATE '2024-02-29' - LAST_DAY(DATE '2024-02-29', YEAR) AS STRING)", '"0-0 -306 0:0:0"'],
    ["SELECT LENGTH(LPAD(b'a', n, b'\\xff')) FROM UNNEST([1000000]) AS n", '1000000'],
    [
      "SELECT FORMAT_TIMESTAMP(x, TIMESTAMP '2024-02-29 12:34:56+00', '11:16') FROM UNNEST([CAST(NULL AS STRING)]) AS x",
      'null',
    ],
    ["SELECT LENGTH(REPEAT(b'\\xff', n)) FROM UNNEST([1000000]) AS n", '1000000'],
    ["WITH t AS (SELECT b'' AS b) SELECT BIT_COUNT(b) FROM t UNION DISTINCT SELECT 0", '0'],
    ['SELECT ROUND(1.7e308, x) FROM UNNEST([-300]) AS x', '1.7e308'],
    ['SELECT TRUNC(1.7e308, x) FROM UNNEST([-307]) AS x', '1.6e308'],
    ['SELECT ROUND(-1.25e23, x) FROM UNNEST([-22]) AS x', '-1.2e23'],
    ["SELECT SAFE_CAST('2024' AS TIMESTAMP FORMAT 'YYYY' AT TIME ZONE x) FROM UNNEST(['Mars']) AS x", 'null'],
    [
      "SELECT CAST(TIMESTAMP '2024-01-01' AS STRING FORMAT CAST(NULL AS STRING) AT TIME ZONE x) FROM UNNEST(['Mars']) AS x",
      'null',
    ],
    ["SELECT CAST(x AS INTERVAL) FROM UNNEST(['P-1Y2M3DT4H5M6.5S']) AS x", '"-0-10 3 4:5:6.500"'],
    ["SELECT SAFE_CAST(x AS INTERVAL) FROM UNNEST(['10001-0']) AS x", 'null'],
    ['SELECT x IN UNNEST([STRUCT(1.5 AS b)]) FROM UNNEST([STRUCT(1 AS a)]) AS x', 'false'],
    ['SELECT x IN UNNEST(y) FROM (SELECT STRUCT(1 AS a) AS x, [STRUCT(1 AS b)] AS y)', 'true'],
    ['SELECT x = y FROM (SELECT STRUCT(1 AS a) AS x, STRUCT(1.5 AS b) AS y)', 'false'],
    ['TO_JSON_STRING(IF(TRUE, (SELECT STRUCT(1 AS a)), (SELECT STRUCT(1.5))))', '"{\\"a\\":1}"'],
  ])('%s is %s', async (googleSql, expected) => {
    expect(await evaluator.evaluate(googleSql)).toBe(expected);
  });

  test.each([
    ["b'é' LIKE ANY ('é')", 'No matching signature for operator LIKE ANY'],
    ["TO_HEX(CAST('a' AS STRING))", 'No matching signature for function TO_HEX'],
    ['SELECT id FROM UNNEST([7]) AS id GROUP BY id ORDER BY -1', 'column number range: -1'],
    ['SELECT 1 UNION ALL SELECT 2 ORDER BY -1', 'column number range: -1'],
    ['SELECT COUNT(*) FROM UNNEST([7]) AS id GROUP BY -1', 'column number range: -1'],
    ['SELECT COUNT(*) FROM UNNEST([7]) AS id GROUP BY ROLLUP(+ -1)', 'column number range: -1'],
    ['SELECT COUNT(*) FROM UNNEST([7]) AS id GROUP BY -1.5', 'Cannot GROUP BY a literal'],
    ['WITH t AS (SELECT 1 AS id) FROM t |> ORDER BY -1', 'column number range: -1'],
    ['WITH t AS (SELECT 1 AS id) FROM t |> ORDER BY -1.5', 'Cannot ORDER BY a literal'],
    [
      'WITH t AS (SELECT 1 AS id) FROM t |> AGGREGATE COUNT(*) AS v GROUP BY -2 AS k',
      'GROUP BY ordinal not allowed in pipe AGGREGATE',
    ],
    [
      'WITH t AS (SELECT 1 AS id) FROM t |> AGGREGATE COUNT(*) AS v GROUP BY ROLLUP(+1)',
      'GROUP BY ordinal not allowed in pipe AGGREGATE',
    ],
    ['SELECT ARRAY_AGG(id ORDER BY +1) FROM UNNEST([7]) AS id', 'do not allow ORDER BY by index'],
    ['SELECT ROUND(-1.7976931348623157e308, x) FROM UNNEST([-293]) AS x', 'Floating point overflow'],
    ["GENERATE_ARRAY(CAST('nan' AS FLOAT64), 1)", 'Sequence start, end, and step cannot be NaN.'],
    ['SAFE.GENERATE_ARRAY(1, 10000000)', 'Generated arrays have at most'],
    [
      "SAFE.GENERATE_DATE_ARRAY(DATE '0001-01-01', DATE '9999-12-31', INTERVAL 1 DAY)",
      'Generated arrays have at most',
    ],
    [
      "SELECT CAST(CAST(NULL AS TIMESTAMP) AS STRING FORMAT 'YYYY' AT TIME ZONE x) FROM UNNEST(['Mars']) AS x",
      'Invalid time zone: Mars',
    ],
    ["CAST(CAST(NULL AS STRING) AS TIMESTAMP FORMAT 'YYYY' AT TIME ZONE 'Mars')", 'Invalid time zone: Mars'],
    ["SELECT CAST(x AS INTERVAL) FROM UNNEST(['x']) AS x", "Invalid INTERVAL value 'x'"],
    ['STRUCT(1 AS a) IN (SELECT STRUCT(1.5))', 'No matching signature for operator IN'],
    ["'2024-01-01' IN (SELECT DATE '2024-01-01')", 'No matching signature for operator IN'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
