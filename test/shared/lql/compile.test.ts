import { describe, expect, test } from '@jest/globals';
import { freePrefix } from '../../../shared/lql/query-values.ts';
import { printQuery } from '../../../shared/sql/print/print-query.ts';
import { INT64, STRING } from '../../../shared/sql/types/sql-type.ts';
import { refusalOf } from './support/refusal.ts';
import { columns, compile, compiledText, EDGE, eventColumns, records } from './support/sources.ts';

const EVENTS = 'SELECT t.id, t.timestamp, t.event_message, t.metadata FROM edge AS t';
const NEWEST = ' ORDER BY t.timestamp DESC, t.id DESC LIMIT 100';
const M = 'UNNEST(t.metadata) AS e1';
const REQUEST = `${M}, UNNEST(e1.request) AS e2`;
const OUTER_REQUEST = `${M} LEFT JOIN UNNEST(e1.request) AS e2 ON TRUE`;
const NO_METADATA = 'IFNULL(ARRAY_LENGTH(t.metadata), 0) = 0';

/** A filter, what it becomes behind WHERE, and the values of its parameters. */
const FILTERS: readonly [lql: string, where: string, values: unknown[]][] = [
  ['error', 'STRPOS(t.event_message, @lql_1) > 0', ['error']],
  ['-"a b"', 'NOT IFNULL(STRPOS(t.event_message, @lql_1) > 0, FALSE)', ['a b']],
  ['~a.c', 'REGEXP_CONTAINS(t.event_message, @lql_1)', ['a.c']],
  ['"\'; drop table x --"', 'STRPOS(t.event_message, @lql_1) > 0', ["'; drop table x --"]],
  ['id:5', 't.id = @lql_1', ['5']],
  ['-id:5', 'NOT IFNULL(t.id = @lql_1, FALSE)', ['5']],
  ['id:NULL', 't.id IS NULL', []],
  ['-id:NULL', 'NOT t.id IS NULL', []],
  ['m.level:>b', `EXISTS (SELECT 1 FROM ${M} WHERE e1.level > @lql_1)`, ['b']],
  ['-m.level:b', `NOT EXISTS (SELECT 1 FROM ${M} WHERE e1.level = @lql_1)`, ['b']],
  ['m.group:b', `EXISTS (SELECT 1 FROM ${M} WHERE e1.\`group\` = @lql_1)`, ['b']],
  ['m.request.method:GET', `EXISTS (SELECT 1 FROM ${REQUEST} WHERE e2.method = @lql_1)`, ['GET']],
  [
    'm.request.headers.host:~a',
    `EXISTS (SELECT 1 FROM ${REQUEST}, UNNEST(e2.headers) AS e3 WHERE REGEXP_CONTAINS(e3.host, @lql_1))`,
    ['a'],
  ],
  [
    'm.response.status_code:400..499',
    `EXISTS (SELECT 1 FROM ${M}, UNNEST(e1.response) AS e2 WHERE e2.status_code BETWEEN @lql_1 AND @lql_2)`,
    [400n, 499n],
  ],
  ['m.duration:<=1.5', `EXISTS (SELECT 1 FROM ${M} WHERE e1.duration <= @lql_1)`, [1.5]],
  ['m.duration:"-2"', `EXISTS (SELECT 1 FROM ${M} WHERE e1.duration = @lql_1)`, [-2]],
  ['m.cached:true', `EXISTS (SELECT 1 FROM ${M} WHERE e1.cached = @lql_1)`, [true]],
  ['m.tags:@>a', `EXISTS (SELECT 1 FROM ${M}, UNNEST(e1.tags) AS e2 WHERE e2 = @lql_1)`, ['a']],
  ['m.ids:@>7', `EXISTS (SELECT 1 FROM ${M}, UNNEST(e1.ids) AS e2 WHERE e2 = @lql_1)`, [7n]],
  [
    '-m.tags:@>~a',
    `NOT EXISTS (SELECT 1 FROM ${M}, UNNEST(e1.tags) AS e2 WHERE REGEXP_CONTAINS(e2, @lql_1))`,
    ['a'],
  ],
  ['m.level:NULL', `${NO_METADATA} OR EXISTS (SELECT 1 FROM ${M} WHERE e1.level IS NULL)`, []],
  [
    '-m.request.method:NULL',
    `NOT (${NO_METADATA} OR EXISTS (SELECT 1 FROM ${OUTER_REQUEST} WHERE e2.method IS NULL))`,
    [],
  ],
  [
    'm.tags:NULL',
    `${NO_METADATA} OR EXISTS (SELECT 1 FROM ${M} WHERE IFNULL(ARRAY_LENGTH(e1.tags), 0) = 0)`,
    [],
  ],
  [
    'm.level:warning..critical',
    `EXISTS (SELECT 1 FROM ${M} WHERE e1.level IN (@lql_1, @lql_2, @lql_3))`,
    ['warning', 'error', 'critical'],
  ],
  [
    'm.level:NULL a',
    `(${NO_METADATA} OR EXISTS (SELECT 1 FROM ${M} WHERE e1.level IS NULL)) AND STRPOS(t.event_message, @lql_1) > 0`,
    ['a'],
  ],
  ['m.level:error..info', 'FALSE', []],
  ['-m.level:error..info', 'NOT FALSE', []],
  [
    'a -b',
    'STRPOS(t.event_message, @lql_1) > 0 AND NOT IFNULL(STRPOS(t.event_message, @lql_2) > 0, FALSE)',
    ['a', 'b'],
  ],
  ['t:>=2024-01-01', 't.timestamp >= @lql_1', [1704067200000000n]],
  ['t:2024-01-01', 't.timestamp >= @lql_1 AND t.timestamp <= @lql_2', [1704067200000000n, 1704153599999999n]],
  [
    '-t:2024-01-01',
    'NOT IFNULL(t.timestamp >= @lql_1 AND t.timestamp <= @lql_2, FALSE)',
    [1704067200000000n, 1704153599999999n],
  ],
];

