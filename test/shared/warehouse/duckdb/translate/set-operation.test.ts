import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './functions/support/evaluator.ts';

describe('A UNION ALL of constants on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  const LETTERS = [...'kjihgfedcba'];
  const UNION = LETTERS.map((letter, index) => `SELECT '${letter}' AS x, ${index} AS n`).join(' UNION ALL ');

  test.each([
    [`SELECT STRING_AGG(x, '') FROM (${UNION})`, '"kjihgfedcba"'],
    [`WITH t AS (${UNION}) SELECT STRING_AGG(x, '') FROM t WHERE n > 1`, '"ihgfedcba"'],
    [`WITH t AS (${UNION}) SELECT STRING_AGG(t.x, '') FROM t JOIN t AS u USING (n)`, '"kjihgfedcba"'],
    [`SELECT ARRAY_TO_STRING(ARRAY(SELECT x FROM (${UNION})), '')`, '"kjihgfedcba"'],
    ['SELECT ARRAY(SELECT 1 UNION ALL SELECT 2.5 UNION ALL SELECT NULL)[1]', '2.5'],
    [
      "SELECT TO_JSON_STRING(ARRAY_AGG(d)) FROM (SELECT '2026-01-02' AS d UNION ALL SELECT DATE '2026-01-01')",
      '"[\\"2026-01-02\\",\\"2026-01-01\\"]"',
    ],
    [
      "SELECT TO_JSON_STRING(ARRAY_AGG(s)) FROM (SELECT STRUCT(1 AS a, 'x' AS b) AS s UNION ALL SELECT (2, NULL) UNION ALL SELECT NULL)",
      '"[{\\"a\\":1,\\"b\\":\\"x\\"},{\\"a\\":2,\\"b\\":null},null]"',
    ],
    ['SELECT SUM(y) FROM UNNEST([1, 2]) AS x, (SELECT 3 AS y UNION ALL SELECT 4)', '14'],
    [
      'SELECT STRING_AGG((SELECT STRING_AGG(CAST(y AS STRING) ORDER BY y) FROM (SELECT x AS y UNION ALL SELECT 5)) ORDER BY x) FROM UNNEST([1]) AS x',
      '"1,5"',
    ],
    ['SELECT COUNT(*) FROM (SELECT 1 UNION ALL SELECT 1 UNION ALL SELECT 1)', '3'],
    ['SELECT COUNT(*) FROM (SELECT 1 UNION DISTINCT SELECT 1 UNION DISTINCT SELECT 2)', '2'],
  ])('%s', async (sql, answer) => {
    expect(await evaluator.evaluate(sql)).toBe(answer);
  });
});
