import { describe, expect, test } from '@jest/globals';
import { analyze } from '../../../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';

const TABLES = new Map(
  ['edge_logs', 'auth_logs'].map((name) => [
    name,
    [{ name: 'id', type: 'STRING', mode: 'NULLABLE', fields: [] }] as const,
  ]),
);

function analyzed(sql: string, tables: typeof TABLES): unknown {
  return analyze(parseStatement(sql), sql, { dataset: 'logs', tables, parameters: new Map() });
}

describe('the error for a stored query that names a missing table says how tables are written', () => {
  test.each([
    ['select 1 from edge_logs', 'edge_logs; tables are written logs.<source>; did you mean logs.edge_logs?'],
    [
      'select 1 from logs.edge_log',
      'logs.edge_log; tables are written logs.<source>; did you mean logs.edge_logs?',
    ],
    [
      'select 1 from `logs.edge_logs`',
      'logs.edge_logs; tables are written logs.<source>; did you mean logs.edge_logs?',
    ],
    [
      'select 1 from other.auth_logs',
      'other.auth_logs; tables are written logs.<source>; did you mean logs.auth_logs?',
    ],
    ['select 1 from nothing', 'nothing; tables are written logs.<source> such as logs.edge_logs'],
    [
      'with a as (select id from logs.edge_logs) select id from a join nothing using (id)',
      'nothing; tables are written logs.<source> such as logs.edge_logs. Sources here: a',
    ],
    [
      'with recent as (select id from logs.edge_logs) select id from recnt',
      'recnt; did you mean recent? Sources here: recent',
    ],
  ])('%s', (sql, message) => {
    expect(() => analyzed(sql, TABLES)).toThrow(`Table not found: ${message} (line 1, column `);
  });
});

test('lists no tables where none may be named', () => {
  expect(() => analyzed('select 1 from edge_logs', new Map())).toThrow(/^Table not found: edge_logs \(line/);
});
