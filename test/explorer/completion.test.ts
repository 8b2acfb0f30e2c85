import { describe, expect, test } from '@jest/globals';
import type { ColumnSchema } from '../../client/client.d.ts';
import { bucketSeconds } from '../../explorer/chart/buckets.js';
import { errorPlace } from '../../explorer/editor/error-place.js';
import { completeLql } from '../../explorer/editor/lql-completion.js';
import { completeSql } from '../../explorer/editor/sql-completion.js';
import { googleSql } from '../../explorer/editor/sql-language.js';
import { AGGREGATE_NAMES, LEVELS, PERIODS } from '../../shared/lql/keywords.ts';

const scalar = (name: string, type = 'STRING'): ColumnSchema => ({ name, type, mode: 'NULLABLE' });
const records = (name: string, ...fields: ColumnSchema[]): ColumnSchema => ({
  name,
  type: 'RECORD',
  mode: 'REPEATED',
  fields,
});
const sources = [
  {
    name: 'edge_logs',
    columns: [
      scalar('id'),
      scalar('timestamp', 'TIMESTAMP'),
      records(
        'metadata',
        records('request', scalar('method'), scalar('path')),
        records('response', scalar('status_code', 'INTEGER')),
      ),
    ],
  },
  {
    name: 'auth_logs',
    columns: [scalar('id'), records('metadata', scalar('level'), scalar('metering', 'BOOLEAN'))],
  },
];
const functions = [
  { name: 'COUNTIF', kind: 'aggregate' as const, description: 'Counts.', signatures: ['COUNTIF(BOOL)'] },
  { name: 'NET.HOST', kind: 'scalar' as const, description: 'The host.', signatures: ['NET.HOST(STRING)'] },
];

/** What is proposed where the text has a bar. */
function sqlAt(marked: string, isExplicit = false): readonly string[] | null {
  const proposals = completeSql(marked.replace('|', ''), marked.indexOf('|'), isExplicit, {
    sources,
    functions,
  });
  return proposals?.options.map(({ label }) => label) ?? null;
}
function lqlAt(marked: string, isExplicit = false): readonly string[] | null {
  const proposals = completeLql(marked.replace('|', ''), marked.indexOf('|'), isExplicit, sources);
  return proposals?.options.map(({ label }) => label) ?? null;
}

/** The texts that the editor takes for literals of texts and bytes. */
function literalsOf(sql: string): readonly string[] {
  const found: string[] = [];
  googleSql(functions)
    .language.parser.parse(sql)
    .iterate({
      enter: ({ name, from, to }) => {
        if (['String', 'Bytes'].includes(name)) found.push(sql.slice(from, to));
      },
    });
  return found;
}

test.each([
  [`select b"abc" as x, 'd'`, [`b"abc"`, `'d'`]],
  [`select b'a"' as x, "d"`, [`b'a"'`, `"d"`]],
  [String.raw`select r'\d\'' as x, "d"`, [String.raw`'\d\''`, `"d"`]],
])('the colours of %s end with its literals', (sql, literals) => {
  expect(literalsOf(sql)).toEqual(literals);
});

