import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Evaluator,
  openEvaluator,
} from '../shared/warehouse/duckdb/translate/functions/support/evaluator.ts';

/** Queries that `npm run fuzz:values` found, with what Google's evaluator answers. */
describe('What Google’s evaluator found', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    // A DATE is a DATETIME for functions of other types.
    ["DATETIME_TRUNC(DATE '2024-01-05', MONTH)", '"2024-01-01T00:00:00"'],
    ["TIMESTAMP_TRUNC(DATE '2024-01-05', MONTH)", '"2024-01-01T00:00:00"'],
    ["TIMESTAMP_ADD(DATE '2024-01-05', INTERVAL 1 MONTH)", '"2024-02-05T00:00:00"'],
    ["DATETIME_SUB(DATE '2024-01-05', INTERVAL 1 WEEK)", '"2023-12-29T00:00:00"'],
    ["DATE_ADD(DATE '2024-01-05', INTERVAL 1 WEEK)", '"2024-01-12"'],
    ["FORMAT_TIMESTAMP('%H', DATE '2024-01-05')", '"00"'],
    ["FORMAT_DATE('%H', DATE '2024-01-05')", '"%H"'],
    ["TIMESTAMP_DIFF(DATE '2024-01-05', DATE '2024-01-01', HOUR)", '96'],
    // Empty arrays with a type.
    ['ARRAY_LENGTH(ARRAY<STRING>[])', '0'],
    ['ARRAY<STRING>[][SAFE_OFFSET(0)]', 'null'],
    ['ARRAY_CONCAT(ARRAY<FLOAT64>[], [1])', '[1.0]'],
    ['ARRAY_CONCAT([], ["a"])', '["a"]'],
    // NOT is of each comparison.
    ["'a' NOT LIKE ALL ('b', 'a')", 'false'],
    ["'a' NOT LIKE ALL ('b', 'c')", 'true'],
    ["'a' NOT LIKE ANY ('b', 'a')", 'true'],
    ["'a' NOT LIKE ANY ('a', 'a')", 'false'],
    ["'a' NOT LIKE ALL ('b', NULL)", 'null'],
    ["NOT 'a' LIKE ALL ('b', 'a')", 'true'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ["JSON_QUERY('{}')", 'No matching signature for function JSON_QUERY'],
    ["JSON_EXTRACT(JSON '{}')", 'No matching signature for function JSON_EXTRACT'],
    ['ARRAY_CONCAT(ARRAY<STRING>[], [1])', 'No matching signature for function ARRAY_CONCAT'],
    ["TIMESTAMP_ADD(DATE '2024-01-05', INTERVAL 1 HOUR)", 'does not support the HOUR date part'],
    ['SELECT CORR(DISTINCT x, x) FROM UNNEST([1.0]) AS x', 'DISTINCT'],
    [
      "BIGNUMERIC '-578960446186580977117854925043439539266.34992332820282019728792003956564819968'",
      'BIGNUMERIC with more than 38 digits',
    ],
    [
      "BIGNUMERIC '578960446186580977117854925043439539266.34992332820282019728792003956564819968'",
      'Invalid BIGNUMERIC literal',
    ],
  ])('%s fails with %s', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
