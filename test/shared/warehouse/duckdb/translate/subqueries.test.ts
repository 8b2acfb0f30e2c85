import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Evaluator, openEvaluator } from './functions/support/evaluator.ts';

/** Two rows with an array each, and where they stood. */
const ROWS = "(SELECT x, o FROM UNNEST([STRUCT('a' AS id, [1, 2] AS b), ('c', [3])]) x WITH OFFSET o)";

describe('Subqueries', () => {
  let evaluator: Evaluator;
  beforeAll(async () => {
    evaluator = await openEvaluator();
  });
  afterAll(() => evaluator.close());

  test.each([
    ['(SELECT o FROM UNNEST(x.b) LIMIT 1)', '[0,1]'],
    ['(SELECT DISTINCT x.id FROM UNNEST(x.b))', '["a","c"]'],
    ['(SELECT AS STRUCT x.id, o FROM UNNEST(x.b) LIMIT 1)', '[{"id":"a","o":0},{"id":"c","o":1}]'],
    ['ARRAY_LENGTH(ARRAY(SELECT o FROM UNNEST(x.b) UNION ALL SELECT 5))', '[3,2]'],
    ['o IN (SELECT o FROM UNNEST(x.b) e WHERE e > 2)', '[false,true]'],
    ['(SELECT MAX(o) FROM UNNEST(x.b))', '[0,1]'],
    ['(SELECT BIT_OR(e) FROM UNNEST(x.b) e)', '[3,3]'],
    ['IFNULL((SELECT BIT_OR(e + o) FROM UNNEST(x.b) e WHERE e < 3), -1)', '[3,-1]'],
    ['(SELECT COUNT(x.id) FROM UNNEST(x.b))', '[2,1]'],
    ['(SELECT MAX(q.v) FROM (SELECT x.id AS v FROM UNNEST(x.b)) q)', '["a","c"]'],
    ['(SELECT COUNT(*) FROM UNNEST(x.b) GROUP BY o)', '[2,1]'],
    ['(SELECT SUM(o + e) FROM UNNEST(x.b) e)', '[3,4]'],
    ['(SELECT MAX(v) FROM (SELECT ROW_NUMBER() OVER (ORDER BY o) AS v FROM UNNEST(x.b)))', '[2,1]'],
    ['(SELECT MAX((SELECT o)) FROM UNNEST(x.b))', '[0,1]'],
    ['(SELECT LOGICAL_OR(e = 3) FROM UNNEST(x.b) e HAVING MAX(o) = 1)', '[null,true]'],
    [
      'ARRAY_LENGTH(ARRAY(SELECT e FROM UNNEST(x.b) e WITH OFFSET p WHERE EXISTS (SELECT 1 FROM UNNEST(x.b) d WHERE d = e + p + o)))',
      '[1,0]',
    ],
    [
      'ARRAY(SELECT EXISTS (SELECT 1 FROM UNNEST(x.b) d WHERE d = p + o + 1) FROM UNNEST(x.b) e WITH OFFSET p LIMIT 1)[OFFSET(0)]',
      '[true,false]',
    ],
    [
      '(SELECT COUNT(*) FROM UNNEST(x.b) e WITH OFFSET p, UNNEST(ARRAY(SELECT d FROM UNNEST(x.b) d WHERE d > p + o)))',
      '[3,1]',
    ],
    [
      '(SELECT e FROM UNNEST(x.b) e WITH OFFSET p ORDER BY EXISTS (SELECT 1 FROM UNNEST(x.b) d WHERE d = e + 1 + o), e LIMIT 1)',
      '[2,3]',
    ],
    [
      '(SELECT COUNT(e.v) FROM (SELECT 1 AS k) LEFT JOIN (SELECT 2 AS v) e ON EXISTS (SELECT 1 FROM UNNEST(x.b) d WHERE d = k + o + e.v - 1))',
      '[1,1]',
    ],
    [
      'ARRAY_LENGTH(ARRAY(SELECT e FROM UNNEST(x.b) e WITH OFFSET p WHERE e IN UNNEST(x.b) AND p < 1))',
      '[1,1]',
    ],
    ["(SELECT MAX(INSTR(x.id || 'b', k, 1, 1)) FROM (SELECT 'b' AS k))", '[2,2]'],
  ])("a column of the rows around is each row's own in %s", async (subquery, answers) => {
    expect(
      await evaluator.evaluate(
        `SELECT ARRAY_AGG(v ORDER BY o) FROM (SELECT ${subquery} AS v, o FROM ${ROWS})`,
      ),
    ).toBe(answers);
  });

  test.each([
    ['LEFT', 'e.v IN (SELECT d FROM UNNEST(x.b) d WHERE d > k + o)', '[1,0]'],
    ['LEFT', 'e.v NOT IN (SELECT d FROM UNNEST(x.b) d WHERE d > o)', '[0,1]'],
    ['LEFT', 'e.v = (SELECT MAX(d) FROM UNNEST(x.b) d)', '[1,0]'],
    ['LEFT', 'k < (SELECT MAX(d) FROM UNNEST(x.b) d) AND e.v > 1', '[1,1]'],
    ['LEFT', 'e.v > (SELECT MIN(d) FROM UNNEST([1, 2]) d WHERE d >= e.v)', '[0,0]'],
    ['LEFT', 'k IN (SELECT d FROM UNNEST([1, 2]) d)', '[1,1]'],
    ['RIGHT', 'k IN (SELECT MAX(d) - 1 FROM UNNEST(x.b) d)', '[1,1]'],
  ])('%s JOIN ON %s takes the rows that meet it', async (join, condition, answers) => {
    const subquery = `(SELECT COUNT(e.v) FROM (SELECT 1 AS k) ${join} JOIN (SELECT 2 AS v) e ON ${condition})`;
    expect(
      await evaluator.evaluate(
        `SELECT ARRAY_AGG(v ORDER BY o) FROM (SELECT ${subquery} AS v, o FROM ${ROWS})`,
      ),
    ).toBe(answers);
  });

  test.each([
    ['(SELECT STRUCT(e, o)) IN (SELECT AS STRUCT d, 1 FROM UNNEST(x.b) d)', '[false,false,true]'],
    ['e IN (SELECT d FROM UNNEST(x.b) d WHERE o = 1)', '[false,false,true]'],
    ['e NOT IN (SELECT d FROM UNNEST(x.b) d WHERE o = 1)', '[true,true,false]'],
    ['e IN (SELECT IF(d = 1, NULL, d) FROM UNNEST(x.b) d)', '[null,true,true]'],
    ['e IN (SELECT IF(d = 1, NULL, d + 1) FROM UNNEST(x.b) d)', '[null,null,false]'],
    ['IF(e = 1, NULL, e) IN (SELECT d FROM UNNEST(x.b) d WHERE o > 5)', '[false,false,false]'],
    ['IF(e = 1, NULL, e) IN (SELECT d FROM UNNEST(x.b) d)', '[null,true,true]'],
    [
      "CAST(e AS FLOAT64) IN (SELECT IF(d = 2, CAST('NaN' AS FLOAT64), d) FROM UNNEST(x.b) d)",
      '[true,false,true]',
    ],
    [
      'EXISTS (SELECT 1 FROM UNNEST(x.b) c WHERE c + o IN (SELECT d + e FROM UNNEST(x.b) d))',
      '[true,false,false]',
    ],
    [
      'e IN (SELECT d FROM UNNEST(x.b) d WHERE d IN (SELECT MAX(c) FROM UNNEST(x.b) c WHERE c <= d + o))',
      '[true,true,true]',
    ],
    ['e IN (SELECT d FROM UNNEST([1, 3]) d)', '[true,false,true]'],
  ])('each element finds the rows of its own array: %s', async (condition, answers) => {
    expect(
      await evaluator.evaluate(
        `SELECT CONCAT('[', STRING_AGG(IFNULL(CAST(v AS STRING), 'null') ORDER BY o, e), ']') FROM (SELECT ${condition} AS v, o, e FROM ${ROWS}, UNNEST(x.b) e)`,
      ),
    ).toBe(JSON.stringify(answers));
  });

  test('an alias comes before a column in a subquery of ORDER BY', async () => {
    const swapped =
      'SELECT a AS b, b AS a FROM (SELECT 1 AS a, 5 AS b UNION ALL SELECT 2, 4) ORDER BY (SELECT a) LIMIT 1';
    expect(await evaluator.evaluate(`SELECT b FROM (${swapped})`)).toBe('2');
  });

  test.each([
    [
      'SELECT COUNT(*) FROM (SELECT 7 AS seven FROM (SELECT COUNT(*) AS n, MAX(x) FROM UNNEST([1, 2, 3]) x))',
      '1',
    ],
    ['SELECT COUNT(*) FROM (SELECT SUM(x) FROM UNNEST([1, 2, 3]) x WHERE x > 5), UNNEST([1, 2])', '2'],
    ['SELECT COUNT(*) FROM (SELECT SUM(x) FROM UNNEST([1, 2, 3]) x HAVING COUNT(*) > 5)', '0'],
    ['SELECT EXISTS (SELECT MAX(x) FROM UNNEST(CAST([] AS ARRAY<INT64>)) x)', 'true'],
    ['SELECT COUNT(*) FROM (SELECT 1 FROM UNNEST([1, 2, 2]) x GROUP BY x)', '2'],
  ])('rows count without their columns: %s is %s', async (query, answer) => {
    expect(await evaluator.evaluate(query)).toBe(answer);
  });
});
