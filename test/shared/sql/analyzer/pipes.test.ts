import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

describe('pipe syntax', () => {
  test.each<[string, string]>([
    ['from auth_logs as a |> drop event_message |> select a.id', 'id STRING'],
    [
      'from auth_logs as a |> drop metadata |> select *',
      'id STRING, timestamp TIMESTAMP, event_message STRING',
    ],
    ['from auth_logs as a |> set id = 1.5 |> select id, a.id as before', 'id FLOAT64, before STRING'],
    [
      'from auth_logs as a |> rename event_message as text |> select text, a.event_message',
      'text STRING, event_message STRING',
    ],
    [
      'from auth_logs as a |> cross join unnest(metadata) as m |> drop metadata |> select a.id, m.level',
      'id STRING, level STRING',
    ],
    [
      'from auth_logs |> aggregate count(*) as n group and order by event_message desc nulls last, id as key',
      'event_message STRING, key STRING, n INT64',
    ],
    ['from auth_logs |> aggregate count(*) as n group by id asc', 'id STRING, n INT64'],
    ['from auth_logs |> select as struct id, timestamp |> where id > "a"', 'id STRING, timestamp TIMESTAMP'],
    ['from auth_logs |> select as struct id |> as x |> select x, x.id', 'x STRUCT<id STRING>, id STRING'],
    [
      'select array(from auth_logs |> select as struct id, 1 as n |> order by n) as a',
      'a ARRAY<STRUCT<id STRING, n INT64>>',
    ],
    ['from auth_logs |> select as value id |> limit 1', 'f0_ STRING'],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    ['from auth_logs as a |> drop id |> select id', 'Unrecognized name: id'],
    ['from auth_logs as a |> drop id |> as b |> select a.id', 'Unrecognized name: a'],
    [
      'from auth_logs |> aggregate count(*) as n group by 1',
      'GROUP BY ordinal not allowed in pipe AGGREGATE',
    ],
    ['from auth_logs |> select id |> order by 2', 'ORDER BY is out of SELECT column number range: 2'],
    ['from auth_logs |> aggregate count(*) as n group and order by metadata', 'ORDER BY does not support'],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});
