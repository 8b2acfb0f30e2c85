import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Evaluator,
  openEvaluator,
} from '../shared/warehouse/duckdb/translate/functions/support/evaluator.ts';

/** Names, casts and literals that differed from Google's evaluator, with what that answers. */
describe('What Google’s evaluator found in names and casts', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    // A struct that is written out is cast field by field, another one as a whole.
    [
      "TO_JSON_STRING(SAFE_CAST((5, 'x') AS STRUCT<a STRING, b DATE>))",
      String.raw`"{\"a\":\"5\",\"b\":null}"`,
    ],
    [
      "TO_JSON_STRING(SAFE_CAST(('1', ('x', '2')) AS STRUCT<a INT64, b STRUCT<c INT64, d INT64>>))",
      String.raw`"{\"a\":1,\"b\":{\"c\":null,\"d\":2}}"`,
    ],
    ["SAFE_CAST((SELECT AS STRUCT 'x', 1) AS STRUCT<INT64, STRING>) IS NULL", 'true'],
    ["SAFE_CAST(IF(TRUE, STRUCT('x'), STRUCT('y')) AS STRUCT<INT64>) IS NULL", 'true'],
    ["SELECT SAFE_CAST((x, 'z') AS STRUCT<a INT64, b BYTES>).a FROM UNNEST(['7']) AS x", '7'],
    ['TO_JSON_STRING(CAST((1, NULL) AS STRUCT<a STRING, b DATE>))', String.raw`"{\"a\":\"1\",\"b\":null}"`],
    // A literal has no digits but zeros behind its scale; CAST rounds them.
    ["NUMERIC '1.10000000000'", '"1.1"'],
    ["NUMERIC '100000000000e-12'", '"0.1"'],
    ["CAST('1.1234567891' AS NUMERIC)", '"1.123456789"'],
    // Sorting keeps the sign of zero.
    ["SELECT ARRAY_AGG(x ORDER BY x) FROM UNNEST([CAST('-0.0' AS FLOAT64), 1]) AS x", '[-0.0,1.0]'],
    ["SELECT ARRAY_AGG(x) OVER (ORDER BY x) FROM UNNEST([CAST('-0.0' AS FLOAT64)]) AS x", '[-0.0]'],
    ['SELECT SUM(v) OVER (W2) FROM UNNEST([1]) AS v WINDOW w1 AS (ORDER BY v), w2 AS (W1)', '1'],
    // Conditions one after the other are of joins from the inside out.
    [
      'SELECT c.w FROM (SELECT 1 AS x) AS a LEFT JOIN (SELECT 2 AS y) AS b LEFT JOIN (SELECT 2 AS y, 4 AS w) AS c USING (y) ON x < y',
      '4',
    ],
    [
      'SELECT COUNT(c) FROM UNNEST([1, 2]) AS a LEFT JOIN UNNEST([1, 2]) AS b JOIN UNNEST([2, 3]) AS c ON b = c ON a = b',
      '1',
    ],
    ['SELECT * REPLACE ((SELECT SUM(x) OVER () FROM UNNEST([a]) AS x) AS a) FROM (SELECT 1 AS a)', '1'],
  ])('%s is %s', async (googleSql, expected) => {
    expect(await evaluator.evaluate(googleSql)).toBe(expected);
  });

  test.each([
    [
      '(SELECT 1 AS u) AS d CROSS JOIN ((SELECT 1 AS x, 2 AS y) AS a JOIN (SELECT 1 AS x) AS b USING (x))',
      'u x y',
    ],
    ['(SELECT 1 AS u) AS d, ((SELECT 1 AS x, 2 AS y) AS a JOIN (SELECT 1 AS x) AS b USING (x))', 'u x y'],
    [
      '(SELECT 1 AS x, 2 AS y) AS a JOIN ((SELECT 1 AS x, 3 AS z) AS b JOIN (SELECT 3 AS z, 4 AS w) AS c USING (z)) USING (x)',
      'x y z w',
    ],
    [
      '(SELECT 1 AS x, 2 AS y) AS a JOIN (SELECT 1 AS x, 3 AS z) AS b JOIN (SELECT 3 AS z, 4 AS w) AS c USING (z) USING (x)',
      'x y z w',
    ],
  ])('the columns of %s are %s', async (from, names) => {
    const row = await evaluator.evaluate(`SELECT TO_JSON_STRING(t) FROM (SELECT * FROM ${from}) AS t`);
    expect(Object.keys(JSON.parse(JSON.parse(row))).join(' ')).toBe(names);
  });

  test.each([
    ["NUMERIC '1.1000000001'", 'Invalid NUMERIC literal'],
    ["NUMERIC '1e-10'", 'Invalid NUMERIC literal'],
    ["BIGNUMERIC '0.000000000000000000000000000000000000001'", 'Invalid BIGNUMERIC literal'],
    ['CAST((1, 2) AS STRUCT<INT64>)', 'Invalid cast'],
    ["SAFE_CAST((1, DATE '2020-01-01') AS STRUCT<INT64, INT64>)", 'Invalid cast'],
    // A window refers to those before it.
    [
      'SELECT SUM(v) OVER w1 FROM UNNEST([1]) AS v WINDOW w1 AS (w2), w2 AS (ORDER BY v)',
      'Unrecognized window alias w2',
    ],
    ['SELECT 1 FROM UNNEST([1]) AS v WINDOW w1 AS w2', 'Unrecognized window alias w2'],
    [
      'SELECT * REPLACE (SUM(a) OVER () AS a) FROM (SELECT 1 AS a)',
      'Analytic function SUM not allowed in SELECT * REPLACE',
    ],
    ['SELECT SAFE.SUM(v) OVER () FROM UNNEST([1]) AS v', 'SAFE. is not supported for aggregate function SUM'],
    ['SELECT 1 FROM UNNEST([1]) AS a JOIN UNNEST([1]) AS b ON TRUE ON TRUE', 'Syntax error'],
    ['SELECT 1 FROM (SELECT 1), (SELECT 2) JOIN (SELECT 3) JOIN (SELECT 4) ON TRUE ON TRUE', 'Syntax error'],
    ['ARRAY_CONCAT([1], NULL)', 'must be an array, not NULL without a type'],
    ['SELECT ARRAY_CONCAT_AGG(NULL) FROM UNNEST([1])', 'must be an array, not NULL without a type'],
    ['STRUCT()', 'not supported by the embedded engine: a STRUCT without fields'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
