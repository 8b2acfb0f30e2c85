import { describe, expect, test } from '@jest/globals';
import type { Endpoint, SealedBuckets } from '../../../../shared/endpoints/endpoint.ts';
import { makeRedactedEndpoints } from '../../../../shared/results/redacted-endpoints.ts';
import { planSealed } from '../../../../shared/results/sealed/sealed-plan.ts';
import { loadTableSchemas } from '../../../../shared/schema/load-table-schemas.ts';
import { COUNTS, EVERYTHING } from './support/arriving-entries.ts';

const tables = await loadTableSchemas('queries/sources');
const WINDOW = 'timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY)';
const FROM = `FROM logs.edge_logs WHERE ${WINDOW} AND @interval = @project`;

function endpointOf(sql: string, merge: SealedBuckets['merge']): Endpoint {
  return { ...COUNTS, sql, sealedBuckets: { grain: 'hour', graceSeconds: 0, merge } };
}

const plain = { project: 'key', n: 'sum' } as const;

describe('a query is planned', () => {
  test.each<[string, Endpoint]>([
    ['as it comes with the program', COUNTS],
    ['with every way to merge', EVERYTHING],
    ['without a CTE', endpointOf(`SELECT project, COUNT(*) AS n ${FROM} GROUP BY project`, plain)],
    ['with GROUP BY ALL', endpointOf(`SELECT project, COUNT(*) AS n ${FROM} GROUP BY ALL`, plain)],
    [
      'with stars and an ordinal',
      endpointOf(
        `WITH a AS (SELECT * ${FROM}), b AS (SELECT x.* EXCEPT (id) FROM a AS x)
        SELECT * FROM (SELECT project, COUNT(*) AS n, FROM (SELECT b.* FROM b) AS b GROUP BY 1)`,
        plain,
      ),
    ],
    ['with DISTINCT', endpointOf(`SELECT DISTINCT project ${FROM}`, { project: 'key' })],
    [
      'with BETWEEN and a truncated present',
      endpointOf(
        `SELECT project, COUNT(*) AS n FROM logs.edge_logs AS e
        WHERE timestamp BETWEEN TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), DAY) - INTERVAL 3 DAY AND CURRENT_TIMESTAMP()
        AND @interval = @project GROUP BY project`,
        plain,
      ),
    ],
  ])('%s', (_, endpoint) => {
    const plan = planSealed(endpoint, tables);
    expect(plan?.sql).toContain('lqe_grain');
    expect(plan?.columns.map(({ name }) => name)).toEqual(Object.keys(endpoint.sealedBuckets?.merge ?? {}));
  });

  test('that hides the values of paths', async () => {
    const endpoint = { ...COUNTS, redactPaths: ['event_message', 'metadata.request.url'] };
    const hiding = await makeRedactedEndpoints({ tables })(endpoint);
    expect(planSealed(hiding, tables)?.version).not.toBe(planSealed(COUNTS, tables)?.version);
  });

  test('in a separate version where the query, a type or a table is another', () => {
    const changed = [
      COUNTS,
      { ...COUNTS, sql: COUNTS.sql.replace('/rest', '/rest/v2') },
      { ...COUNTS, sealedBuckets: { ...COUNTS.sealedBuckets!, grain: 'day' as const } },
    ].map((endpoint) => planSealed(endpoint, tables)?.version);
    const other = new Map([...tables].map(([name, schema]) => [name, schema.slice(0)]));
    other.set('edge_logs', [
      ...(tables.get('edge_logs') ?? []),
      { name: 'more', type: 'STRING', mode: 'NULLABLE' } as never,
    ]);
    expect(new Set([...changed, planSealed(COUNTS, other)?.version]).size).toBe(4);
  });

  test('only where the settings ask for it', () => {
    expect(planSealed({ ...COUNTS, sealedBuckets: null }, tables)).toBeNull();
  });
});

const GROUPED = `SELECT project, COUNT(*) AS n ${FROM} GROUP BY project`;

