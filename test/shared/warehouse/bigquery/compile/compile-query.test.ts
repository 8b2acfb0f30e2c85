import { describe, expect, test } from '@jest/globals';
import type { TableSchema } from '../../../../../shared/schema/table-schema.ts';
import { compileQuery } from '../../../../../shared/warehouse/bigquery/compile/compile-query.ts';
import type { SourcePlaces } from '../../../../../shared/warehouse/bigquery/compile/stored-tables.ts';
import { parseDatasetReference } from '../../../../../shared/warehouse/bigquery/dataset-reference.ts';
import { locateSources } from '../../../../../shared/warehouse/bigquery/source-tables.ts';
import type { QueryText } from '../../../../../shared/warehouse/warehouse.ts';
import { CONTRACT_TABLES } from '../../contract/contract-logs.ts';

function optionsFor(logTables: Readonly<Record<string, string | null>>) {
  const place = { project: 'a-project', dataset: 'data', logTables: new Map(Object.entries(logTables)) };
  return {
    schemas: CONTRACT_TABLES,
    tables: locateSources({ sources: CONTRACT_TABLES.keys(), ...place }),
  };
}
const options = optionsFor({});
const NO_PARAMETERS = { parameterTypes: new Map() };

/** A query compiled, with its text for a number of rows. */
function compileText(text: QueryText, places: SourcePlaces, maxRows = 11) {
  const compiled = compileQuery(text, places);
  return { ...compiled, sql: compiled.sqlFor(maxRows) };
}
const compile = (sql: string, maxRows?: number) =>
  compileText({ sql, parameterTypes: new Map([['p', 'STRING']]) }, options, maxRows);
/** The text without the cap that every query gets. */
const textOf = (sql: string) => compile(sql).sql.replace(/ (?:\|> )?LIMIT 11$/, '');

const EDGE = '`a-project`.data.edge_logs';
const AUTH = '`a-project`.data.auth_logs';

describe('the paths of tables', () => {
  test.each([
    ['SELECT id FROM logs.edge_logs', `SELECT id FROM ${EDGE}`],
    ['SELECT edge_logs.id FROM logs . edge_logs', `SELECT edge_logs.id FROM ${EDGE}`],
    ['SELECT id FROM `logs`.`edge_logs` AS logs', `SELECT id FROM ${EDGE} AS logs`],
    [
      'SELECT e.id FROM logs.edge_logs AS e JOIN logs.auth_logs AS a ON e.id = a.id ORDER BY e.id',
      `SELECT e.id FROM ${EDGE} AS e JOIN ${AUTH} AS a ON e.id = a.id ORDER BY e.id`,
    ],
    [
      'SELECT (SELECT COUNT(*) FROM logs.auth_logs) AS n, id IN (SELECT id FROM logs.auth_logs) AS i FROM logs.edge_logs',
      `SELECT (SELECT COUNT(*) FROM ${AUTH}) AS n, id IN (SELECT id FROM ${AUTH}) AS i FROM ${EDGE}`,
    ],
    [
      'WITH unused AS (SELECT id FROM logs.auth_logs) SELECT id FROM logs.edge_logs',
      `WITH unused AS (SELECT id FROM ${AUTH}) SELECT id FROM ${EDGE}`,
    ],
    [
      'with recursive a as (select id from b union all select id from a where false), b as (select id from logs.edge_logs) select id from a',
      `WITH RECURSIVE a AS (SELECT id FROM b UNION ALL SELECT id FROM a WHERE FALSE), b AS (SELECT id FROM ${EDGE}) SELECT id FROM a`,
    ],
    [
      `SELECT 'logs.edge_logs' AS a, "FROM logs.edge_logs" AS b -- logs.edge_logs\nFROM logs.edge_logs`,
      `SELECT 'logs.edge_logs' AS a, 'FROM logs.edge_logs' AS b FROM ${EDGE}`,
    ],
  ])('%s', (sql, expected) => {
    expect(textOf(sql)).toBe(expected);
  });

  test.each([
    'WITH x AS (SELECT [STRUCT(1 AS a)] AS edge_logs) SELECT a FROM x AS logs, logs.edge_logs',
    'WITH x AS (SELECT STRUCT(1 AS edge_logs) AS logs) SELECT logs.edge_logs FROM x',
    'SELECT logs.edge_logs FROM (SELECT STRUCT(2 AS edge_logs) AS logs)',
  ])('are not what only looks like them: %s', (sql) => {
    expect(textOf(sql)).toBe(sql);
    expect(compile(sql).sources.size).toBe(0);
  });

  test('show which sources are read', () => {
    expect(compile('SELECT 1 AS a FROM logs.edge_logs, logs.auth_logs').sources).toEqual(
      new Set(['edge_logs', 'auth_logs']),
    );
  });

  test.each([
    ['SELECT edge_logs.id FROM logs.edge_logs', 'raw.cloudflare', '`a-project`.raw.cloudflare AS edge_logs'],
    ['SELECT e.id FROM logs.edge_logs e', 'acme-lake.raw.cloudflare', '`acme-lake`.raw.cloudflare AS e'],
    ['SELECT e.id FROM logs.edge_logs AS e', 'raw.edge_logs', '`a-project`.raw.edge_logs AS e'],
    ['SELECT edge_logs.id FROM logs.edge_logs', 'raw.edge_logs', '`a-project`.raw.edge_logs'],
    ['FROM logs.edge_logs |> SELECT edge_logs.id', 'raw.a b-c', '`a-project`.raw.`a b-c` AS edge_logs'],
    [
      'SELECT edge_logs.id FROM logs.edge_logs',
      'example.com:a-b.raw.x',
      '`example.com:a-b`.raw.x AS edge_logs',
    ],
  ])('of a source that lies elsewhere keep the name that the query has: %s', (sql, table, expected) => {
    const compiled = compileText({ sql, ...NO_PARAMETERS }, optionsFor({ edge_logs: table }));
    expect(compiled.sql).toContain(expected);
    expect(compiled.sources).toEqual(new Set(['edge_logs']));
  });

  test('of an absent source are a relation without rows that has its columns', () => {
    const columns =
      'CAST(NULL AS STRING) AS a, CAST(NULL AS INT64) AS `b c`, CAST(NULL AS ARRAY<STRUCT<d ARRAY<STRING>, e STRUCT<f TIMESTAMP>>>) AS metadata';
    const field = { mode: 'NULLABLE', fields: [] } as const;
    const schema: TableSchema = [
      { ...field, name: 'a', type: 'STRING', mode: 'REQUIRED' },
      { ...field, name: 'b c', type: 'INT64' },
      {
        name: 'metadata',
        type: 'STRUCT',
        mode: 'REPEATED',
        fields: [
          { ...field, name: 'd', type: 'STRING', mode: 'REPEATED' },
          { ...field, name: 'e', type: 'STRUCT', fields: [{ ...field, name: 'f', type: 'TIMESTAMP' }] },
        ],
      },
    ];
    const absent = {
      schemas: new Map([['edge_logs', schema]]),
      tables: new Map([['edge_logs', null]]),
    };
    const sql = 'SELECT edge_logs.a FROM logs.edge_logs';
    const compiled = compileText({ sql, ...NO_PARAMETERS }, absent);
    expect(compiled.sql).toBe(
      `SELECT edge_logs.a FROM (SELECT ${columns} FROM UNNEST([1]) WHERE FALSE) AS edge_logs LIMIT 11`,
    );
    expect(compiled.sources).toEqual(new Set(['edge_logs']));
  });
});

