import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

describe('a window function', () => {
  test.each<[string, string]>([
    ['row_number() over ()', 'INT64'],
    ['rank() over (partition by id order by timestamp desc)', 'INT64'],
    ['ntile(4) over (order by id)', 'INT64'],
    ['lag(id) over (order by timestamp)', 'STRING'],
    ['lead(id, 2, "x") over (order by timestamp)', 'STRING'],
    [
      'first_value(id ignore nulls) over (order by timestamp rows between 1 preceding and unbounded following)',
      'STRING',
    ],
    ['percentile_cont(length(id), 0.5) over (partition by id)', 'FLOAT64'],
    ['percentile_disc(id, 0.5) over ()', 'STRING'],
    ['sum(length(id)) over (order by length(id) range between 2 preceding and @n following)', 'INT64'],
    ['count(distinct id) over (partition by event_message)', 'INT64'],
    ['array_agg(id) over (order by id)', 'ARRAY<STRING>'],
    ['sum(1) over (range between unbounded preceding and unbounded following)', 'INT64'],
    ['sum(1) over w', 'INT64'],
    ['sum(1) over (w rows 1 preceding)', 'INT64'],
  ])('%s gives %s', (call, type) => {
    expect(columnsOf(`select ${call} from auth_logs window w as (partition by id order by timestamp)`)).toBe(
      `f0_ ${type}`,
    );
  });

  test.each<[string, string]>([
    [
      'row_number()',
      'Analytic function ROW_NUMBER cannot be called without an OVER clause (line 1, column 8)',
    ],
    ['upper(id) over ()', 'Function UPPER does not support an OVER clause'],
    ['rank() over ()', 'Window ORDER BY is required for analytic function RANK'],
    ['first_value(id) over ()', 'Window ORDER BY is required for analytic function FIRST_VALUE'],
    [
      'percentile_cont(1, 0.5) over (order by id)',
      'Window ORDER BY is not allowed for analytic function PERCENTILE_CONT',
    ],
    ['percentile_cont(1, 1.5) over ()', 'Argument 2 to PERCENTILE_CONT must be between 0 and 1'],
    ['ntile(length(id)) over (order by id)', 'Argument 1 to NTILE must be a literal or query parameter'],
    ['nth_value(id, 0) over (order by id)', 'Argument 2 to NTH_VALUE must be at least 1'],
    [
      'lag(id) over (order by id rows 1 preceding)',
      'Window framing clause is not allowed for analytic function LAG',
    ],
    ['count(distinct id) over (order by id)', 'Window ORDER BY is not allowed if DISTINCT is specified'],
    ['sum(1) over nope', 'Unrecognized window alias nope'],
    [
      'sum(1) over (w order by id)',
      'A window that refers to window w can add neither PARTITION BY nor a second ORDER BY',
    ],
    [
      'sum(1) over (w partition by id)',
      'A window that refers to window w can add neither PARTITION BY nor a second ORDER BY',
    ],
    ['sum(1) over (framed order by id)', 'cannot build on window framed, which has a frame'],
    ['count(*) over (partition by 1.5)', 'Partitioning by expressions of type FLOAT64 is not allowed'],
    ['count(*) over (partition by struct(json "1"))', 'is not allowed (line 1, column 36)'],
    [
      'sum(1) over (order by timestamp range 1 preceding)',
      'ORDER BY key must be numeric in a RANGE-based window',
    ],
    ['sum(1) over (order by length(id), id range 1 preceding)', 'must have exactly one ORDER BY key'],
    [
      'sum(1) over (range between unbounded preceding and current row)',
      'A RANGE-based window with CURRENT ROW needs ORDER BY',
    ],
    [
      'sum(1) over (order by id rows between unbounded following and current row)',
      'A window frame cannot start at UNBOUNDED FOLLOWING (line 1, column 33)',
    ],
    [
      'sum(1) over (order by id rows between current row and unbounded preceding)',
      'A window frame cannot end at UNBOUNDED PRECEDING',
    ],
    [
      'sum(1) over (order by id rows between 1 following and 1 preceding)',
      'A window frame cannot start at offset FOLLOWING and end at offset PRECEDING',
    ],
    [
      'sum(1) over (order by id rows 1 following)',
      'A window frame cannot start at offset FOLLOWING and end at CURRENT ROW',
    ],
    ['sum(1) over (order by id rows -1 preceding)', 'Window framing expression cannot be negative'],
    ['sum(1) over (order by id rows null preceding)', 'Window framing expression cannot be NULL'],
    [
      'sum(1) over (order by id rows length(id) preceding)',
      'Window framing expression must be a literal or parameter',
    ],
    [
      'sum(1) over (order by id rows 1.5 preceding)',
      'Window framing expression has type FLOAT64, but INT64 is needed',
    ],
    ['sum(row_number() over ()) over ()', 'Analytic function ROW_NUMBER not allowed in a window function'],
    ['sum(row_number() over ())', 'Analytic function ROW_NUMBER not allowed in an argument of SUM'],
  ])('%s is refused', (call, message) => {
    const windows = 'window w as (partition by id order by timestamp), framed as (rows 1 preceding)';
    expect(refusalOf(`select ${call} from auth_logs ${windows}`)).toContain(message);
  });

  test.each<[string, string]>([
    ['select id, row_number() over (order by id) rn from auth_logs qualify rn = 1', 'id STRING, rn INT64'],
    [
      'select id from auth_logs qualify row_number() over (partition by id order by timestamp desc) = 1',
      'id STRING',
    ],
    ['select id, sum(count(*)) over () s from auth_logs group by id', 'id STRING, s INT64'],
    [
      'select id, row_number() over (order by count(*)) r from auth_logs group by id qualify r < 3',
      'id STRING, r INT64',
    ],
    ['select id from auth_logs order by row_number() over (order by id)', 'id STRING'],
  ])('stands in %s', (sql, columns) => {
    expect(columnsOf(sql)).toBe(columns);
  });

  test.each<[string, string]>([
    [
      'select id from auth_logs where row_number() over () = 1',
      'Analytic function ROW_NUMBER not allowed in WHERE clause (line 1, column 32)',
    ],
    [
      'select id from auth_logs group by id having row_number() over () = 1',
      'Analytic function ROW_NUMBER not allowed in HAVING clause',
    ],
    [
      'select count(*) over w from auth_logs window w as (order by id), W as (order by id)',
      'Duplicate window alias W (line 1, column 66)',
    ],
    [
      'select id from auth_logs qualify id = "x"',
      'The QUALIFY clause requires analytic function to be present',
    ],
    [
      'select id from auth_logs qualify true order by row_number() over (order by id)',
      'The QUALIFY clause requires analytic function to be present',
    ],
    ['select row_number() over ()', 'SELECT without FROM clause cannot use analytic functions'],
  ])('cannot stand in %s', (sql, message) => {
    expect(refusalOf(sql)).toContain(message);
  });
});
