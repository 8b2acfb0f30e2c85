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
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
