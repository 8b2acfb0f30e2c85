import { expect, test } from '@jest/globals';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { TableSchema } from '../../../shared/schema/table-schema.ts';
import { severityFields } from '../../../shared/severity/severity-fields.ts';
import type { Column, SqlType } from '../../../shared/sql/types/sql-type.ts';

const of = (columns: Readonly<Record<string, SqlType>>): readonly Column[] =>
  Object.entries(columns).map(([name, type]) => ({ name, type }));
const columnsOf = (schema: TableSchema): readonly Column[] =>
  schema.map(({ name, type, mode, fields }) => {
    const element: SqlType = type === 'STRUCT' ? { kind: type, fields: columnsOf(fields) } : { kind: type };
    return { name, type: mode === 'REPEATED' ? { kind: 'ARRAY', element } : element };
  });
const TEXT: SqlType = { kind: 'STRING' };
const NUMBER: SqlType = { kind: 'INT64' };

test.each([
  ['no field', of({ id: TEXT, message: TEXT }), []],
  ['a level by any spelling', of({ logLevel: TEXT }), [{ path: ['logLevel'], kind: 'level' }]],
  ['a level that is a number, which no name stands for', of({ level: NUMBER }), []],
  ['a status that is text', of({ status: TEXT }), []],
  [
    'the one nearest to the top, through records and lists of them',
    of({
      a: {
        kind: 'ARRAY',
        element: {
          kind: 'STRUCT',
          fields: of({ deep: { kind: 'STRUCT', fields: of({ severity: TEXT }) }, status_code: NUMBER }),
        },
      },
      severity_text: TEXT,
    }),
    [
      { path: ['severity_text'], kind: 'level' },
      { path: ['a', 'status_code'], kind: 'status' },
    ],
  ],
])('%s', (_, columns, fields) => {
  expect(severityFields(columns)).toEqual(fields);
});

test('the sources of the endpoints have a field wherever an entry says how serious it is', async () => {
  const tables = await loadTableSchemas('queries/sources');
  const found = [...tables].map(([name, schema]) => [
    name,
    severityFields(columnsOf(schema)).map(({ path }) => path.join('.')),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    auth_logs: ['metadata.level', 'metadata.status'],
    edge_logs: ['metadata.response.status_code'],
    function_edge_logs: ['metadata.response.status_code'],
    function_logs: ['metadata.level'],
    pgbouncer_logs: [],
    postgres_logs: ['metadata.parsed.error_severity'],
    postgrest_logs: [],
    realtime_logs: ['metadata.level'],
    storage_logs: ['metadata.level', 'metadata.res.statusCode'],
  });
});