describe('functions that read the clock', () => {
  test.each([
    ['SELECT CURRENT_TIMESTAMP() AS t', 'SELECT @now AS t'],
    ['SELECT current_timestamp AS t', 'SELECT @now AS t'],
    ['SELECT CURRENT_DATE, CURRENT_DATE()', 'SELECT DATE(@now), DATE(@now)'],
    [`SELECT CURRENT_DATE('Asia/Tokyo')`, `SELECT DATE(@now, 'Asia/Tokyo')`],
    [`SELECT CURRENT_DATETIME(@p), CURRENT_TIME ( )`, 'SELECT DATETIME(@now, @p), TIME(@now)'],
    [
      'SELECT TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 DAY) AS t',
      'SELECT TIMESTAMP_SUB(@now, INTERVAL 1 DAY) AS t',
    ],
    [`SELECT 'CURRENT_DATE' AS t`, `SELECT 'CURRENT_DATE' AS t`],
  ])('%s', (sql, expected) => {
    expect(textOf(sql)).toBe(expected);
    expect(compile(sql).clockParameter).toBe(sql === expected ? null : 'now');
  });

  test('leave names alone that are theirs', () => {
    const sql = 'SELECT CURRENT_DATE(), @Now AS a';
    const compiled = compileText({ sql, parameterTypes: new Map([['now', 'STRING']]) }, options);
    expect(compiled).toMatchObject({ sql: 'SELECT DATE(@now_), @Now AS a LIMIT 11', clockParameter: 'now_' });
  });
});

/** A source in the order that a stored query gives it. */
const SOURCE = 'WITH s AS (SELECT id, timestamp, metadata FROM logs.edge_logs ORDER BY timestamp DESC) ';

