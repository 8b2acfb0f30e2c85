import { describe, expect, test } from '@jest/globals';
import { printPlan } from '../../../../sql/resolved/support/print-plan.ts';
import { CONTRACT_TABLES } from '../../../contract/contract-logs.ts';
import { passedQuery } from '../../support/passed-query.ts';

const query = (expression: string) =>
  `SELECT ${expression} AS v FROM (SELECT id, [1, 2] AS a, 7 AS n FROM logs.edge_logs) e`;

describe('columns of the queries around a subquery that it aggregates', () => {
  test.each([
    ['an aggregate', '(SELECT MAX(e.n) FROM UNNEST(a))', 1],
    ['a key', '(SELECT COUNT(*) FROM UNNEST(a) GROUP BY e.n + 0)', 1],
    ['HAVING of an aggregate', '(SELECT ANY_VALUE(x HAVING MAX e.n) FROM UNNEST(a) x)', 1],
    ['a window function', 'ARRAY(SELECT ROW_NUMBER() OVER (ORDER BY e.n) FROM UNNEST(a))', 1],
    ['a subquery in an aggregate', '(SELECT MAX((SELECT e.n + 0)) FROM UNNEST(a))', 1],
    [
      'aggregates of two levels',
      '(SELECT SUM((SELECT MAX(e.n + y) FROM UNNEST([x]) y)) FROM UNNEST(a) x)',
      2,
    ],
  ])('become its own for %s', (_, expression, times) => {
    const { plan, changedBy } = passedQuery(query(expression), CONTRACT_TABLES);
    expect(changedBy).toContain('correlated columns');
    expect(printPlan(plan).match(/\bn#\d+ := n#\d+/g)).toHaveLength(times);
  });

  test.each([
    ['none is aggregated', '(SELECT MAX(x) FROM UNNEST(a) x WHERE x > e.n)'],
    ['an aggregate has its own names', '(SELECT MAX(WITH(y AS x + 1, y * y)) FROM UNNEST(a) x)'],
    ['the subquery runs as list functions', '(SELECT BIT_OR(x | e.n) FROM UNNEST(a) x)'],
    ['it is the outermost query', 'MAX((SELECT MAX(x) FROM UNNEST(a) x WHERE x > n))'],
  ])('stay where they are where %s', (_, expression) => {
    expect(passedQuery(query(expression), CONTRACT_TABLES).changedBy).not.toContain('correlated columns');
  });
});
