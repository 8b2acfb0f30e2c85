import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Evaluator,
  openEvaluator,
} from '../shared/warehouse/duckdb/translate/functions/support/evaluator.ts';

/** Queries with windows, groups, casts and arrays that differed from Google's evaluator, with what that answers. */
describe('What Google’s evaluator found in windows, groups and casts', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  const values = (list: string) => `FROM UNNEST([${list}]) AS x LIMIT 1`;

  test.each([
    // Percentiles with NULL before all values.
    [`SELECT PERCENTILE_CONT(x, 0 RESPECT NULLS) OVER () ${values('0, 3, NULL, 1, 2')}`, 'null'],
    [`SELECT PERCENTILE_CONT(x, 0.01 RESPECT NULLS) OVER () ${values('0, 3, NULL, 1, 2')}`, '0.0'],
    [`SELECT PERCENTILE_CONT(x, 0.9 RESPECT NULLS) OVER () ${values('0, 3, NULL, 1, 2')}`, '2.6'],
    [
      `SELECT PERCENTILE_CONT(x, 0.3 RESPECT NULLS) OVER () ${values("NULL, 1, CAST('nan' AS FLOAT64)")}`,
      'NaN',
    ],
    [
      `SELECT PERCENTILE_CONT(x, 0.6 RESPECT NULLS) OVER () ${values("NULL, 1, NULL, CAST('-inf' AS FLOAT64)")}`,
      '-Infinity',
    ],
    [`SELECT PERCENTILE_CONT(x, 0.4 RESPECT NULLS) OVER () ${values("NUMERIC '1.5', NULL, NULL, 3")}`, '1.5'],
    [`SELECT PERCENTILE_CONT(x, 0.5 RESPECT NULLS) OVER () ${values('CAST(NULL AS INT64)')}`, 'null'],
    [`SELECT PERCENTILE_DISC(x, 0 RESPECT NULLS) OVER () ${values("'c', NULL, 'b', 'a'")}`, 'null'],
    [`SELECT PERCENTILE_DISC(x, 0.5 RESPECT NULLS) OVER () ${values("'c', NULL, 'b', 'a'")}`, '"a"'],
    [
      `SELECT PERCENTILE_DISC(x, 0.5 RESPECT NULLS) OVER () ${values("NULL, 1, CAST('nan' AS FLOAT64)")}`,
      'NaN',
    ],
    [
      'SELECT APPROX_QUANTILES(x, 2 RESPECT NULLS) FROM UNNEST([1, NULL, 1, NULL, NULL]) AS x',
      '[null,null,1]',
    ],
    ['SELECT APPROX_QUANTILES(x, 1 RESPECT NULLS) FROM UNNEST([2.5, NULL]) AS x', '[null,2.5]'],
    // One group of all rows, where there are none.
    ['SELECT COUNT(*) FROM UNNEST([1]) AS x WHERE FALSE GROUP BY ()', '0'],
    ['SELECT 1 FROM UNNEST([1]) AS x WHERE FALSE GROUP BY ()', '1'],
    ['SELECT COUNT(*) FROM UNNEST([1]) AS x WHERE FALSE GROUP BY ROLLUP (x)', 'no row'],
    // The text of an instant, or of a DATETIME.
    ["SELECT DATE(x) FROM UNNEST(['2020-09-01 23:00:00-08']) AS x", '"2020-09-02"'],
    ["SELECT DATE(SUBSTR('x2023-01-30', 2))", '"2023-01-30"'],
    ["SELECT DATETIME(x) FROM UNNEST(['2020-09-01T10:00:00.5']) AS x", '"2020-09-01T10:00:00.500000"'],
    ["SELECT SAFE.DATE(x) FROM UNNEST(['nope']) AS x", 'null'],
    ["SELECT SAFE.DATETIME(x) FROM UNNEST(['2020-09-01 10:00:00+01']) AS x", 'null'],
    // Fields of a constructor are cast one by one.
    [
      "SELECT SAFE_CAST((x, (y, 'z')) AS STRUCT<a INT64, b STRUCT<c INT64, d DATE>>) FROM (SELECT '1' AS x, '2' AS y)",
      '{"a":1,"b":{"c":2,"d":null}}',
    ],
    ["SELECT SAFE_CAST(s AS STRUCT<a INT64, b INT64>) FROM (SELECT STRUCT('1' AS x, 'q' AS y) AS s)", 'null'],
    ["SAFE_CAST('0000-12-31' AS DATE)", 'null'],
    // The width of a bucket is any INTERVAL of one kind of parts.
    [
      "TIMESTAMP_BUCKET(TIMESTAMP '2020-02-15 10:11:12+00', INTERVAL '1:30' HOUR TO MINUTE)",
      '1581757200000000',
    ],
    ["DATE_BUCKET(DATE '2020-02-15', MAKE_INTERVAL(day => 7))", '"2020-02-09"'],
    [
      "SELECT DATE_BUCKET(DATE '2020-02-29', x, '2020-01-31') FROM UNNEST([INTERVAL 1 MONTH]) AS x",
      '"2020-02-29"',
    ],
    ["DATE_BUCKET('2020-02-15', NULL)", 'null'],
    ["SELECT SAFE.DATE_BUCKET(DATE '2020-02-15', x) FROM UNNEST([INTERVAL 24 HOUR]) AS x", 'null'],
    ['SELECT DATETIME_BUCKET(CAST(NULL AS DATETIME), x) FROM UNNEST([INTERVAL -1 MONTH]) AS x', 'null'],
    // RIGHT JOIN with an array of the query around, but not with one of the rows on the left.
    [
      'SELECT (SELECT STRING_AGG(CONCAT(IFNULL(x, 0), y) ORDER BY y) FROM t.a AS x RIGHT JOIN t.b AS y ON x = y) FROM (SELECT [1, 4] AS a, [4, 6] AS b) AS t',
      '"44,06"',
    ],
    // An array whose elements are all NULL has the type that it names.
    ['ARRAY<BOOL>[NULL][ORDINAL(1)]', 'null'],
    ['ARRAY_LENGTH(ARRAY_CONCAT(ARRAY<STRING>[NULL], ARRAY<STRING>[NULL]))', '2'],
    ['SELECT ARRAY_AGG(x LIMIT 9223372036854775807) FROM UNNEST([1]) AS x', '[1]'],
  ])('%s is %s', async (googleSql, expected) => {
    expect(await evaluator.evaluate(googleSql)).toBe(expected);
  });

  test.each([
    ["CAST('0000-01-01' AS DATE)", 'Invalid date'],
    ["SELECT CAST(x AS DATE) FROM UNNEST(['0000-12-31']) AS x", 'Invalid date'],
    ["DATETIME('2020-09-01 23:00:00-08')", 'Invalid datetime'],
    ["SELECT DATE(x, 'UTC') FROM UNNEST(['2020-09-01']) AS x", 'No matching signature for function DATE'],
    ["DATE_BUCKET(DATE '2020-02-15', MAKE_INTERVAL(hour => 24))", 'an interval of months or of days'],
    [
      "TIMESTAMP_BUCKET(TIMESTAMP '2020-02-15', MAKE_INTERVAL(month => 1))",
      'an interval of days or of a time',
    ],
    [
      "SELECT DATETIME_BUCKET(DATETIME '2020-02-15', x) FROM UNNEST([INTERVAL '1 1' MONTH TO DAY]) AS x",
      'that is greater than zero',
    ],
    ["DATE_BUCKET(DATE '2020-02-15', INTERVAL 5 MINUTE)", 'an interval of months or of days'],
    ["SAFE.DATE('')", 'Could not cast literal "" to type TIMESTAMP'],
    ['ARRAY_CONCAT([1], NULL)', 'Argument 2 to ARRAY_CONCAT must be an array'],
    [
      "SELECT SUM(x) OVER (ORDER BY x RANGE NUMERIC '8e28' PRECEDING) FROM UNNEST([NUMERIC '1']) AS x",
      'not supported by the embedded engine: RANGE over NUMERIC with an offset of more than 7e+28',
    ],
    [
      'SELECT x, y FROM (SELECT 1 AS x, [1] AS a) AS t RIGHT JOIN t.a AS y ON TRUE',
      'Array scan is not allowed with RIGHT JOIN',
    ],
    ["ARRAY_CONCAT([NULL], ['a'])", 'No matching signature for function ARRAY_CONCAT'],
    [
      'SELECT SUM(x) OVER b FROM UNNEST([1]) AS x WINDOW b AS (a ORDER BY x), a AS (PARTITION BY x)',
      'Unrecognized window alias a',
    ],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