describe('a query is refused', () => {
  test.each<[string, string, SealedBuckets['merge'], RegExp]>([
    ['LIMIT', `${GROUPED} LIMIT 10`, plain, /LIMIT.*maxRows/],
    ['a LIMIT below', `SELECT * FROM (${GROUPED} LIMIT 5)`, plain, /LIMIT/],
    [
      'a LIMIT of entries',
      `SELECT project, COUNT(*) AS n FROM (SELECT * ${FROM} LIMIT 5) GROUP BY project`,
      plain,
      /LIMIT/,
    ],
    ['HAVING', `${GROUPED} HAVING COUNT(*) > 5`, plain, /HAVING/],
    ['no GROUP BY', `SELECT COUNT(*) AS n ${FROM}`, { n: 'sum' }, /no GROUP BY/],
    ['rows', `SELECT project, 1 AS n ${FROM}`, plain, /no GROUP BY/],
    [
      'COUNT(DISTINCT)',
      `SELECT project, COUNT(DISTINCT id) AS n ${FROM} GROUP BY project`,
      plain,
      /'n' is merged by sum.*DISTINCT/,
    ],
    [
      'AVG',
      `SELECT project, AVG(1) AS n ${FROM} GROUP BY project`,
      { project: 'key', n: 'max' },
      /'n' is merged by max/,
    ],
    [
      'a sum of FLOAT64',
      `SELECT project, SUM(0.5) AS n ${FROM} GROUP BY project`,
      plain,
      /FLOAT64; sum takes INT64, NUMERIC/,
    ],
    ['a count as a maximum', GROUPED, { project: 'key', n: 'max' }, /'n' is merged by max/],
    ['a share', `SELECT project, COUNT(*) * 2 AS n ${FROM} GROUP BY project`, plain, /'n' is merged by sum/],
    [
      'a default of a sum that is not 0',
      `SELECT project, IFNULL(SUM(1), 1) AS n ${FROM} GROUP BY project`,
      plain,
      /'n' is merged by sum/,
    ],
    [
      'a default of a key',
      `SELECT IFNULL(project, '') AS project, COUNT(*) AS n FROM (SELECT project ${FROM}) AS t GROUP BY t.project`,
      plain,
      /'project' is merged by key/,
    ],
    [
      'a key in another zone',
      `SELECT DATETIME(timestamp, 'Europe/Berlin') AS project, COUNT(*) AS n ${FROM} GROUP BY timestamp`,
      plain,
      /'project' is merged by key/,
    ],
    [
      'a hidden key',
      `SELECT project, COUNT(*) AS n ${FROM} GROUP BY project, id`,
      plain,
      /each key of GROUP BY/,
    ],
    ['a column without a merge', GROUPED, { project: 'key' }, /lacks the column 'n'/],
    ['a merge without a column', GROUPED, { ...plain, other: 'sum' }, /'other', which is no column/],
    ['another order', `${GROUPED} ORDER BY COUNT(*) * 2`, plain, /ORDER BY/],
    ['ROLLUP', `SELECT project, COUNT(*) AS n ${FROM} GROUP BY ROLLUP (project)`, plain, /ROLLUP/],
    [
      'a window function',
      `SELECT project, COUNT(*) AS n FROM (SELECT project, ROW_NUMBER() OVER (ORDER BY id) AS r ${FROM}) GROUP BY project`,
      plain,
      /window function/,
    ],
    [
      'UNION',
      `SELECT project, COUNT(*) AS n FROM (SELECT project ${FROM} UNION ALL SELECT 'a') GROUP BY project`,
      plain,
      /put|together/,
    ],
    [
      'a join',
      `SELECT a.project, COUNT(*) AS n FROM logs.edge_logs AS a JOIN logs.auth_logs AS b ON a.id = b.id WHERE a.${WINDOW} AND @interval = @project GROUP BY project`,
      plain,
      /join/,
    ],
    [
      'a table in a subquery',
      `SELECT project, COUNT(*) AS n ${FROM} AND id IN (SELECT id FROM logs.auth_logs) GROUP BY project`,
      plain,
      /more than once/,
    ],
    [
      'no window',
      'SELECT project, COUNT(*) AS n FROM logs.edge_logs WHERE @interval = @project GROUP BY project',
      plain,
      /bound timestamp from below/,
    ],
    [
      'a window in an OR',
      `SELECT project, COUNT(*) AS n FROM logs.edge_logs WHERE ${WINDOW} OR @interval = @project GROUP BY project`,
      plain,
      /bound timestamp from below/,
    ],
    [
      'the present in the answer',
      `SELECT project, COUNTIF(timestamp > CURRENT_TIMESTAMP()) AS n ${FROM} GROUP BY project`,
      plain,
      /ask for the present/,
    ],
    [
      'the present in another condition',
      `SELECT project, COUNT(*) AS n ${FROM} AND (project = 'a' OR timestamp < CURRENT_TIMESTAMP()) GROUP BY project`,
      plain,
      /ask for the present/,
    ],
    [
      'a bound by months',
      `SELECT project, COUNT(*) AS n FROM logs.edge_logs WHERE timestamp > TIMESTAMP(CURRENT_DATE()) AND @interval = @project GROUP BY project`,
      plain,
      /a bound of the time may be made of/,
    ],
    [
      'pipes',
      `FROM logs.edge_logs |> WHERE ${WINDOW} AND @interval = @project |> AGGREGATE COUNT(*) AS n GROUP BY project`,
      plain,
      /SELECT … FROM/,
    ],
    [
      'the names that parts need',
      `SELECT project, COUNT(*) AS n FROM (SELECT project AS lqe_grain, * ${FROM}) GROUP BY project`,
      plain,
      /lqe_grain/,
    ],
    [
      'structs',
      `SELECT AS STRUCT project, COUNT(*) AS n ${FROM} GROUP BY project`,
      plain,
      /'project' is merged by key/,
    ],
  ])('for %s', (_, sql, merge, message) => {
    expect(() => planSealed(endpointOf(sql, merge), tables)).toThrow(message);
  });
});
