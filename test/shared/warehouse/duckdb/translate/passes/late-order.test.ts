import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openEngine } from '../../../../../oracle/engine.ts';
import { passedQuery } from '../../support/passed-query.ts';

const ROWS = `
  WITH r AS (SELECT id FROM UNNEST([1, 2, 3, 4]) AS id),
    s AS (SELECT * FROM UNNEST([STRUCT(1 AS id, 5 AS w), (1, 6), (3, 7)])) `;

/** The only value of each row, where subqueries are computed for rows that are sorted and cut off already. */
describe('rows with subqueries', () => {
  let engine: Awaited<ReturnType<typeof openEngine>>;
  beforeAll(async () => {
    engine = await openEngine();
  });
  afterAll(() => engine.close());

  test.each([
    ['SELECT id + 0 * (SELECT COUNT(*) FROM s WHERE s.id = r.id) FROM r ORDER BY id', '1 2 3 4'],
    ['SELECT id + IF(EXISTS(SELECT 1 FROM s WHERE s.id = r.id), 10, 0) FROM r ORDER BY id DESC', '4 13 2 11'],
    [
      'SELECT IFNULL((SELECT SUM(w) FROM s WHERE s.id = r.id), 0) FROM r ORDER BY id LIMIT 3 OFFSET 1',
      '0 7 0',
    ],
    [
      'SELECT IFNULL((SELECT SUM(w) FROM s WHERE s.id = r.id), -id) FROM r ORDER BY (SELECT MIN(w) FROM s WHERE s.id = r.id), id DESC',
      '-4 -2 11 7',
    ],
    ['FROM r |> ORDER BY id |> LIMIT 3 |> SELECT id IN (SELECT id FROM s)', 'true false true'],
  ])('%s answers them in order', async (query, values) => {
    const answer = await engine.run(ROWS + query);
    expect(answer.kind === 'rows' && answer.rows.flat().join(' ')).toBe(values);
  });

  test('an array of such rows has their order', async () => {
    const answer = await engine.run(
      `${ROWS}SELECT ARRAY(SELECT IFNULL((SELECT MIN(w) FROM s WHERE s.id = r.id), -id) FROM r ORDER BY id DESC LIMIT 3)`,
    );
    expect(answer).toMatchObject({ rows: [[['-4', '7', '-2']]] });
  });
});

describe('the pass', () => {
  test.each([
    [
      'the subquery runs as list functions',
      'SELECT ARRAY(SELECT x + id FROM UNNEST([1]) AS x) FROM r ORDER BY id',
    ],
    ['there is no subquery', 'SELECT id + 1 FROM r ORDER BY id'],
    ['nothing is sorted', 'SELECT (SELECT MAX(w) FROM s) FROM r'],
  ])('leaves alone a query where %s', (_, query) => {
    expect(passedQuery(ROWS + query, new Map()).changedBy).not.toContain('late order');
  });
});