describe('the order of a source', () => {
  test.each([
    ['SELECT id, timestamp FROM s', 'SELECT id, timestamp FROM s ORDER BY 2 DESC'],
    ['SELECT * FROM s', 'SELECT * FROM s ORDER BY 2 DESC'],
    ['SELECT id FROM s', 'SELECT id FROM s ORDER BY s.timestamp DESC'],
    ['SELECT id FROM s AS x LIMIT 3', 'SELECT id FROM s AS x ORDER BY x.timestamp DESC LIMIT 3'],
    ['SELECT id FROM s LIMIT 3 OFFSET 2;', 'SELECT id FROM s ORDER BY s.timestamp DESC LIMIT 3 OFFSET 2'],
    ['SELECT id FROM s limit (3)', 'SELECT id FROM s ORDER BY s.timestamp DESC LIMIT (3)'],
    ['SELECT id AS s FROM s', 'SELECT id AS s FROM s ORDER BY timestamp DESC'],
    [
      "SELECT id FROM s, UNNEST(metadata) AS m WHERE m.level = 'x' -- end",
      "SELECT id FROM s, UNNEST(metadata) AS m WHERE m.level = 'x' ORDER BY s.timestamp DESC",
    ],
    [
      'SELECT id FROM (SELECT id, timestamp AS t FROM s)',
      'SELECT id FROM (SELECT id, timestamp AS t FROM s) ORDER BY t DESC',
    ],
    ['FROM s |> WHERE id > "a" |> LIMIT 3', "FROM s |> WHERE id > 'a' |> ORDER BY timestamp DESC |> LIMIT 3"],
    ['FROM s', 'FROM s |> ORDER BY timestamp DESC'],
  ])('is that of a plain query over it: %s', (sql, expected) => {
    const { sql: text } = compile(SOURCE + sql);
    expect(text.slice(text.indexOf('DESC) ') + 6).replace(/ (?:\|> )?LIMIT 11$/, '')).toBe(expected);
  });

  test.each([
    'SELECT id FROM s ORDER BY id',
    'SELECT COUNT(*) AS n FROM s',
    'SELECT id FROM s GROUP BY id',
    'SELECT DISTINCT id FROM s',
    'SELECT id FROM s UNION ALL SELECT id FROM s',
    'SELECT a.id FROM s AS a JOIN s AS b ON a.id = b.id',
    'SELECT id FROM s LIMIT 3 OFFSET 2',
    'SELECT 1 AS a',
  ])('is not that of others, or named already: %s', (sql) => {
    const { sql: text } = compile(SOURCE.replace('ORDER BY timestamp DESC', '') + sql);
    expect(text.match(/ORDER BY/g)?.length ?? 0).toBe(sql.match(/ORDER BY/g)?.length ?? 0);
    const ordered = compile(SOURCE + sql).sql.match(/ORDER BY/g)?.length;
    expect(ordered).toBe(/LIMIT/.test(sql) ? 2 : 1 + (sql.match(/ORDER BY/g)?.length ?? 0));
  });

  test('is left out where no name in the query means it', () => {
    const sql = 'SELECT id AS s, CAST(id AS BYTES) AS timestamp FROM s';
    expect(compile(SOURCE + sql).sql.endsWith(`${sql} LIMIT 11`)).toBe(true);
  });
});

describe('the cap on rows', () => {
  test.each([
    ['SELECT id FROM logs.auth_logs', `SELECT id FROM ${AUTH} LIMIT 11`],
    ['SELECT id FROM logs.auth_logs LIMIT 11', `SELECT id FROM ${AUTH} LIMIT 11`],
    ['SELECT id FROM logs.auth_logs LIMIT 1000', `SELECT id FROM ${AUTH} LIMIT 11`],
    ['SELECT id FROM logs.auth_logs LIMIT 5 OFFSET 700;', `SELECT id FROM ${AUTH} LIMIT 5 OFFSET 700`],
    ['SELECT id FROM logs.auth_logs LIMIT 0xFFFF OFFSET 7', `SELECT id FROM ${AUTH} LIMIT 11 OFFSET 7`],
    ['(SELECT 1 AS a LIMIT 500)', '(SELECT 1 AS a LIMIT 500) LIMIT 11'],
    ['SELECT 1 AS a UNION ALL SELECT 2', 'SELECT 1 AS a UNION ALL SELECT 2 LIMIT 11'],
    ['FROM logs.auth_logs |> SELECT id', `FROM ${AUTH} |> SELECT id |> LIMIT 11`],
    ['FROM logs.auth_logs |> LIMIT 500', `FROM ${AUTH} |> LIMIT 11`],
    ['FROM logs.auth_logs |> LIMIT 500 OFFSET 3', `FROM ${AUTH} |> LIMIT 11 OFFSET 3`],
    ['SELECT id FROM logs.auth_logs LIMIT (500)', `SELECT id FROM ${AUTH} LIMIT 11`],
    ['SELECT 1 AS a -- all', 'SELECT 1 AS a LIMIT 11'],
  ])('%s', (sql, expected) => {
    expect(compile(sql).sql).toBe(expected);
  });

  test('can be another one without compiling again', () => {
    const { sqlFor } = compile('WITH c AS (SELECT CURRENT_DATE() AS d) SELECT d FROM c LIMIT 8');
    const start = 'WITH c AS (SELECT DATE(@now) AS d) SELECT d FROM c LIMIT';
    expect([3, 11].map(sqlFor)).toEqual([`${start} 3`, `${start} 8`]);
  });
});

describe('the dataset', () => {
  test.each([
    ['logs', { project: 'job-project', dataset: 'logs' }],
    ['other.logs', { project: 'other', dataset: 'logs' }],
    ['example.com:other.logs', { project: 'example.com:other', dataset: 'logs' }],
  ])('%s', (text, reference) => {
    expect(parseDatasetReference(text, 'job-project')).toEqual(reference);
  });
});
