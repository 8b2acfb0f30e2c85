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
    // Infinite arguments are no errors.
    ["COS(CAST('inf' AS FLOAT64))", 'NaN'],
    ["COT(CAST('-inf' AS FLOAT64))", 'NaN'],
    ["ACOS(CAST('inf' AS FLOAT64))", 'NaN'],
    ["ATANH(CAST('-inf' AS FLOAT64))", 'NaN'],
    ["LN(CAST('-inf' AS FLOAT64))", 'NaN'],
    ["LOG(2.0, CAST('inf' AS FLOAT64))", 'NaN'],
    ["LOG(0.0, CAST('inf' AS FLOAT64))", 'NaN'],
    ["LOG(CAST('inf' AS FLOAT64), 1.0)", 'Infinity'],
    ['LOG(NULL, 0.0)', 'null'],
    ["LOG(NULL, CAST('inf' AS FLOAT64))", 'null'],
    // Bounds of a bucket.
    ["RANGE_BUCKET(CAST('nan' AS FLOAT64), [1.0])", 'null'],
    ['RANGE_BUCKET(NULL, [2, 1])', 'null'],
    ['RANGE_BUCKET(0.0, [-0.0, 0.0])', '2'],
    ["RANGE_BUCKET('b', ['a', 'b', 'b', 'c'])", '3'],
    ['RANGE_BUCKET(1, ARRAY<INT64>[])', '0'],
    // Statistics of what is not finite.
    ["SELECT VAR_POP(x) FROM UNNEST([CAST('inf' AS FLOAT64)]) AS x", 'NaN'],
    ["SELECT VAR_SAMP(x) FROM UNNEST([CAST('inf' AS FLOAT64)]) AS x", 'null'],
    ["SELECT STDDEV(DISTINCT x) FROM UNNEST([CAST('nan' AS FLOAT64), 1.0]) AS x", 'NaN'],
    ["SELECT COVAR_POP(x, NULL) FROM UNNEST([CAST('inf' AS FLOAT64)]) AS x", 'null'],
    ["SELECT CORR(x, 1.0) FROM UNNEST([CAST('inf' AS FLOAT64), 3.0]) AS x", 'NaN'],
    // White space and missing padding of base64.
    ["FROM_BASE64('ff')", '"fQ=="'],
    [String.raw`FROM_BASE64(' Y\nQ = = ')`, '"YQ=="'],
    ["SAFE.FROM_BASE64('f')", 'null'],
    ["FORMAT_DATETIME('%s', DATETIME '9999-12-31 23:59:59.999999')", '"253402300799"'],
    ["FORMAT_TIMESTAMP('%s', TIMESTAMP '1969-12-31 23:59:59.5+00')", '"-1"'],
    ["EDIT_DISTANCE(CAST(NULL AS STRING), '', max_distance => 0)", 'null'],
    ["EDIT_DISTANCE('a', 'bcd', max_distance => 2)", '2'],
    ["CAST('23:59:60' AS TIME)", '"00:00:00"'],
    // A name in quotes, as each family writes it.
    [`JSON_QUERY(JSON '{"a b":1}', '$."a b"')`, '1'],
    [`JSON_EXTRACT(JSON '{"a b":1}', "$['a b']")`, '1'],
    // SAFE. does not make NULL of what the engine cannot compute.
    ["SAFE.PARSE_JSON('{')", 'null'],
    [`SAFE.PARSE_JSON('{"a":1}')`, '{"a":1}'],
    ["SAFE.PARSE_JSON('1e100')", '1e100'],
    ["SAFE.UPPER('a')", '"A"'],
    ["SAFE.EDIT_DISTANCE('é', 'e')", '1'],
    [String.raw`SAFE.SAFE_CONVERT_BYTES_TO_STRING(b'\xff')`, '"\ufffd"'],
    ["contains_substr('Ⅸ', 'IX')", 'true'],
    ["contains_substr(['abc', NULL], 'B')", 'true'],
    ["contains_substr(STRUCT('abc', 5), 'x')", 'false'],
    ["contains_substr(STRUCT('abc', NULL), 'x')", 'null'],
  ])('%s is %s', async (googleSql, json) => {
    expect(await evaluator.evaluate(googleSql)).toBe(json);
  });

  test.each([
    ["JSON_QUERY('{}')", 'No matching signature for function JSON_QUERY'],
    ["JSON_EXTRACT(JSON '{}')", 'No matching signature for function JSON_EXTRACT'],
    ['ARRAY_CONCAT(ARRAY<STRING>[], [1])', 'No matching signature for function ARRAY_CONCAT'],
    ["TIMESTAMP_ADD(DATE '2024-01-05', INTERVAL 1 HOUR)", 'does not support the HOUR date part'],
    [`JSON_VALUE(JSON '{"a":1}', "$['a']")`, 'Invalid token in JSONPath'],
    [`JSON_SET(JSON '{"a":1}', "$['a']", 2)`, 'Invalid token in JSONPath'],
    [`JSON_EXTRACT_SCALAR(JSON '{"a":1}', '$."a"')`, 'Invalid token in JSONPath'],
    ["CAST('24:00:00' AS TIME)", 'Invalid time'],
    ["FROM_BASE64('YQ=')", 'base64'],
    ["FROM_BASE64('YQ==YQ==')", 'base64'],
    ["EDIT_DISTANCE('a', 'b', max_distance => -2)", 'Max distance must be non-negative'],
    ["SELECT APPROX_COUNT_DISTINCT(JSON '1') FROM UNNEST([1])", 'not defined for arguments of type JSON'],
    ["SELECT APPROX_QUANTILES(JSON '1', 2) FROM UNNEST([1])", 'not defined for arguments of type JSON'],
    [
      "SELECT PERCENTILE_DISC(JSON '1', 0.5) OVER () FROM UNNEST([1])",
      'not defined for arguments of type JSON',
    ],
    ['RANGE_BUCKET(1, [2, 1])', 'must be in ascending order'],
    ["RANGE_BUCKET(1.0, [CAST('nan' AS FLOAT64), 0.5])", 'NaN'],
    ['LOG(2.0, 1.0)', 'Floating point error in function: LOG(2, 1)'],
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
