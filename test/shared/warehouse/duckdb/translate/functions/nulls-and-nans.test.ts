import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

/** What Google's evaluator answers for these. */
describe('NULL and NaN in structs, subqueries and text', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ['STRUCT(1, NULL) NOT IN (SELECT STRUCT(1, 2))', 'null'],
    ['STRUCT(1, NULL) IN (SELECT STRUCT(2, 2))', 'false'],
    ['STRUCT(1, 2) IN (SELECT STRUCT(1, CAST(NULL AS INT64)))', 'null'],
    ['STRUCT(1, 2) NOT IN (SELECT STRUCT(1, CAST(NULL AS INT64)))', 'null'],
    ['STRUCT(1, 2) IN (SELECT STRUCT(1, 2) FROM UNNEST([1]) WHERE FALSE)', 'false'],
    ['STRUCT(1, 2) IN (SELECT STRUCT(1, x) FROM UNNEST([1, 2]) AS x)', 'true'],
    ["STRUCT(CAST('nan' AS FLOAT64), 2) IN (SELECT STRUCT(CAST('nan' AS FLOAT64), 2))", 'false'],
    ["CAST('nan' AS FLOAT64) IN (SELECT CAST('nan' AS FLOAT64))", 'false'],
    ["CAST('nan' AS FLOAT64) IN (SELECT CAST(NULL AS FLOAT64))", 'null'],
    ["1.5 IN (SELECT x FROM UNNEST([1.5, CAST('nan' AS FLOAT64)]) AS x)", 'true'],
    ['2.5 NOT IN (SELECT x FROM UNNEST([1.5, NULL]) AS x)', 'null'],
    ['LEFT(CAST(NULL AS STRING), -1)', 'null'],
    ["LPAD('abcdef', 2, 'é')", '"ab"'],
    ["RPAD('a', 3, 'éx')", '"aéx"'],
    ["LPAD('', 0)", '""'],
    ["LPAD('ab', CAST(NULL AS INT64))", 'null'],
    ["PARSE_JSON(CAST(NULL AS STRING), wide_number_mode => 'lax')", 'null'],
    [
      'SELECT x, STRUCT(x, y) IN (SELECT STRUCT(z, 2) FROM UNNEST([1, 2]) AS z WHERE z = x) AS v FROM (SELECT 1 AS x, 2 AS y UNION ALL SELECT 3, 4) ORDER BY x',
      '1,"v":true',
    ],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ["RIGHT('a', -1)", 'Second argument in RIGHT() cannot be negative'],
    ["PARSE_JSON('1', wide_number_mode => 'lax')", 'Invalid `wide_number_mode` specified: lax'],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
