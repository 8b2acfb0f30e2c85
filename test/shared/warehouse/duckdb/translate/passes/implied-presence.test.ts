import { expect, test } from '@jest/globals';
import { tableSchema } from '../../../../../../shared/schema/table-schema.ts';
import { compileQuery } from '../../../../../../shared/warehouse/duckdb/compile-query.ts';
import type { Presence, TableLayout } from '../../../../../../shared/warehouse/duckdb/store/layout.ts';

const field = (name: string, type: string, fields: readonly object[] = []) => ({
  name,
  type,
  mode: type === 'RECORD' ? 'REPEATED' : 'NULLABLE',
  fields,
});

const SCHEMA = tableSchema.parse([
  field('id', 'STRING'),
  field('metadata', 'RECORD', [
    field('level', 'STRING'),
    field('request', 'RECORD', [field('path', 'STRING'), { ...field('tags', 'STRING'), mode: 'REPEATED' }]),
    field('response', 'RECORD', [field('status', 'INT64')]),
  ]),
]);

const FLAT = new Map<string, Presence>(
  ['metadata', 'metadata.request', 'metadata.response'].map((path) => [path, 'sometimes']),
);
const SINGLE: TableLayout = { flat: FLAT, hasRepeated: false };
const REPEATED: TableLayout = {
  flat: FLAT,
  hasRepeated: true,
  flatRepeated: new Map([
    ['metadata', 'always'],
    ['metadata.request', 'sometimes'],
  ]),
};

/** The columns that say whether there is a record, or a repeated one, that the query's SQL names. */
function asked(sql: string, layout: TableLayout): readonly string[] {
  const layouts = new Map([['logs', layout]]);
  const known = { layouts, timeRanges: new Map(), nullParameters: new Set<string>() };
  const compiled = compileQuery(sql, new Map([['logs', SCHEMA]]), new Map(), 10, known);
  return [...new Set(compiled.sql.match(/"(?:[\w.]+\?|\$repeated)"/g))].toSorted();
}

const FROM = 'FROM logs.logs AS t CROSS JOIN UNNEST(t.metadata) AS m';
const REQUEST = `${FROM} CROSS JOIN UNNEST(m.request) AS r`;
const RESPONSE = `${FROM} CROSS JOIN UNNEST(m.response) AS r`;

test.each<[string, string, readonly string[]]>([
  ['a record that lies in others stands for them', `SELECT r.path ${REQUEST}`, ['"metadata.request?"']],
  ['a field that is compared stands for its record', `SELECT t.id ${REQUEST} WHERE r.path = 'a'`, []],
  ['one of several values does', `SELECT t.id ${REQUEST} WHERE r.path IN ('a', 'b')`, []],
  ['a pattern does', `SELECT t.id ${REQUEST} WHERE REGEXP_CONTAINS(LOWER(r.path), 'a+')`, []],
  ['a field that is not NULL does', `SELECT t.id ${REQUEST} WHERE r.path IS NOT NULL`, []],
  [
    'one that is no longer compared does not',
    `SELECT t.id ${REQUEST} WHERE IFNULL(r.path, '') = 'a'`,
    ['"metadata.request?"'],
  ],
  ['one that may be NULL does not', `SELECT t.id ${REQUEST} WHERE r.path IS NULL`, ['"metadata.request?"']],
  ['an array does not', `SELECT t.id ${REQUEST} WHERE ARRAY_LENGTH(r.tags) = 0`, ['"metadata.request?"']],
  [
    'one of two sides of OR does not',
    `SELECT t.id ${REQUEST} WHERE r.path = 'a' OR t.id = 'b'`,
    ['"metadata.request?"'],
  ],
  ['both sides of OR do', `SELECT t.id ${REQUEST} WHERE r.path = 'a' OR r.path > 'b'`, []],
  [
    'a field of one record does not stand for another one',
    `SELECT t.id ${REQUEST} CROSS JOIN UNNEST(m.response) AS s WHERE s.status = 500`,
    ['"metadata.request?"'],
  ],
  [
    'EXISTS does not ask either',
    `SELECT COUNTIF(e) FROM (SELECT EXISTS (SELECT 1 FROM UNNEST(t.metadata) AS m CROSS JOIN UNNEST(m.request) AS r WHERE r.path = 'a') AS e FROM logs.logs AS t)`,
    [],
  ],
  [
    'a condition on one use of a CTE does not count for another use',
    `WITH c AS (SELECT r.path, t.id ${REQUEST} ORDER BY t.id) SELECT id FROM c WHERE path = 'a' UNION ALL SELECT id FROM c`,
    ['"metadata.request?"'],
  ],
])('%s', (_name, sql, expected) => {
  expect(asked(sql, SINGLE)).toEqual(expected);
});

test('the one record that all entries beside the table have twice distinguishes them, one of several does not', () => {
  const sql = `SELECT t.id ${RESPONSE} WHERE r.status = 500`;
  expect(asked(sql, { ...REPEATED, onlyRepeated: 'metadata.response' })).toEqual([]);
  expect(asked(sql, REPEATED)).toEqual(['"$repeated"']);
});

test('only queries that ask for a record that entries have twice read the table beside', () => {
  const layout = { ...REPEATED, onlyRepeated: 'metadata.response' };
  for (const sql of [`SELECT r.path ${REQUEST}`, 'SELECT * FROM logs.logs', `SELECT m.level ${FROM}`]) {
    const layouts = new Map([['logs', layout]]);
    const known = { layouts, timeRanges: new Map(), nullParameters: new Set<string>() };
    const compiled = compileQuery(sql, new Map([['logs', SCHEMA]]), new Map(), 10, known);
    expect(compiled.sql).not.toContain('$repeated');
  }
});
