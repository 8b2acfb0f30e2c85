import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './support/evaluator.ts';

/** A value that differs from row to row is computed row by row; constants would be folded before. */
const ROWS = 'UNNEST([0, 1, 2, NULL])';

describe('Functions over rows', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ['IF(x > 0, DIV(10, x), -1)', '[-1,10,5,-1]'],
    ['IF(x > 0 AND DIV(10, x) > 5, 1, 0)', '[0,1,0,0]'],
    ['SAFE_DIVIDE(10, x)', '[null,10.0,5.0,null]'],
    ['SAFE.DIV(10, x)', '[null,10,5,null]'],
    ['SAFE_CAST(IF(x = 1, "x", "7") AS INT64)', '[7,null,7,7]'],
    ['SAFE.SUBSTR("abc", 1, x - 1)', '[null,"","a",null]'],
    ['["a", "b"][SAFE_OFFSET(x)]', '["a","b",null,null]'],
    ['GREATEST(x, 1)', '[1,1,2,null]'],
    ['CASE WHEN x = 0 THEN 0 ELSE LN(x) END', '[0.0,0.0,0.6931471805599453,null]'],
    ['REGEXP_EXTRACT(CONCAT("n", CAST(x AS STRING)), r"\\d")', '["0","1","2",null]'],
    ['TIMESTAMP_TRUNC(TIMESTAMP_SECONDS(x * 100), MINUTE)', '[0,60000000,180000000,null]'],
    ['DATE_ADD(DATE "2024-01-31", INTERVAL x MONTH)', '["2024-01-31","2024-02-29","2024-03-31",null]'],
    ['(x, 1) IN ((0, 1), (2, 1))', '[true,false,true,null]'],
    ['x IN UNNEST([1, NULL])', '[null,true,null,null]'],
    ['TO_JSON_STRING(STRUCT(x AS a))', '["{\\"a\\":0}","{\\"a\\":1}","{\\"a\\":2}","{\\"a\\":null}"]'],
  ])('%s', async (expression, answers) => {
    const query = `SELECT ARRAY_AGG(v ORDER BY o) FROM (SELECT ${expression} AS v, o FROM ${ROWS} x WITH OFFSET o)`;
    expect(await evaluator.evaluate(query)).toBe(answers);
  });

  test('an error is raised only by rows that reach it', async () => {
    const query = (limit: number) => `SELECT SUM(DIV(10, x)) FROM ${ROWS} x WHERE x > ${limit}`;
    expect(await evaluator.evaluate(query(0))).toBe('15');
    expect(await evaluator.fail(query(-1))).toBe('division by zero: 10 / 0');
  });

  test.each([
    ['select x from unnest([1, 3, 2]) x |> order by 1 desc |> limit 1', '3'],
    ['select x, -x as y from unnest([1, 3, 2]) x |> order by 2 |> limit 1', '3'],
    [
      'select x from unnest([1, 3, 3]) x |> aggregate count(*) as n group and order by x desc |> limit 1',
      '3',
    ],
    ['select x from unnest([1, 3, 2]) x |> aggregate count(*) as n group by x asc |> limit 1', '1'],
  ])('the first row of %s is %s', async (query, answer) => {
    expect((await evaluator.evaluate(query)).split(',')[0]).toBe(answer);
  });

  test('calls inside calls grow by their own length, not by powers of two', async () => {
    const nested = Array.from({ length: 40 }).reduce<string>((inner) => `POW(${inner}, x)`, 'x');
    expect(await evaluator.evaluate(`SELECT ${nested} FROM UNNEST([1.0]) x`)).toBe('1.0');
  });
});
