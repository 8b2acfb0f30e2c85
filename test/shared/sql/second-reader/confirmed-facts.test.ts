import { describe, expect, test } from '@jest/globals';
import { loadEndpoints } from '../../../../shared/endpoints/load-endpoints.ts';
import { loadTableSchemas } from '../../../../shared/schema/load-table-schemas.ts';
import { confirmedFacts } from '../../../../shared/sql/second-reader/confirmed-facts.ts';
import { factDifferences } from '../../../../shared/sql/second-reader/query-facts.ts';
import { readWithNodeSqlParser } from '../../../../shared/sql/second-reader/read-with-node-sql-parser.ts';

const schemas = await loadTableSchemas('queries/sources');
const endpoints = await loadEndpoints('queries');
const facts = (sql: string) =>
  confirmedFacts({ sql, parameters: [{ name: 'project', type: 'STRING' }] }, 'logs', schemas);

describe('what a stored query names', () => {
  test.each(endpoints.all)('is confirmed for $name by the second reader', async (endpoint) => {
    const { tables, parameters, ctes } = await confirmedFacts(endpoint, 'logs', schemas);
    expect(tables.length).toBeGreaterThan(0);
    expect(parameters).toEqual(endpoint.parameters.map(({ name }) => name.toLowerCase()).sort());
    expect(ctes.length).toBeGreaterThan(0);
  });

  test.each([
    ['a comment', '-- logs.auth_logs\nSELECT id FROM logs.edge_logs WHERE project = @project'],
    ['a text', "SELECT 'FROM logs.auth_logs' AS x FROM logs.edge_logs WHERE project = @project"],
    ['a raw string', "SELECT r'\\'' AS x FROM logs.edge_logs WHERE project = @project -- '"],
    [
      'a block comment',
      'SELECT id /* , (select id from logs.auth_logs) */ FROM logs.edge_logs WHERE project = @project',
    ],
  ])('has no table from %s', async (_, sql) => {
    expect((await facts(sql)).tables).toEqual(['edge_logs']);
  });

  test('is found in subqueries, joins and unions', async () => {
    const sql = `WITH a AS (SELECT id FROM logs.edge_logs WHERE project = @Project)
      SELECT id FROM a WHERE id IN (SELECT p.id FROM logs.postgres_logs AS p JOIN logs.auth_logs AS u ON p.id = u.id)
      UNION ALL SELECT id FROM logs.storage_logs`;
    expect(await facts(sql)).toEqual({
      tables: ['auth_logs', 'edge_logs', 'postgres_logs', 'storage_logs'],
      parameters: ['project'],
      ctes: ['a'],
    });
  });

  test('is refused where the second reader cannot read the query, with the place', async () => {
    await expect(facts('FROM logs.edge_logs |> WHERE project = @project |> LIMIT 1')).rejects.toThrow(
      /node-sql-parser, cannot read it; write this part in another way \(line 1, column \d+\)/,
    );
  });

  test('is refused where the analyzer refuses the query', async () => {
    const refused = facts('SELECT nothing FROM logs.edge_logs WHERE project = @project');
    await expect(refused).rejects.toThrow(/nothing/);
  });
});

describe('the second reader', () => {
  test('sees only tables of the dataset of stored queries', async () => {
    const sql = 'SELECT 1 FROM other.secret JOIN logs.edge_logs ON true';
    expect((await readWithNodeSqlParser(sql, 'logs')).tables).toEqual(['edge_logs']);
  });

  test('differs in a sentence for each list', () => {
    const ours = { tables: ['a', 'b'], parameters: ['p'], ctes: [] };
    const theirs = { tables: ['b', 'c'], parameters: ['p'], ctes: ['x'] };
    expect(factDifferences(ours, theirs)).toEqual([
      'the two readers of stored queries find other tables in it: the analyzer alone a, node-sql-parser alone c',
      'the two readers of stored queries find other CTEs in it: the analyzer alone none, node-sql-parser alone x',
    ]);
    expect(factDifferences(ours, ours)).toEqual([]);
  });
});