describe('a filter becomes a condition', () => {
  test.each(FILTERS)('%s', (lql, where, values) => {
    const { tree, parameters } = compile(lql);
    expect(printQuery(tree)).toBe(`${EVENTS} WHERE ${where}${NEWEST}`);
    expect([...parameters.values()].map(({ value }) => value)).toEqual(values);
  });

  test('with values of the field’s type', () => {
    const { parameters } = compile('m.level:5 m.response.status_code:5 m.duration:5 m.cached:true t:now');
    expect([...parameters].map(([name, { type }]) => `${name} ${type}`)).toEqual([
      'lql_1 STRING',
      'lql_2 INT64',
      'lql_3 FLOAT64',
      'lql_4 BOOL',
      'lql_5 TIMESTAMP',
    ]);
  });

  test.each([
    ['m.response.status_code:9007199254740993', 9007199254740993n],
    ['m.response.status_code:9223372036854775807', 2n ** 63n - 1n],
    ['m.response.status_code:"-9223372036854775808"', -(2n ** 63n)],
    ['m.response.status_code:007', 7n],
  ])('with whole numbers exactly: %s', (lql, value) => {
    expect(compile(lql).parameters.get('lql_1')).toEqual({ type: 'INT64', value });
  });

  test('in the same text whatever the values are', () => {
    expect(compiledText('m.level:a b t:last@5m')).toBe(compiledText('m.level:c d t:this@year'));
  });
});

