import { describe, expect, test } from '@jest/globals';
import { loadEndpoints } from '../../../../shared/endpoints/load-endpoints.ts';
import { loadTableSchemas } from '../../../../shared/schema/load-table-schemas.ts';
import { analyze } from '../../../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';
import { readLeaves } from '../../../../shared/sql/resolved/read-leaves.ts';

const tables = await loadTableSchemas('queries/sources');
const { all } = await loadEndpoints('queries');

function leavesOf(sql: string): Record<string, string[]> {
  const parameters = new Map(
    all.flatMap((one) => one.parameters.map(({ name, type }) => [name, { kind: type }] as const)),
  );
  const { query } = analyze(parseStatement(sql), sql, { dataset: 'logs', tables, parameters });
  return Object.fromEntries([...readLeaves(query)].map(([table, leaves]) => [table, [...leaves].sort()]));
}

const URL_LEAF = 'metadata.request.url';

describe('the leaves that a query reads', () => {
  test.each<[string, string, Record<string, string[]>]>([
    ['a column', 'SELECT id FROM logs.edge_logs', { edge_logs: ['id'] }],
    [
      'a condition beside the result',
      'SELECT id FROM logs.edge_logs WHERE project = @project',
      { edge_logs: ['id', 'project'] },
    ],
    ['nothing for a count of rows', 'SELECT COUNT(*) FROM logs.edge_logs', { edge_logs: [] }],
    [
      'one field through two unnests',
      'SELECT r.url FROM logs.edge_logs AS t, UNNEST(t.metadata) AS m, UNNEST(m.request) AS r',
      { edge_logs: [URL_LEAF] },
    ],
    [
      'one field of an element',
      'SELECT metadata[SAFE_OFFSET(0)].request[SAFE_OFFSET(0)].url FROM logs.edge_logs',
      { edge_logs: [URL_LEAF] },
    ],
    [
      'the field that a subquery over elements looks at',
      'SELECT id FROM logs.edge_logs AS t WHERE EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS m CROSS JOIN UNNEST(m.request) AS r WHERE r.url = @project)',
      { edge_logs: ['id', URL_LEAF] },
    ],
    [
      'what uses of a CTE need, and no more of it',
      'WITH a AS (SELECT id, event_message, timestamp FROM logs.auth_logs), b AS (SELECT id FROM logs.edge_logs) SELECT x.id FROM a AS x JOIN a AS y ON x.timestamp = y.timestamp',
      { auth_logs: ['id', 'timestamp'] },
    ],
    [
      'a key of an order that the result does not show',
      'SELECT id FROM logs.edge_logs ORDER BY timestamp LIMIT 1',
      { edge_logs: ['id', 'timestamp'] },
    ],
    [
      'no aggregate that is not used',
      'SELECT n FROM (SELECT project, COUNT(*) AS n, MAX(event_message) AS m FROM logs.edge_logs GROUP BY project)',
      { edge_logs: ['project'] },
    ],
    [
      'the same column of all inputs of a union',
      'SELECT i FROM (SELECT id AS i, event_message FROM logs.edge_logs UNION ALL SELECT id, event_message FROM logs.auth_logs)',
      { edge_logs: ['id'], auth_logs: ['id'] },
    ],
    [
      'all columns where rows are made different',
      'SELECT i FROM (SELECT id AS i, project FROM logs.edge_logs UNION DISTINCT SELECT id, project FROM logs.auth_logs)',
      { edge_logs: ['id', 'project'], auth_logs: ['id', 'project'] },
    ],
    [
      'a field of a made struct, and what orders a window',
      'SELECT s.a, ROW_NUMBER() OVER (ORDER BY timestamp) FROM (SELECT STRUCT(id AS a, event_message AS b) AS s, timestamp FROM logs.edge_logs)',
      { edge_logs: ['id', 'timestamp'] },
    ],
    [
      'whole records where the row is wanted',
      'SELECT t FROM logs.pgbouncer_logs AS t',
      { pgbouncer_logs: ['event_message', 'id', 'metadata.host', 'project', 'timestamp'] },
    ],
  ])('are %s', (_, sql, expected) => {
    expect(leavesOf(sql)).toEqual(expected);
  });

  test('of usage.api-counts are times, paths and URLs', () => {
    const counts = all.find(({ name }) => name === 'usage.api-counts');
    expect(leavesOf(counts?.sql ?? '')).toEqual({
      edge_logs: ['metadata.request.path', URL_LEAF, 'timestamp'],
    });
  });

  test('of logs.all are all of one source', () => {
    const leaves = leavesOf(all.find(({ name }) => name === 'logs.all')?.sql ?? '');
    expect(Object.keys(leaves)).toEqual(['edge_logs']);
    expect(leaves.edge_logs?.length).toBeGreaterThan(60);
  });
});
