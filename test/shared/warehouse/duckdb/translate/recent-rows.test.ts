import { describe, expect, it } from '@jest/globals';
import type { FieldSchema, TableSchemas } from '../../../../../shared/schema/table-schema.ts';
import { compileQuery } from '../../../../../shared/warehouse/duckdb/compile-query.ts';
import type { KnownData } from '../../../../../shared/warehouse/duckdb/translate/passes/known-data.ts';

const field = (name: string, type: FieldSchema['type'], mode: FieldSchema['mode'] = 'NULLABLE') => {
  return { name, type, mode, fields: [] as FieldSchema[] };
};
const columns = [
  field('id', 'STRING'),
  field('timestamp', 'TIMESTAMP'),
  field('n', 'INT64'),
  field('tags', 'STRING', 'REPEATED'),
];
const TABLES: TableSchemas = new Map([
  ['live', columns],
  ['still', columns],
]);
const source = (from: string) => ({ from, where: null });
const KNOWN: KnownData = {
  timeRanges: new Map(),
  layouts: new Map(),
  nullParameters: new Set(),
  parts: new Map([['live', [{ name: 'live$part0', sources: [source('old_part'), source('new_part')] }]]]),
  recent: new Map([
    [
      'live',
      {
        afterMicros: 1_000_000n,
        parts: new Map([['live', [{ name: 'live$part0', sources: [source('new_part')] }]]]),
        hasRepeated: false,
      },
    ],
  ]),
};

const recentOf = (sql: string, pageRows = 1000) =>
  compileQuery(sql, TABLES, new Map(), pageRows, KNOWN).recent;

describe('the newest rows are looked for among the newest entries', () => {
  it.each([
    ['entries', 'SELECT id FROM logs.live ORDER BY timestamp DESC LIMIT 3'],
    ['some entries', "SELECT id FROM logs.live WHERE n = 1 AND id > 'a' ORDER BY timestamp DESC, id LIMIT 3"],
    ['elements', 'SELECT t FROM logs.live, UNNEST(tags) AS t ORDER BY timestamp DESC LIMIT 3'],
    [
      'entries with an element',
      "SELECT id FROM logs.live WHERE EXISTS (SELECT 1 FROM UNNEST(tags) AS t WHERE t = 'x') ORDER BY timestamp DESC LIMIT 3",
    ],
    ['entries after others', 'SELECT id FROM logs.live ORDER BY timestamp DESC LIMIT 3 OFFSET 5'],
    [
      'a CTE',
      'WITH c AS (SELECT id, timestamp AS t FROM logs.live) SELECT id FROM c ORDER BY t DESC LIMIT 3',
    ],
  ])('of %s', (_, sql) => {
    const recent = recentOf(sql);
    expect(recent?.rows).toBe(3);
    expect(recent?.sql).toContain('new_part');
    expect(recent?.sql).not.toContain('old_part');
    expect(recent?.sql).toContain("TIMESTAMP '1970-01-01 00:00:01");
  });

  it.each([
    ['for the oldest rows', 'SELECT id FROM logs.live ORDER BY timestamp LIMIT 3'],
    ['for rows in another order', 'SELECT id FROM logs.live ORDER BY id DESC, timestamp DESC LIMIT 3'],
    ['for all rows', 'SELECT id FROM logs.live ORDER BY timestamp DESC'],
    ['for no rows', 'SELECT id FROM logs.live ORDER BY timestamp DESC LIMIT 0'],
    ['of a source without parts', 'SELECT id FROM logs.still ORDER BY timestamp DESC LIMIT 3'],
    ['with a failing condition', 'SELECT id FROM logs.live WHERE 1 / n > 2 ORDER BY timestamp DESC LIMIT 3'],
    ['with a failing column', 'SELECT CAST(id AS INT64) AS c FROM logs.live ORDER BY timestamp DESC LIMIT 3'],
    [
      'of groups',
      'SELECT timestamp, COUNT(*) AS c FROM logs.live GROUP BY timestamp ORDER BY timestamp DESC LIMIT 3',
    ],
    ['of distinct rows', 'SELECT DISTINCT timestamp, id FROM logs.live ORDER BY timestamp DESC LIMIT 3'],
    [
      'of two sources',
      'SELECT a.id FROM logs.live AS a JOIN logs.still AS b ON a.id = b.id ORDER BY a.timestamp DESC LIMIT 3',
    ],
    [
      'beside a number of all rows',
      'SELECT id, (SELECT COUNT(*) FROM logs.live) AS c FROM logs.live ORDER BY timestamp DESC LIMIT 3',
    ],
    ['of numbered rows', 'SELECT id, COUNT(*) OVER () AS c FROM logs.live ORDER BY timestamp DESC LIMIT 3'],
    [
      'by another time',
      'SELECT id, TIMESTAMP_SECONDS(n) AS timestamp FROM logs.live ORDER BY timestamp DESC LIMIT 3',
    ],
    [
      'of the first of all rows',
      'SELECT id FROM (SELECT * FROM logs.live ORDER BY id LIMIT 9) ORDER BY timestamp DESC LIMIT 3',
    ],
  ])('not %s', (_, sql) => {
    expect(recentOf(sql)).toBeNull();
  });

  it('not for more than a page', () => {
    expect(recentOf('SELECT id FROM logs.live ORDER BY timestamp DESC LIMIT 3', 2)).toBeNull();
  });
});
