import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './functions/support/evaluator.ts';

describe('A recursive CTE on DuckDB', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  const recursive = (body: string, result: string) => `WITH RECURSIVE a AS (${body}) SELECT ${result} FROM a`;
  const COUNT = 'SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n <';

  // Each answer is that of Google's reference evaluator.
  test.each([
    [recursive(`${COUNT} 5`, 'STRING_AGG(CAST(n AS STRING) ORDER BY n)'), '"1,2,3,4,5"'],
    [recursive(`${COUNT} 501`, 'COUNT(*)'), '501'],
    [
      recursive('SELECT 1 AS n UNION DISTINCT SELECT MOD(n + 1, 4) FROM a', 'ARRAY_AGG(n ORDER BY n)'),
      '[0,1,2,3]',
    ],
    [
      recursive(
        'SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT n + 10 FROM a WHERE n < 13',
        'ARRAY_AGG(n ORDER BY n)',
      ),
      '[1,2,11,12,21,22]',
    ],
    [
      recursive('SELECT 1.5 AS n UNION ALL SELECT 2 FROM a WHERE n < 2', 'ARRAY_AGG(n ORDER BY n)'),
      '[1.5,2.0]',
    ],
    [recursive('SELECT 1 AS n UNION ALL SELECT n + 1 FROM a, UNNEST([1, 2]) WHERE n < 3', 'COUNT(*)'), '7'],
    [
      recursive(
        'SELECT [1] AS x UNION ALL SELECT ARRAY_CONCAT(x, [2]) FROM a WHERE ARRAY_LENGTH(x) < 3',
        'MAX(ARRAY_LENGTH(x))',
      ),
      '3',
    ],
    [
      recursive(
        "SELECT STRUCT(1 AS i, 'x' AS t) AS s UNION ALL SELECT STRUCT(s.i + 1, 'y') FROM a WHERE s.i < 3",
        'STRING_AGG(s.t ORDER BY s.i)',
      ),
      '"x,y,y"',
    ],
    [recursive("SELECT CAST('nan' AS FLOAT64) AS n UNION DISTINCT SELECT n FROM a", 'COUNT(*)'), '1'],
    [recursive('SELECT CAST(NULL AS INT64) AS n UNION DISTINCT SELECT NULL FROM a', 'COUNT(*)'), '1'],
    [
      recursive(
        'SELECT 1 AS n UNION ALL SELECT n + 1 FROM a LEFT JOIN (SELECT 1 AS m) ON FALSE WHERE n < 3',
        'COUNT(*)',
      ),
      '3',
    ],
    [
      'WITH RECURSIVE a AS (SELECT MAX(n) AS m FROM b), b AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM b WHERE n < 7) SELECT a.m + COUNT(*) FROM a, b GROUP BY a.m',
      '14',
    ],
    [
      'WITH RECURSIVE a AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM a WHERE x < 3), b AS (SELECT 1 AS y UNION ALL SELECT y + 1 FROM b JOIN a ON x = y) SELECT MAX(y) FROM b',
      '4',
    ],
    [
      'WITH RECURSIVE e AS (SELECT 1 AS f, 2 AS t UNION ALL SELECT 2, 3 UNION ALL SELECT 3, 1), r AS (SELECT 1 AS n UNION DISTINCT SELECT t FROM r JOIN e ON f = n) SELECT COUNT(*) FROM r',
      '3',
    ],
  ])('%s', async (sql, answer) => {
    expect(await evaluator.evaluate(sql)).toBe(answer);
  });

  test.each([
    [
      recursive(`${COUNT} 502`, 'COUNT(*)'),
      'A recursive CTE has reached the maximum number of iterations: 500',
    ],
    [
      recursive('SELECT 1 AS n UNION DISTINCT SELECT n + 1 FROM a', 'COUNT(*)'),
      'A recursive CTE has reached the maximum number of iterations: 500',
    ],
    [
      recursive('SELECT 1 AS n UNION ALL SELECT n FROM a, UNNEST([1, 2, 3, 4])', 'COUNT(*)'),
      'A recursive CTE has more than 1000000 rows',
    ],
  ])('ends: %s', async (sql, message) => {
    expect(await evaluator.fail(sql)).toContain(message);
  });
});
