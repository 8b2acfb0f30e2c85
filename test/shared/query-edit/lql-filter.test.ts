import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseLql } from '../../../shared/lql/parse.ts';
import type { ValueFilter } from '../../../shared/query-edit/condition.ts';
import { filterLql, formatLql } from '../../../shared/query-edit/lql-filter.ts';
import { lqlToSql } from '../../../shared/query-edit/lql-to-sql.ts';
import type { SqlType } from '../../../shared/sql/types/sql-type.ts';

const TEXT: SqlType = { kind: 'STRING' };
const SOURCES = new Map([
  [
    'auth_logs',
    [
      { name: 'id', type: TEXT },
      { name: 'timestamp', type: { kind: 'TIMESTAMP' } as SqlType },
      { name: 'event_message', type: TEXT },
      {
        name: 'metadata',
        type: {
          kind: 'ARRAY',
          element: {
            kind: 'STRUCT',
            fields: [
              { name: 'status', type: { kind: 'INT64' } },
              { name: 'path', type: TEXT },
              { name: 'tags', type: { kind: 'ARRAY', element: TEXT } },
            ],
          },
        } as SqlType,
      },
    ],
  ],
]);
const filter = (path: string, value: ValueFilter['value'], negated = false): ValueFilter => ({
  of: 'result',
  path: path.split('.'),
  value,
  negated,
  type: 'STRING',
});

describe('a query in LQL asks for a value', () => {
  test.each<[string, string, ValueFilter, string]>([
    ['a number', 'f:auth_logs', filter('metadata.status', 400), 'f:auth_logs m.status:400'],
    [
      'another one',
      'f:auth_logs m.status:400',
      filter('metadata.status', 400, true),
      'f:auth_logs -m.status:400',
    ],
    [
      'one that it asks for',
      'f:auth_logs  m.status:400',
      filter('metadata.status', 400),
      'f:auth_logs  m.status:400',
    ],
    ['a negative number', 'f:auth_logs', filter('metadata.status', -1), 'f:auth_logs m.status:"-1"'],
    ['text', 'f:auth_logs', filter('metadata.path', '/a "b" \\'), 'f:auth_logs m.path:"/a \\"b\\" \\\\"'],
    ['the word NULL', 'f:auth_logs', filter('metadata.path', 'NULL'), 'f:auth_logs m.path:"NULL"'],
    ['NULL', 'f:auth_logs', filter('metadata.path', null), 'f:auth_logs m.path:NULL'],
    [
      'a column by its alias',
      'f:auth_logs s:m.path@where',
      filter('where', 'x'),
      'f:auth_logs s:m.path@where m.path:x',
    ],
    [
      'a column by its path',
      'f:auth_logs s:m.path',
      filter('metadata_path', 'x'),
      'f:auth_logs s:m.path m.path:x',
    ],
    [
      'an instant',
      'f:auth_logs',
      filter('timestamp', 1_500_000),
      'f:auth_logs t:1970-01-01T00:00:01.500000Z',
    ],
  ])('%s', (_, text, own, expected) => {
    expect(filterLql(text, own, SOURCES)).toBe(expected);
    expect(() => lqlToSql(expected, SOURCES, 0n)).not.toThrow();
  });

  test('whatever the value: it stays one clause', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const { clauses } = parseLql(filterLql('f:auth_logs', filter('metadata.path', value), SOURCES));
        expect(clauses).toHaveLength(2);
        expect(clauses[1]).toMatchObject({ condition: { kind: 'compare', value: { text: value } } });
      }),
    );
  });

  test.each<[string, string, ValueFilter]>([
    ['a chart', 'f:auth_logs c:count(*) c:group_by(t::hour)', filter('count', 3)],
    ['a record', 'f:auth_logs', filter('metadata', 'x')],
    ['a list', 'f:auth_logs', filter('metadata.tags', 'x')],
    ['a field that there is not', 'f:auth_logs', filter('metadata.nope', 'x')],
    ['text that is not LQL', 'f:auth_logs "', filter('id', 'x')],
  ])('but not for %s', (_, text, own) => {
    expect(() => filterLql(text, own, SOURCES)).toThrow(
      expect.objectContaining({ kind: 'invalid_argument' }),
    );
  });
});

test('LQL is laid out', () => {
  expect(formatLql('  f:auth_logs \n m.status:400')).toBe('f:auth_logs m.status:400');
  const long = `m.path:"${'x'.repeat(80)}"`;
  expect(formatLql(`f:auth_logs ${long}`)).toBe(`f:auth_logs\n${long}`);
});

test.each([
  [
    'f:auth_logs m.path:~"^/a" -m.status:400..499 s:id',
    'SELECT t.id AS id\nFROM auth_logs AS t\nWHERE EXISTS',
  ],
  ['f:auth_logs "it\'s"', "STRPOS(t.event_message, 'it\\'s') > 0"],
  ['f:auth_logs t:last@1h', "t.timestamp >= TIMESTAMP '"],
])('%s becomes GoogleSQL', (lql, part) => {
  expect(lqlToSql(lql, SOURCES, 1_769_860_800_000_000n)).toContain(part);
});
