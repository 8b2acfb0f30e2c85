import { describe, expect, test } from '@jest/globals';
import type { Merge, MergePlan } from '../../../../shared/results/sealed/merge-plan.ts';
import { MergeFailure, mergeRows, readRow } from '../../../../shared/results/sealed/merge-rows.ts';
import type { ScalarTypeName } from '../../../../shared/sql/types/sql-type.ts';

/** Merges values of one group. */
function merge(how: Merge, type: ScalarTypeName, ...values: readonly string[]): string {
  const plan: MergePlan = { columns: [{ name: 'v', type, merge: how }], order: [] };
  const rows = values.map((value) => readRow(`{"v":${value}}`));
  return mergeRows(plan, rows).join().slice('{"v":'.length, -1);
}

describe('values of one group become one', () => {
  test.each<[Merge, ScalarTypeName, readonly string[], string]>([
    ['sum', 'INT64', ['1', '2', '-4'], '-1'],
    ['sum', 'INT64', ['null', '2', 'null'], '2'],
    ['sum', 'INT64', ['null', 'null'], 'null'],
    ['sum', 'INT64', ['9007199254740992', '1'], '"9007199254740993"'],
    ['sum', 'INT64', ['"9007199254740993"', '-1'], '9007199254740992'],
    ['sum', 'NUMERIC', ['"1.5"', '"2.500000001"'], '"4.000000001"'],
    ['sum', 'NUMERIC', ['"-0.5"', '"0.2"'], '"-0.3"'],
    ['sum', 'NUMERIC', ['"-2.5"', '"0.5"'], '"-2"'],
    ['min', 'INT64', ['"-9007199254740993"', '5'], '"-9007199254740993"'],
    ['max', 'NUMERIC', ['"10"', '"9.5"'], '"10"'],
    [
      'min',
      'BIGNUMERIC',
      ['"-0.00000000000000000000000000000000000001"', '"0"'],
      '"-0.00000000000000000000000000000000000001"',
    ],
    ['max', 'FLOAT64', ['1.5', '"NaN"', '"Infinity"'], '"NaN"'],
    ['min', 'FLOAT64', ['1e3', '"-Infinity"'], '"-Infinity"'],
    ['max', 'BOOL', ['false', 'true', 'null'], 'true'],
    ['min', 'BOOL', ['true', 'false'], 'false'],
    ['max', 'STRING', ['"\\ud83d\\ude00"', '"\\uffee"'], '"\\ud83d\\ude00"'],
    ['min', 'DATETIME', ['"2026-01-01T00:00:00.5"', '"2026-01-01T00:00:00"'], '"2026-01-01T00:00:00"'],
    ['max', 'TIMESTAMP', ['1767226800000000', '-5'], '1767226800000000'],
    ['any', 'STRING', ['"a"', '"b"'], '"a"'],
  ])('%s of %s %j', (how, type, values, expected) => {
    expect(merge(how, type, ...values)).toBe(expected);
  });

  test.each<[ScalarTypeName, readonly string[]]>([
    ['INT64', ['"9223372036854775807"', '1']],
    ['INT64', ['"-9223372036854775808"', '-1']],
    ['NUMERIC', ['"99999999999999999999999999999.999999999"', '"0.000000001"']],
  ])('unless a sum leaves %s: %j', (type, values) => {
    expect(() => merge('sum', type, ...values)).toThrow(MergeFailure);
  });
});

describe('rows', () => {
  const columns: MergePlan['columns'] = [
    { name: 'k', type: 'STRING', merge: 'key' },
    { name: 'n', type: 'INT64', merge: 'sum' },
  ];
  const rows = ['{"k":"b","n":1}', '{"k":null,"n":2}', '{"k":"a","n":1}', '{"k":"b","n":1}'].map(readRow);

  test.each<[string, MergePlan['order'], string]>([
    ['by their groups without an order', [], 'null a b'],
    [
      'as the query says, its ties by their groups',
      [{ index: 1, descending: true, nullsFirst: false }],
      'null b a',
    ],
    ['with NULL last where it says so', [{ index: 0, descending: false, nullsFirst: false }], 'a b null'],
    ['downwards', [{ index: 0, descending: true, nullsFirst: false }], 'b a null'],
  ])('are sorted %s', (_, order, expected) => {
    const sorted = mergeRows({ columns, order }, rows).map((row) => String(JSON.parse(row).k));
    expect(sorted.join(' ')).toBe(expected);
  });

  test.each([
    ['a nested value', '{"k":{"a":1},"n":1}'],
    ['another column', '{"k":"a","m":1}'],
    ['no object', '[1]'],
  ])('are refused that have %s', (_, row) => {
    expect(() => mergeRows({ columns, order: [] }, [readRow(row)])).toThrow(MergeFailure);
  });
});
