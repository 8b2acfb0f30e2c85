import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { fieldTables, PAGE } from './support/field-list.ts';
import { fieldsRead } from './support/fields-read.ts';
import { STUDIO_QUERIES } from './support/studio-queries.ts';

const page = readFileSync(PAGE, 'utf8');
const [above = '', ...tables] = page.split('\n## ');

describe(PAGE, () => {
  // `node test/studio/support/write-field-list.ts` writes the tables anew.
  test('has every field of the sources with the queries that read it, and no other', async () => {
    expect(tables.map((table) => `## ${table.trimEnd()}`)).toEqual(
      (await fieldTables()).split('\n\n## ').map((table, index) => (index === 0 ? table : `## ${table}`)),
    );
  });

  test('explains every reader that the tables name', () => {
    const named = [...page.matchAll(/^\| `[^`]+` \| \S+ \| (.+) \|$/gm)].flatMap(([, list = '']) =>
      list.split(', '),
    );
    const explained = [...above.matchAll(/^\| ([a-z ,]+) \| [A-Z]/gm)].flatMap(([, list = '']) =>
      list.split(', '),
    );
    expect([...new Set(named)].sort()).toEqual(explained.sort());
    expect(new Set(STUDIO_QUERIES.map(({ kind }) => kind.replaceAll('-', ' ')))).toEqual(
      new Set(explained.filter((kind) => kind !== 'details' && kind !== 'scope')),
    );
  });
});

describe('fieldsRead', () => {
  test.each<[string, string[]]>([
    ['select id from edge_logs', ['edge_logs.id']],
    ['select metadata from edge_logs', []],
    ['select m.level from function_logs, unnest(metadata) as m', ['function_logs.metadata.level']],
    [
      "select count(*) as n from auth_logs cross join unnest(metadata) as m where m.path = '/token'",
      ['auth_logs.metadata.path'],
    ],
    [
      'with a as (select m.request as r from edge_logs, unnest(metadata) as m) select x.path from a, unnest(r) as x',
      ['edge_logs.metadata.request.path'],
    ],
    [
      'select (select max(r.origin_time) from unnest(m.response) as r) as slowest from edge_logs, unnest(metadata) as m',
      ['edge_logs.metadata.response.origin_time'],
    ],
    [
      'select id from edge_logs union all select event_message from auth_logs order by 1',
      ['auth_logs.event_message', 'edge_logs.id'],
    ],
    [
      'select k.role from edge_logs, unnest(metadata) m, unnest(m.request) r, unnest(r.sb) s, unnest(s.jwt) j, unnest(coalesce(j.apikey, [])) a, unnest(a.payload) k',
      ['edge_logs.metadata.request.sb.jwt.apikey.payload.role'],
    ],
  ])('of %s', (sql, fields) => {
    expect([...fieldsRead(sql)].sort()).toEqual(fields);
  });
});
