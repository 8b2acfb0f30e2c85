import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

describe('DISTINCT, ORDER BY and LIMIT', () => {
  test.each<[string, string]>([
    ['select distinct id as x from auth_logs order by length(x)', 'x STRING'],
    ['select distinct id from auth_logs order by upper(id)', 'id STRING'],
    [
      'select distinct id, timestamp from auth_logs order by 2 desc nulls last',
      'id STRING, timestamp TIMESTAMP',
    ],
    ['select id as timestamp from auth_logs order by auth_logs.timestamp', 'timestamp STRING'],
    ['select max(id) id from auth_logs order by id', 'id STRING'],
    ['select id from auth_logs limit @n offset @n', 'id STRING'],
    ['(select 1 x) order by x limit 1', 'x INT64'],
    ['select 1 a, 2 b limit 1', 'a INT64, b INT64'],
  ])('%s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    [
      'select distinct id from auth_logs order by timestamp',
      'ORDER BY clause expression references column timestamp which is not visible after SELECT DISTINCT; name it by an alias of the select list (line 1, column 44)',
    ],
    [
      'select distinct parse_json(id) j from auth_logs',
      'Column j of type JSON cannot be used in SELECT DISTINCT',
    ],
    [
      'select id from auth_logs order by 2',
      'ORDER BY is out of SELECT column number range: 2; SELECT has 1 column',
    ],
    ['select id from auth_logs order by "a"', 'Cannot ORDER BY a literal'],
    ['select id from auth_logs order by metadata', 'ORDER BY does not support expressions of type ARRAY'],
    ['select id x, timestamp x from auth_logs order by x', 'Duplicate column names'],
    ['select id from auth_logs limit -1', 'Limit requires non-negative count and offset'],
    ['select id from auth_logs limit 1.5', 'Limit requires non-negative count and offset'],
    ['select id from auth_logs limit null', 'Limit requires non-negative count and offset'],
    ['select id from auth_logs limit @project', 'Limit requires non-negative count and offset'],
    ['select id from auth_logs limit (select 1)', 'Limit requires non-negative count and offset'],
    ['select 1 where true', 'Query without FROM clause cannot have a WHERE clause (line 1, column 16)'],
    ['select distinct 1', 'Query without FROM clause cannot have SELECT DISTINCT'],
    ['select 1 a order by a', 'Query without FROM clause cannot have an ORDER BY clause'],
    [
      'select id from auth_logs where event_message',
      'WHERE clause should return type BOOL, but returns STRING (line 1, column 32)',
    ],
  ])('%s is refused', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});