/** Clauses that choose columns, and the query that they become. */
const SHAPES: readonly [lql: string, sql: string][] = [
  ['', `${EVENTS}${NEWEST}`],
  ['f:edge', `${EVENTS}${NEWEST}`],
  ['s:* s:id', `${EVENTS}${NEWEST}`],
  ['s:id s:id@b', `SELECT t.id AS id FROM edge AS t${NEWEST}`],
  [
    's:id@t s:m.level@T_ a',
    'SELECT t__.id AS t, r1.level AS T_ FROM edge AS t__ LEFT JOIN UNNEST(t__.metadata) AS r1 ON TRUE ' +
      'WHERE STRPOS(t__.event_message, @lql_1) > 0 ORDER BY t__.timestamp DESC, t__.id DESC LIMIT 100',
  ],
  ['s:metadata', `SELECT t.metadata AS metadata FROM edge AS t${NEWEST}`],
  [
    's:m.request.method@verb s:id s:m.request.headers.host s:m.tags s:m.request.path',
    'SELECT r2.method AS verb, t.id AS id, r3.host AS metadata_request_headers_host, ' +
      'r1.tags AS metadata_tags, r2.path AS metadata_request_path FROM edge AS t ' +
      'LEFT JOIN UNNEST(t.metadata) AS r1 ON TRUE LEFT JOIN UNNEST(r1.request) AS r2 ON TRUE ' +
      `LEFT JOIN UNNEST(r2.headers) AS r3 ON TRUE${NEWEST}`,
  ],
  [
    'c:count(*)',
    'SELECT TIMESTAMP_TRUNC(t.timestamp, MINUTE) AS timestamp, COUNT(*) AS count FROM edge AS t ' +
      'GROUP BY 1 ORDER BY 1',
  ],
  [
    'c:group_by(t::d) s:m.nothing',
    'SELECT TIMESTAMP_TRUNC(t.timestamp, DAY) AS timestamp, COUNT(*) AS count FROM edge AS t ' +
      'GROUP BY 1 ORDER BY 1',
  ],
  [
    'c:avg(m.response.status_code) c:group_by(t::s) id:a',
    'SELECT TIMESTAMP_TRUNC(t.timestamp, SECOND) AS timestamp, AVG(r2.status_code) AS count ' +
      'FROM edge AS t LEFT JOIN UNNEST(t.metadata) AS r1 ON TRUE ' +
      'LEFT JOIN UNNEST(r1.response) AS r2 ON TRUE WHERE t.id = @lql_1 GROUP BY 1 ORDER BY 1',
  ],
];

describe('a query becomes GoogleSQL', () => {
  test.each(SHAPES)('%j', (lql, sql) => expect(compiledText(lql)).toBe(sql));

  test.each([
    ['c:countd(*)', 'COUNT(DISTINCT t.timestamp)'],
    ['c:count(id)', 'COUNT(t.id)'],
    ['c:countd(m.level)', 'COUNT(DISTINCT r1.level)'],
    ['c:sum(m.duration)', 'SUM(r1.duration)'],
    ['c:max(m.duration)', 'MAX(r1.duration)'],
    ['c:p50(m.duration)', 'APPROX_QUANTILES(r1.duration, 100)[OFFSET(50)]'],
    ['c:p95(m.duration)', 'APPROX_QUANTILES(r1.duration, 100)[OFFSET(95)]'],
    ['c:p99(m.duration)', 'APPROX_QUANTILES(r1.duration, 100)[OFFSET(99)]'],
  ])('with the value %s', (lql, value) => {
    expect(compiledText(lql)).toContain(`, ${value} AS count FROM`);
  });

  test('from a source without some of an event’s columns', () => {
    const few = new Map([['few', columns({ id: STRING, n: INT64 })]]);
    expect(compiledText('n:1', few)).toBe(
      'SELECT t.id FROM few AS t WHERE t.n = @lql_1 ORDER BY t.id DESC LIMIT 100',
    );
    const other = new Map([['other', columns({ n: INT64 })]]);
    expect(compiledText('', other)).toBe('SELECT t.n FROM other AS t LIMIT 100');
  });

  test('that reads single records too', () => {
    const single = new Map([['s', columns({ a: { kind: 'STRUCT', fields: columns({ b: STRING }) } })]]);
    expect(compiledText('a.b:1 -a.b:NULL', single)).toContain('WHERE t.a.b = @lql_1 AND NOT t.a.b IS NULL');
  });
});

