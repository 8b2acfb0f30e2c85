import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

describe('GROUP BY', () => {
  test.each<[string, string]>([
    ['select id, count(*) c from auth_logs group by id', 'id STRING, c INT64'],
    ['select id, count(*) c from auth_logs group by 1', 'id STRING, c INT64'],
    [
      'select upper(id) u, count(*) c from auth_logs group by u having u > "a" order by u',
      'u STRING, c INT64',
    ],
    [
      'select timestamp_trunc(timestamp, hour) timestamp, count(*) c from auth_logs group by timestamp order by timestamp',
      'timestamp TIMESTAMP, c INT64',
    ],
    [
      'select timestamp_trunc(timestamp, hour) t, max(timestamp) m from auth_logs group by t',
      't TIMESTAMP, m TIMESTAMP',
    ],
    [
      'select extract(hour from timestamp) h, count(*) c from auth_logs group by extract(hour from timestamp)',
      'h INT64, c INT64',
    ],
    [
      'select date_trunc(date(timestamp), week(monday)) w from auth_logs group by date_trunc(date(timestamp), week(monday))',
      'w DATE',
    ],
    [
      'select timestamp_add(timestamp, interval 1 day) t from auth_logs group by timestamp_add(timestamp, interval 1 day)',
      't TIMESTAMP',
    ],
    [
      'select case when id = "a" then 1 else 2 end k from auth_logs group by case when id = "a" then 1 else 2 end',
      'k INT64',
    ],
    [
      'select m.level, upper(level) u from auth_logs, unnest(metadata) m group by level',
      'level STRING, u STRING',
    ],
    ['select m.level from auth_logs, unnest(metadata) m group by m', 'level STRING'],
    [
      'select a.id, (select max(timestamp) from edge_logs e where e.id = a.id) m from auth_logs a group by a.id',
      'id STRING, m TIMESTAMP',
    ],
    [
      'select id, upper(id) u, 1 k, count(*) c from auth_logs group by all',
      'id STRING, u STRING, k INT64, c INT64',
    ],
    ['select count(*) c from auth_logs group by ()', 'c INT64'],
    [
      'select id, grouping(id) g, count(*) c from auth_logs group by rollup(id, timestamp)',
      'id STRING, g INT64, c INT64',
    ],
    ['select id, timestamp from auth_logs group by cube(id, timestamp)', 'id STRING, timestamp TIMESTAMP'],
    [
      'select id, timestamp from auth_logs group by grouping sets (id, (id, timestamp), ())',
      'id STRING, timestamp TIMESTAMP',
    ],
    [
      'select id, timestamp from auth_logs group by grouping sets ((id), rollup (id, timestamp), cube (timestamp))',
      'id STRING, timestamp TIMESTAMP',
    ],
    [
      'select struct(id, timestamp) k, count(*) c from auth_logs group by k having k.id > "a" order by k.timestamp',
      'k STRUCT<id STRING, timestamp TIMESTAMP>, c INT64',
    ],
    ['select 1.5 k, count(*) c from auth_logs group by k', 'k FLOAT64, c INT64'],
    ['select id from auth_logs group by id order by max(timestamp)', 'id STRING'],
    ['select count(*) c from auth_logs having count(*) > 1', 'c INT64'],
    [
      'select id, count(*) c from auth_logs group by id having c > 1 and max(timestamp) > "2024-01-01" order by c desc',
      'id STRING, c INT64',
    ],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    [
      'select id, event_message from auth_logs group by id',
      'SELECT list expression references column event_message which is neither grouped nor aggregated (line 1, column 12)',
    ],
    [
      'select id, count(*) from auth_logs',
      'SELECT list expression references column id which is neither grouped nor aggregated (line 1, column 8)',
    ],
    [
      'select upper(id) id, count(*) from auth_logs group by event_message',
      'SELECT list expression references column id',
    ],
    [
      'select id from auth_logs group by id order by timestamp',
      'ORDER BY clause expression references column timestamp which is neither grouped nor aggregated (line 1, column 47)',
    ],
    [
      'select id from auth_logs group by id having timestamp > "2024-01-01"',
      'HAVING clause expression references column timestamp',
    ],
    [
      'select id from auth_logs order by max(timestamp)',
      'MAX not allowed in ORDER BY clause without GROUP BY or an aggregate in the select list',
    ],
    [
      'select m.level, m.path from auth_logs, unnest(metadata) m group by m.level',
      'SELECT list expression references column m which is neither grouped nor aggregated',
    ],
    [
      'select (select max(e.timestamp) from edge_logs e where e.id = a.id) from auth_logs a group by a.timestamp',
      'references column id which is neither grouped nor aggregated',
    ],
    ['select id, count(*) from auth_logs group by 2', 'contains an aggregation'],
    [
      'select count(*) c from auth_logs group by c',
      'Column c contains an aggregation or window function, which is not allowed in GROUP BY (line 1, column 43)',
    ],
    [
      'select id, count(*) from auth_logs group by 3',
      'GROUP BY is out of SELECT column number range: 3; SELECT has 2 columns (line 1, column 45)',
    ],
    ['select id from auth_logs group by 0', 'GROUP BY is out of SELECT column number range: 0'],
    ['select count(*) from auth_logs group by "a"', 'Cannot GROUP BY a literal'],
    [
      'select id, timestamp from auth_logs group by id, rollup (timestamp)',
      'The GROUP BY clause only supports ROLLUP when there are no other grouping elements (line 1, column 50)',
    ],
    [
      'select grouping(upper(id)) from auth_logs group by rollup (id)',
      'GROUPING must have an argument that exists within the group-by expression list (line 1, column 1)',
    ],
    ['select grouping(1) from auth_logs group by id', 'GROUPING must have an argument'],
    ['select grouping(timestamp) from auth_logs group by id', 'GROUPING must have an argument'],
    ['select id from auth_logs group by (), id', 'The GROUP BY clause only supports GROUPING SETS and ()'],
    [
      'select id from auth_logs group by struct(id, timestamp)',
      'references column id which is neither grouped',
    ],
    [
      'select parse_json(id) j from auth_logs group by j',
      'Grouping by expressions of type JSON is not allowed (line 1, column 49)',
    ],
    [
      'select id from auth_logs where count(*) > 1',
      'Aggregate function COUNT(*) not allowed in WHERE clause (line 1, column 32)',
    ],
    [
      'select id from auth_logs group by max(id)',
      'Aggregate function MAX not allowed in GROUP BY (line 1, column 35)',
    ],
    [
      'select sum(count(*)) from auth_logs',
      'Aggregate function COUNT(*) not allowed in an argument of SUM (line 1, column 12)',
    ],
    [
      'select 1 from auth_logs having true',
      'The HAVING clause requires GROUP BY or aggregation to be present; use WHERE (line 1, column 32)',
    ],
    ['select id from auth_logs group by cube(id, timestamp, event_message, 1, 2, 3, 4, 5, 6)', 'GROUP BY'],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });

  test('CUBE makes 256 sets at most', () => {
    const keys = (count: number) =>
      Array.from({ length: count }, (_, index) => `id || "${index}"`).join(', ');
    expect(columnsOf(`select count(*) c from auth_logs group by cube(${keys(8)})`)).toBe('c INT64');
    expect(refusalOf(`select count(*) c from auth_logs group by cube(${keys(9)})`)).toBe(
      'GROUP BY makes more than 256 grouping sets (line 1, column 43)',
    );
  });
});
