import { describe, expect, test } from '@jest/globals';
import { columnsOf, refusalOf } from './support/analyze-query.ts';

describe('an aggregate function', () => {
  test.each<[string, string]>([
    ['count(*)', 'INT64'],
    ['count(distinct id)', 'INT64'],
    ['countif(id = "a")', 'INT64'],
    ['sum(1)', 'INT64'],
    ['sum(1.5)', 'FLOAT64'],
    ['sum(numeric "1")', 'NUMERIC'],
    ['avg(1)', 'FLOAT64'],
    ['avg(numeric "1")', 'NUMERIC'],
    ['min(timestamp)', 'TIMESTAMP'],
    ['max(null)', 'INT64'],
    ['any_value(metadata)', 'ARRAY<STRUCT<level STRING, path STRING>>'],
    ['any_value(id having max timestamp)', 'STRING'],
    ['array_agg(id ignore nulls order by timestamp desc limit 3)', 'ARRAY<STRING>'],
    ['array_agg(distinct id order by id)', 'ARRAY<STRING>'],
    ['array_agg(struct(id as i, timestamp as t))[offset(0)]', 'STRUCT<i STRING, t TIMESTAMP>'],
    ['string_agg(distinct id, ", " order by id)', 'STRING'],
    ['string_agg(id, @project)', 'STRING'],
    ['array_concat_agg(metadata)', 'ARRAY<STRUCT<level STRING, path STRING>>'],
    ['approx_quantiles(length(id), 4)', 'ARRAY<INT64>'],
    ['approx_top_count(id, 3)', 'ARRAY<STRUCT<value STRING, count INT64>>'],
    ['approx_top_sum(id, 1.5, 3)', 'ARRAY<STRUCT<value STRING, sum FLOAT64>>'],
    ['logical_or(id = "a")', 'BOOL'],
    ['stddev(1)', 'FLOAT64'],
    ['max_by(id, timestamp)', 'STRING'],
  ])('%s gives %s', (call, type) => {
    expect(columnsOf(`select ${call} from auth_logs`)).toBe(`f0_ ${type}`);
  });

  test.each<[string, string]>([
    ['sum(id)', 'No matching signature for function SUM for argument types: STRING'],
    ['countif(id)', 'No matching signature for function COUNTIF'],
    ['count(id, id)', 'No matching signature for function COUNT'],
    ['sum(*)', '* as an argument is not allowed in a call of SUM'],
    ['min(metadata)', 'MIN is not defined for arguments of type ARRAY'],
    ['count(distinct parse_json(id))', 'Aggregate functions with DISTINCT cannot take type JSON'],
    ['array_agg(array[id])', 'No matching signature for function ARRAY_AGG'],
    [
      'array_agg(distinct id order by timestamp)',
      'that has both DISTINCT and ORDER BY arguments can only ORDER BY expressions that are arguments to the function (line 1, column 39)',
    ],
    ['array_agg(id order by 1)', 'Aggregate functions do not allow ORDER BY by index'],
    ['array_agg(id limit -1)', 'LIMIT in an aggregate needs a number that is not negative'],
    [
      'string_agg(id, event_message)',
      'Argument 2 to STRING_AGG must be a literal or query parameter (line 1, column 23)',
    ],
    ['string_agg(id, null)', 'Argument 2 to STRING_AGG must be non-NULL'],
    [
      'approx_quantiles(id, length(id))',
      'Argument 2 to APPROX_QUANTILES must be a literal or query parameter',
    ],
    ['sum(1 limit 2)', 'LIMIT is not allowed in a call of SUM'],
    ['sum(1 ignore nulls)', 'IGNORE NULLS is not allowed in a call of SUM'],
    ['upper(distinct id)', 'DISTINCT is not allowed in a call of UPPER'],
    ['upper(id order by id)', 'ORDER BY is not allowed in a call of UPPER'],
    ['safe.sum(1)', 'SAFE. is not supported for aggregate function SUM'],
  ])('%s is refused', (call, message) => {
    expect(refusalOf(`select ${call} from auth_logs`)).toContain(message);
  });

  test('needs a FROM clause', () => {
    expect(refusalOf('select count(*)')).toBe(
      'SELECT without FROM clause cannot use aggregation (line 1, column 1)',
    );
  });
});
