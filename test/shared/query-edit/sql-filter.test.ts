import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ValueFilter } from '../../../shared/query-edit/condition.ts';
import { filterSql } from '../../../shared/query-edit/sql-filter.ts';
import { parseStatement } from '../../../shared/sql/parser/parse-query.ts';
import type { SqlType } from '../../../shared/sql/types/sql-type.ts';

const TEXT: SqlType = { kind: 'STRING' };
const NUMBER: SqlType = { kind: 'INT64' };
const records = (fields: Readonly<Record<string, SqlType>>): SqlType => ({
  kind: 'ARRAY',
  element: { kind: 'STRUCT', fields: Object.entries(fields).map(([name, type]) => ({ name, type })) },
});
const COLUMNS = Object.entries({
  id: TEXT,
  timestamp: { kind: 'TIMESTAMP' } as SqlType,
  event_message: TEXT,
  metadata: records({
    request: records({ method: TEXT, path: TEXT }),
    response: records({ status_code: NUMBER, ok: { kind: 'BOOL' }, time: { kind: 'FLOAT64' } }),
  }),
}).map(([name, type]) => ({ name, type }));
const SOURCES = new Map([['edge_logs', COLUMNS]]);

const filter = (path: string, value: ValueFilter['value'], rest: Partial<ValueFilter> = {}): ValueFilter => ({
  of: 'result',
  path: path.split('.'),
  value,
  negated: false,
  type: 'STRING',
  ...rest,
});
const OUT = { negated: true };
const FIELD = { of: 'source' as const };

const JOINED =
  'select r.method, s.status_code as code from edge_logs as t cross join unnest(metadata) as m\n  cross join unnest(m.request) as r cross join unnest(m.response) as s';

describe('a query asks for a value', () => {
  test.each<[string, string, ValueFilter, string]>([
    [
      'of a column, after its own conditions',
      "select id from edge_logs where id != '' order by timestamp limit 3;",
      filter('id', 'a'),
      "select id from edge_logs where id != '' and id = 'a' order by timestamp limit 3;",
    ],
    [
      'without conditions, with the text as it is',
      'select id -- the key\nfrom edge_logs -- all of it\nlimit 3 -- few',
      filter('id', 'a'),
      "select id -- the key\nfrom edge_logs\nwhere id = 'a' -- all of it\nlimit 3 -- few",
    ],
    [
      'with conditions between OR',
      "SELECT id FROM edge_logs WHERE id = 'x' OR id = 'y'",
      filter('id', 'x', OUT),
      "SELECT id FROM edge_logs WHERE (id = 'x' OR id = 'y') AND id IS DISTINCT FROM 'x'",
    ],
    [
      'that it asks for already',
      "select id from edge_logs where (id = 'a')",
      filter('id', 'a'),
      "select id from edge_logs where (id = 'a')",
    ],
    ['NULL', 'select id from edge_logs', filter('id', null), 'select id from edge_logs where id IS NULL'],
    [
      'any other but NULL',
      'select id from edge_logs',
      filter('id', null, OUT),
      'select id from edge_logs where id IS NOT NULL',
    ],
    [
      'of an instant',
      'select timestamp as seen from edge_logs',
      filter('seen', 1_500_000, { type: 'TIMESTAMP' }),
      "select timestamp as seen from edge_logs where timestamp = TIMESTAMP '1970-01-01T00:00:01.500000Z'",
    ],
    [
      'of a joined record',
      JOINED,
      filter('code', 500, { type: 'INTEGER' }),
      `${JOINED}\nwhere s.status_code = 500`,
    ],
    [
      'of a field that is joined',
      JOINED,
      filter('metadata.request.path', '/', FIELD),
      `${JOINED}\nwhere r.path = '/'`,
    ],
    [
      'of a field of records',
      'select * from edge_logs',
      filter('metadata.request.method', 'GET'),
      "select * from edge_logs where EXISTS (SELECT 1 FROM UNNEST(edge_logs.metadata) AS e1, UNNEST(e1.request) AS e2 WHERE e2.method = 'GET')",
    ],
    [
      'but one of a field of records',
      'select id, metadata from edge_logs t',
      filter('metadata.response.ok', true, OUT),
      'select id, metadata from edge_logs t where NOT EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS e1, UNNEST(e1.response) AS e2 WHERE e2.ok IS TRUE)',
    ],
    [
      'of a key of groups',
      'select r.method, count(*) as n from edge_logs, unnest(metadata) m, unnest(m.request) r group by 1 having n > 2',
      filter('method', 'GET'),
      "select r.method, count(*) as n from edge_logs, unnest(metadata) m, unnest(m.request) r where r.method = 'GET' group by 1 having n > 2",
    ],
    [
      'that is computed from several entries',
      'select count(*) as n from edge_logs -- all',
      filter('n', 3, { type: 'INTEGER' }),
      'SELECT *\nFROM (\nselect count(*) as n from edge_logs\n)\nWHERE n = 3 -- all',
    ],
    [
      'in pipe syntax',
      'from edge_logs |> extend upper(id) as `group`;',
      filter('group', 'A'),
      "from edge_logs |> extend upper(id) as `group` |> WHERE `group` = 'A';",
    ],
    [
      'of one of its own CTEs',
      'with edge_logs as (select 1 as x) select x from edge_logs',
      filter('x', 1, { type: 'INTEGER' }),
      'with edge_logs as (select 1 as x) select x from edge_logs where x = 1',
    ],
    [
      'of several queries',
      'select id from edge_logs union all select id from edge_logs',
      filter('id', 'a'),
      "SELECT *\nFROM (\nselect id from edge_logs union all select id from edge_logs\n)\nWHERE id = 'a'",
    ],
    [
      'of a number that is none',
      'select time from (select 1.5 as time)',
      filter('time', 'NaN', { type: 'FLOAT' }),
      'select time from (select 1.5 as time) where IS_NAN(time)',
    ],
  ])('%s', (_, text, own, expected) => {
    expect(filterSql(text, own, SOURCES)).toBe(expected);
  });

  test('whatever the value: it stays one literal', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed()),
        (value) => {
          const text = filterSql('select id from edge_logs -- it\nlimit 1', filter('id', value), SOURCES);
          const { body } = parseStatement(text);
          expect(body).toMatchObject({ where: { right: { kind: 'literal', type: 'STRING', value } } });
        },
      ),
    );
  });

  test.each<[string, string, ValueFilter]>([
    ['text that does not parse', 'select from', filter('id', 'a')],
    ['a field of no source', 'select 1 as x', filter('metadata.request.method', 'GET', FIELD)],
    ['a field that there is not', 'select id from edge_logs', filter('metadata.nope', 'a', FIELD)],
    [
      'a value of another type',
      'select id from edge_logs',
      filter('metadata.response.status_code', 'x', FIELD),
    ],
    ['a record', 'select id, metadata from edge_logs', filter('metadata', 'x')],
  ])('but not for %s', (_, text, own) => {
    expect(() => filterSql(text, own, SOURCES)).toThrow(
      expect.objectContaining({ kind: 'invalid_argument' }),
    );
  });
});
