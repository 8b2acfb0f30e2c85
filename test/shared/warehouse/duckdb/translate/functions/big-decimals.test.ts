import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

const big = (text: string) => `BIGNUMERIC '${text}'`;
const among = (...values: readonly string[]) => `UNNEST([${values.map(big).join(', ')}]) AS x`;

describe('BIGNUMERIC on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    [`${big('1')} + ${big('2.5')}`, '"3.5"'],
    [`${big('1')} - 3`, '"-2"'],
    [`${big('3')} * ${big('-0.000000001')}`, '"-0.000000003"'],
    [`${big('10')} / 4`, '"2.5"'],
    [`-${big('5')}`, '"-5"'],
    [`ABS(${big('-5.5')})`, '"5.5"'],
    [`MOD(${big('-5.5')}, 2)`, '"-1.5"'],
    [`DIV(${big('-5.5')}, 2)`, '"-2"'],
    [`ROUND(${big('2.5')})`, '"3"'],
    [`ROUND(${big('-2.55')}, 1)`, '"-2.6"'],
    [`ROUND(${big('255')}, -1)`, '"260"'],
    [`ROUND(${big('255')}, -9223372036854775808)`, '"0"'],
    [`TRUNC(${big('-2.59')}, 1)`, '"-2.5"'],
    [`TRUNC(${big('2.59')}, 9223372036854775807)`, '"2.59"'],
    [`CEIL(${big('-2.1')})`, '"-2"'],
    [`CEIL(${big('2.1')})`, '"3"'],
    [`FLOOR(${big('-2.1')})`, '"-3"'],
    [`SAFE_DIVIDE(${big('1')}, 0)`, 'null'],
    [`SAFE_ADD(${big('1')}, 1)`, '"2"'],
    [`SAFE_NEGATE(${big('1')})`, '"-1"'],
    [`${big('1')} + CAST(NULL AS BIGNUMERIC)`, 'null'],
    [`SELECT SUM(x) FROM ${among('1.5', '-2.75', '2')}`, '"0.75"'],
    [`SELECT SUM(DISTINCT x) FROM ${among('1.5', '1.5', '2')}`, '"3.5"'],
    [`SELECT AVG(x) FROM ${among('1.5', '2')}`, '"1.75"'],
    [`SELECT SUM(x) FROM ${among('1')} WHERE x > 1`, 'null'],
    [`SELECT MAX(total) FROM (SELECT SUM(x) OVER (ORDER BY x) AS total FROM ${among('1', '2.5')})`, '"3.5"'],
    [`GENERATE_ARRAY(${big('1')}, 2, ${big('0.5')})`, '["1","1.5","2"]'],
    ["GENERATE_ARRAY(NUMERIC '1', 2, 0.5)", '["1","1.5","2"]'],
    ["GENERATE_ARRAY(NUMERIC '3', 1, -0.75)", '["3","2.25","1.5"]'],
    ["GENERATE_ARRAY(NUMERIC '1', 0)", '[]'],
    ["GENERATE_ARRAY(NUMERIC '1', 1, -3)", '["1"]'],
    ['GENERATE_ARRAY(CAST(NULL AS NUMERIC), 1) IS NULL', 'true'],
  ])('%s is %s', async (googleSql, expected) => {
    expect(await evaluator.evaluate(googleSql)).toBe(expected);
  });

  test.each([
    [`${big('1')} / 0`, 'division by zero: 1'],
    [`MOD(${big('1')}, 0)`, 'division by zero: 1'],
    [`${big('99999999999999999999')} * ${big('99999999999999999999')}`, 'BIGNUMERIC overflow'],
    ["GENERATE_ARRAY(NUMERIC '1', 2, 0)", 'Sequence step cannot be 0.'],
    ["GENERATE_ARRAY(NUMERIC '1', 2000000)", 'Generated arrays have at most 1000000 elements'],
  ])('%s is an error', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });

  const refused = 'not supported by the embedded engine: BIGNUMERIC with more than 38 digits';
  test.each([
    [`${big('10')} / 3`, refused],
    [`SAFE_DIVIDE(${big('10')}, 3)`, refused],
    [`${big('99999999999999999999')} + 1`, refused],
    [`${big('0.000000000000000001')} * 0.1`, refused],
    [`CEIL(${big('99999999999999999999.5')})`, refused],
    [
      `SELECT SUM(x) FROM ${among('99999999999999999999', '99999999999999999999')}`,
      'not supported by the embedded engine: SUM of BIGNUMERIC values that are as large',
    ],
    [
      "GENERATE_ARRAY(NUMERIC '-99999999999999999999999999999', NUMERIC '99999999999999999999999999999', 1e28)",
      'not supported by the embedded engine: GENERATE_ARRAY of NUMERIC values that are as far from each other',
    ],
  ])('%s is refused', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});

describe('Distances of vectors on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ['EUCLIDEAN_DISTANCE([1, 2], [3, 4])', '2.8284271247461903'],
    ['EUCLIDEAN_DISTANCE(ARRAY<FLOAT64>[], ARRAY<FLOAT64>[])', '0.0'],
    ['EUCLIDEAN_DISTANCE(NULL, [3.0])', 'null'],
    ["EUCLIDEAN_DISTANCE([CAST('inf' AS FLOAT64)], [2.0])", 'Infinity'],
    ['COSINE_DISTANCE([1, 2], [3, 4])', '0.01613008990009257'],
    ['COSINE_DISTANCE([0.0, 1.0], [1.0, 0.0])', '1.0'],
    ["COSINE_DISTANCE([CAST('nan' AS FLOAT64)], [2.0])", 'NaN'],
  ])('%s is %s', async (googleSql, expected) => {
    expect(await evaluator.evaluate(googleSql)).toBe(expected);
  });

  test.each([
    ['EUCLIDEAN_DISTANCE([1.0], [3.0, 4.0])', 'Array length mismatch: 1 and 2'],
    ['EUCLIDEAN_DISTANCE([1.0], [NULL])', 'NULL array element in second argument'],
    ['EUCLIDEAN_DISTANCE([1e308], [-1e308])', 'double overflow'],
    ['COSINE_DISTANCE([0.0], [1.0])', 'Cannot compute cosine distance against zero vector'],
    ['COSINE_DISTANCE([1e200], [1e200])', 'double overflow'],
  ])('%s is an error', async (googleSql, message) => {
    expect(await evaluator.fail(googleSql)).toContain(message);
  });
});