describe('SQL', () => {
  test.each([
    ['sources after FROM', 'select 1 from e|', ['edge_logs', 'auth_logs']],
    ['own CTEs after FROM', 'with mine as (select 1) select 1 from m|', ['edge_logs', 'auth_logs', 'mine']],
    [
      'fields of an unnested record',
      'select m.| from edge_logs cross join unnest(metadata) as m',
      ['request', 'response'],
    ],
    [
      'without AS',
      'select r.| from edge_logs t cross join unnest(t.metadata) m, unnest(m.request) r',
      ['method', 'path'],
    ],
    ['columns after a table', 'select edge_logs.i| from edge_logs', ['id', 'timestamp', 'metadata']],
    ['case aside', 'SELECT M.Request.| FROM EDGE_LOGS CROSS JOIN UNNEST(METADATA) AS m', ['method', 'path']],
    ['functions of a namespace', 'select net.h|', ['NET.HOST']],
  ])('proposes %s', (_, text, labels) => expect(sqlAt(text)).toEqual(labels));

  test.each([
    ['columns', 'id'],
    ['functions', 'COUNTIF'],
    ['key words in the author’s case', 'where'],
    ['fields of range variables by themselves', 'status_code'],
    ['range variables', 's'],
  ])('proposes %s in an expression', (_, label) => {
    const text =
      'select w| from edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as s';
    expect(sqlAt(text)).toContain(label);
  });

  test.each([
    ['in a string', "select 'w|'"],
    ['in a comment', 'select 1 -- w|'],
    ['in a parameter', 'select @|'],
    ['after a field that is no record', 'select t.id.x| from edge_logs t'],
    ['where no word was begun', 'select |'],
    ['in a number', 'select id from edge_logs limit 10|'],
    ['in a number with a point', 'select 1.5|'],
    ['in a number in another base', 'select 0xa|'],
  ])('proposes nothing %s', (_, text) => expect(sqlAt(text)).toBeNull());

  test('proposes everything where it is asked to', () => {
    expect(sqlAt('select |', true)).toEqual(expect.arrayContaining(['id', 'COUNTIF', 'WHERE']));
  });

  test('reads a long text without end', () => {
    expect(sqlAt(`${'from '.repeat(5000)}"${'a'.repeat(50_000)}" e|`)).not.toBeNull();
  });
});

describe('LQL', () => {
  test.each([
    ['sources', 'f:ed|', ['edge_logs', 'auth_logs']],
    ['charts', 'c:|', [...AGGREGATE_NAMES, 'group_by']],
    ['numbers to add up', 'f:edge_logs c:sum(|', ['m.response.status_code']],
    [
      'periods to count by',
      'c:group_by(|',
      [...new Set(Object.values(PERIODS))].map((period) => `t::${period}`),
    ],
    ['values of a BOOL', 'f:auth_logs m.metering:|', ['true', 'false', 'NULL']],
    ['levels', 'f:auth_logs m.level:info..|', [...LEVELS, 'NULL']],
  ])('proposes %s', (_, text, labels) => expect(lqlAt(text)).toEqual(labels));

  test('proposes paths of the source that is named, else of all', () => {
    expect(lqlAt('f:auth_logs m.|')).not.toContain('m.request.method');
    expect(lqlAt('m.|')).toEqual(expect.arrayContaining(['m.request.method', 'm.level']));
    expect(lqlAt('f:edge_logs -m.req|')).toContain('m.request.path');
    expect(lqlAt('t:|')).toContain('today');
  });

  test('proposes nothing in quotes', () => {
    expect(lqlAt('"m.|')).toBeNull();
    expect(lqlAt(String.raw`"a\"" m|`)).not.toBeNull();
  });
});

describe('the place of an error', () => {
  test.each([
    ['a word', 'select\n  nope', 2, 3, 'nope'],
    ['a quoted name', 'select `a b`', 1, 8, '`a b`'],
    ['after characters of two code units', "select '😀', x", 1, 13, 'x'],
    ['one sign', 'select )', 1, 8, ')'],
    ['the end, where something is missing', 'select', 1, 7, 't'],
  ])('is %s', (_, text, line, at, part) => {
    const place = errorPlace(text, [{ line, column: at }], 'sql');
    expect(text.slice(place?.from, place?.to)).toBe(part);
  });

  test('is all that is left of a clause in LQL', () => {
    expect(errorPlace('f:a m.nope:1 x', [{ line: 1, column: 5 }], 'lql')).toEqual({ from: 4, to: 12 });
  });

  test.each([
    ['without a line', [{ parameter: 'sql' }]],
    ['after the text', [{ line: 9, column: 1 }]],
    ['of no details', []],
  ])('is null %s', (_, details) => expect(errorPlace('select 1', details, 'sql')).toBeNull());
});

describe('counting', () => {
  test.each([
    [60, 1],
    [3600, 60],
    [86_400, 900],
    [604_800, 7200],
    [10 * 365 * 86_400, 39 * 86_400],
  ])('a range of %i s has bars of %i s', (range, width) => {
    expect(bucketSeconds(range)).toBe(width);
  });
});