/** What is wrong with a query over `edge`, and where. */
const REFUSED: readonly [lql: string, reason: string, column: number, message: string][] = [
  ['f:edg', 'unknown_source', 3, 'no source edg; one of: edge; did you mean edge?'],
  ['f:Edge', 'unknown_source', 3, 'no source Edge'],
  ['project:x', 'unknown_field', 1, 'no field project in edge'],
  ['m:x', 'unknown_field', 1, 'no field m in edge'],
  ['m.:x', 'unknown_field', 1, 'no field metadata. in edge'],
  ['-m.Level:x', 'unknown_field', 2, 'no field metadata.Level in edge; did you mean metadata.level?'],
  [
    'm.request.metod:x',
    'unknown_field',
    1,
    'no field metadata.request.metod in edge; did you mean metadata.request.method?',
  ],
  ['m.reqest.method:x', 'unknown_field', 1, 'did you mean metadata.request.method?'],
  ['metadta.request.method:x', 'unknown_field', 1, 'did you mean metadata.request.method?'],
  ['m.reqest.nope:x', 'unknown_field', 1, 'did you mean metadata.request?'],
  ['m.status_code:5', 'unknown_field', 1, 'did you mean metadata.response.status_code?'],
  ['m.level.x:5', 'unknown_field', 1, 'no field metadata.level.x in edge'],
  ['m..level:5', 'unknown_field', 1, 'no field metadata..level'],
  ['a s:m.nope', 'unknown_field', 5, 'no field metadata.nope'],
  ['s:* s:m.nope', 'unknown_field', 7, 'no field metadata.nope'],
  ['c:avg(m.nope)', 'unknown_field', 7, 'no field metadata.nope'],
  ['12:30', 'unknown_field', 1, 'no field 12 in edge'],
  ['metadata:x', 'unsupported', 1, ': needs a field, metadata is a record'],
  ['m.request:NULL', 'unsupported', 1, ':NULL needs a field, metadata.request is a record'],
  ['m.level:@>x', 'unsupported', 1, ':@> needs a list, metadata.level is STRING'],
  ['m.level:@>~x', 'unsupported', 1, ':@>~ needs a list, metadata.level is STRING'],
  ['m.ids:@>~x', 'unsupported', 1, ':@>~ needs a list of STRING, metadata.ids is ARRAY<INT64>'],
  ['m.tags:x', 'unsupported', 1, 'metadata.tags is ARRAY<STRING>; :@> asks for an element of a list'],
  ['m.tags:1..2', 'unsupported', 1, 'a range needs a STRING, INT64 or FLOAT64'],
  ['m.duration:~5', 'unsupported', 1, ':~ needs a STRING, metadata.duration is FLOAT64'],
  ['m.cached:>true', 'unsupported', 1, 'metadata.cached is BOOL'],
  ['m.cached:1..2', 'unsupported', 1, 'metadata.cached is BOOL'],
  ['m.seen:2024-01-01', 'unsupported', 1, 'metadata.seen is TIMESTAMP'],
  ['-t:this@s', 'unsupported', 4, 'this@second is no period'],
  ['s:m.request', 'unsupported', 3, 's: needs a field, metadata.request is a record'],
  ['s:id s:m.level@Id', 'unsupported', 16, 'two columns are called Id'],
  ['s:m.level s:id@metadata_level', 'unsupported', 16, 'two columns are called metadata_level'],
  [`s:id@${'a'.repeat(301)}`, 'unsupported', 6, '300 characters at most'],
  ['c:avg(*)', 'unsupported', 7, 'avg needs a path to a number'],
  ['c:p50(m.level)', 'unsupported', 7, 'p50 needs an INT64 or FLOAT64, metadata.level is STRING'],
  ['c:max(timestamp)', 'unsupported', 7, 'max needs an INT64 or FLOAT64, timestamp is TIMESTAMP'],
  ['c:count(m.request)', 'unsupported', 9, 'metadata.request is a record'],
  ['c:countd(m.tags)', 'unsupported', 10, 'metadata.tags is ARRAY<STRING>'],
  ['m.response.status_code:abc', 'type', 24, "expected INT64 for metadata.response.status_code, got 'abc'"],
  ['m.response.status_code:200.5', 'type', 24, "got '200.5'"],
  ['m.response.status_code:1..1.5', 'type', 27, "got '1.5'"],
  ['m.response.status_code:9223372036854775808', 'type', 24, 'expected INT64'],
  ['m.response.status_code:"+1"', 'type', 24, 'expected INT64'],
  ['m.response.status_code:" 1"', 'type', 24, 'expected INT64'],
  ['m.response.status_code:2024-01-01..2024-01-02', 'type', 24, 'expected INT64'],
  ['m.ids:@>x', 'type', 9, 'expected INT64 for metadata.ids'],
  ['m.duration:"1e5"', 'type', 12, 'expected FLOAT64'],
  [`m.duration:${'9'.repeat(400)}`, 'type', 12, 'expected FLOAT64'],
  ['m.cached:TRUE', 'type', 10, "expected BOOL for metadata.cached, got 'TRUE'"],
  ['m.cached:x m.nope:x', 'type', 10, 'expected BOOL'],
  ['m.nope:x m.cached:x', 'unknown_field', 1, 'metadata.nope'],
  ['f:nope m.nope:x', 'unknown_source', 3, 'no source nope'],
];

