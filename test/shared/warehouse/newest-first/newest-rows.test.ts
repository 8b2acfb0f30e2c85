import { describe, expect, test } from '@jest/globals';
import { analyze } from '../../../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';
import type { SqlType } from '../../../../shared/sql/types/sql-type.ts';
import { findNewestRows } from '../../../../shared/warehouse/newest-first/newest-rows.ts';
import { LOGS_TABLES, logsQuery } from './support/logs-queries.ts';

function find(sql: string | null) {
  const { sql: text, parameters } = logsQuery(sql, 'demo');
  const types = new Map([...parameters].map(([name, { type }]): [string, SqlType] => [name, { kind: type }]));
  const catalog = { dataset: 'logs', tables: LOGS_TABLES, parameters: types };
  return findNewestRows(analyze(parseStatement(text), text, catalog).query, 'iso_timestamp_start');
}

describe('queries that read the newest rows', () => {
  test.each<[string | null, bigint | null]>([
    [null, 100n],
    ['select id from edge_logs', null],
    ['select id from edge_logs limit 7', 7n],
    ['select * from postgres_logs order by timestamp desc limit 7 offset 3', 7n],
    ['select id, timestamp from auth_logs order by timestamp desc, id desc limit 5', 5n],
    ['select id as a, timestamp as b from edge_logs order by b desc limit 5', 5n],
    [
      "select e.id from edge_logs as e where e.event_message like '%x%' order by e.timestamp desc limit 5",
      5n,
    ],
    [
      `select id, r.path from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as r
       where r.method = 'GET' limit 5`,
      5n,
    ],
    ['select id from edge_logs left join unnest(metadata) as m on true limit 5', 5n],
    [
      'with mine as (select id, timestamp as t from edge_logs) select id from mine order by t desc limit 5',
      5n,
    ],
    ['select id from (select id, timestamp from edge_logs) order by timestamp desc limit 5', 5n],
    [
      'select id, exists(select 1 from unnest(metadata) as m where m.request is null) as x from edge_logs limit 5',
      5n,
    ],
    ['from edge_logs |> where id > "a" |> order by timestamp desc |> limit 5', 5n],
  ])('%s', (sql, limit) => {
    expect(find(sql)).toEqual({ limit });
  });
});

describe('queries that do not', () => {
  test.each([
    'select id from edge_logs order by timestamp limit 5',
    'select id from edge_logs order by id desc limit 5',
    'select id from edge_logs order by id, timestamp desc limit 5',
    'select count(*) as n from edge_logs',
    'select id, count(*) as n from edge_logs group by id',
    'select distinct timestamp from edge_logs order by timestamp desc limit 5',
    'select max(timestamp) over () as t, timestamp from edge_logs order by timestamp desc limit 5',
    'select id from edge_logs qualify row_number() over (order by timestamp) = 1 order by timestamp desc',
    'select a.id from edge_logs as a join auth_logs as b on a.id = b.id order by a.timestamp desc limit 5',
    'select a.id from edge_logs as a, auth_logs as b order by a.timestamp desc limit 5',
    'select id from edge_logs union all select id from auth_logs',
    'select id from edge_logs where id in (select id from auth_logs) order by timestamp desc limit 5',
    'select id, (select count(*) from edge_logs) as n from edge_logs order by timestamp desc limit 5',
    'select id from (select id, timestamp from edge_logs limit 3) order by timestamp desc limit 5',
    'select id from (select id, timestamp from edge_logs order by timestamp limit 3) order by timestamp desc',
    'select id, @iso_timestamp_start as since from edge_logs order by timestamp desc limit 5',
    'select id from edge_logs where @iso_timestamp_start is null order by timestamp desc limit 5',
    'select id, timestamp_add(timestamp, interval 1 day) as timestamp from edge_logs order by timestamp desc limit 5',
    'select o from edge_logs, unnest(metadata) as m with offset as o order by o desc limit 5',
    'select x from unnest([1, 2]) as x order by x desc limit 5',
  ])('%s', (sql) => {
    expect(find(sql)).toBeNull();
  });
});