describe('a query that does not fit its source is refused', () => {
  test.each(REFUSED)('%s', (lql, reason, column, message) => {
    const refusal = refusalOf(() => compile(lql));
    expect(refusal).toMatchObject({ reason, line: 1, column, message: expect.stringContaining(message) });
  });

  test.each([
    ['error', 'name the source with f:, one of: edge, auth'],
    ['f:nope', 'no source nope; one of: edge, auth'],
  ])('where there are several sources: %s', (lql, message) => {
    const two = new Map([
      ['edge', EDGE],
      ['auth', EDGE],
    ]);
    expect(refusalOf(() => compile(lql, two))).toMatchObject({
      reason: 'unknown_source',
      message: expect.stringContaining(message),
    });
    expect(compile('f:auth', two).source).toBe('auth');
  });

  test.each([
    ['a word', 'error', 'unknown_field', 'event_message'],
    ['a time', 't:today', 'unsupported', 'timestamp is STRING'],
    ['a chart', 'c:count(*)', 'unsupported', 'timestamp is STRING'],
  ])('where it lacks what %s needs', (_, lql, reason, message) => {
    const odd = new Map([['odd', columns({ timestamp: STRING })]]);
    expect(refusalOf(() => compile(lql, odd))).toMatchObject({
      reason,
      message: expect.stringContaining(message),
    });
  });

  test('where its level is no text', () => {
    const odd = new Map([['odd', eventColumns({ level: INT64 })]]);
    expect(refusalOf(() => compile('m.level:info..error', odd))).toMatchObject({
      reason: 'unsupported',
      message: expect.stringContaining('a level range needs a STRING'),
    });
  });

  test('with a place where the same name lies, three at most', () => {
    const many = records({ deep: INT64 });
    const odd = new Map([['odd', columns({ a: many, b: many, c: many, d: many })]]);
    expect(refusalOf(() => compile('deep:1', odd)).message).toContain(
      'did you mean a.deep or b.deep or c.deep?',
    );
  });
});

test('parameters get names that the endpoint has none of', () => {
  expect(freePrefix(['project', 'sql_1'])).toBe('lql_');
  expect(freePrefix(['LQL_1'])).toBe('lql__');
  expect(freePrefix(['lql_1', 'lql___x'])).toBe('lql____');
});
