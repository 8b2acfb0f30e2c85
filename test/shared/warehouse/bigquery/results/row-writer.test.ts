import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FieldSchema } from '../../../../../shared/warehouse/bigquery/rest/answers.ts';
import { makeRowWriter } from '../../../../../shared/warehouse/bigquery/results/row-writer.ts';

/** A value of one column, in BigQuery's REST form, as it is written. */
function written(field: Partial<FieldSchema>, value: unknown): string {
  const write = makeRowWriter([{ type: 'STRING', ...field }], ['v']);
  const text = write({ f: [{ v: value }] });
  expect(text.startsWith('{"v":')).toBe(true);
  return text.slice('{"v":'.length, -1);
}

describe('a value', () => {
  test.each<[string, unknown, string]>([
    ['STRING', 'a"b\\c\n\u2028é😀', JSON.stringify('a"b\\c\n\u2028é😀')],
    ['STRING', null, 'null'],
    ['BYTES', 'AP8=', '"AP8="'],
    ['INTEGER', '0', '0'],
    ['INT64', '-7', '-7'],
    ['INTEGER', '9007199254740992', '9007199254740992'],
    ['INTEGER', '9007199254740993', '"9007199254740993"'],
    ['INTEGER', '-9007199254740992', '-9007199254740992'],
    ['INTEGER', '-9007199254740993', '"-9007199254740993"'],
    ['INTEGER', '-9223372036854775808', '"-9223372036854775808"'],
    ['FLOAT', '1.5', '1.5'],
    ['FLOAT64', '2', '2'],
    ['FLOAT', '1E300', '1e+300'],
    ['FLOAT', 'NaN', '"NaN"'],
    ['FLOAT', 'Infinity', '"Infinity"'],
    ['FLOAT', '+Inf', '"Infinity"'],
    ['FLOAT', '-Infinity', '"-Infinity"'],
    ['NUMERIC', '99999999999999999999999999999.999999999', '"99999999999999999999999999999.999999999"'],
    ['BIGNUMERIC', '2.5', '"2.5"'],
    ['BOOLEAN', 'true', 'true'],
    ['BOOL', 'false', 'false'],
    ['TIMESTAMP', '1767315845000006', '1767315845000006'],
    ['TIMESTAMP', '-62135596800000000', '-62135596800000000'],
    ['TIMESTAMP', '2026-01-02 01:04:05.000006+00', '1767315845000006'],
    ['DATETIME', '2026-01-02T03:04:05', '"2026-01-02T03:04:05"'],
    ['DATETIME', '2026-01-02T03:04:05.1', '"2026-01-02T03:04:05.100000"'],
    ['DATETIME', '2026-01-02T03:04:05.000000', '"2026-01-02T03:04:05"'],
    ['TIME', '23:59:59.999999', '"23:59:59.999999"'],
    ['DATE', '0001-01-01', '"0001-01-01"'],
    ['JSON', '{"b":[12345678901234567890]}', '{"b":[12345678901234567890]}'],
    ['JSON', 'null', 'null'],
  ])('of type %s: %j is %s', (type, value, expected) => {
    expect(written({ type }, value)).toBe(expected);
    expect(written({ type, mode: 'REPEATED' }, [{ v: value }, { v: null }])).toBe(`[${expected},null]`);
    const fields = [{ name: 'w', type }];
    expect(written({ type: 'RECORD', fields }, { f: [{ v: value }] })).toBe(`{"w":${expected}}`);
  });

  test.each<[Partial<FieldSchema>, unknown, string]>([
    [{ mode: 'REPEATED' }, [], '[]'],
    [{ mode: 'REPEATED' }, null, '[]'],
    [{ type: 'RECORD', fields: [] }, { f: [] }, '{}'],
    [{ type: 'RECORD', fields: [] }, null, 'null'],
    [
      {
        type: 'STRUCT',
        fields: [{ type: 'INT64' }, { name: 'a', type: 'INT64' }, { name: 'A', type: 'INT64' }],
      },
      { f: [{ v: '1' }, { v: '2' }, { v: '3' }] },
      '{"_field_1":1,"a":2,"A_3":3}',
    ],
  ])('%j: %j is %s', (field, value, expected) => {
    expect(written(field, value)).toBe(expected);
  });

  test.each<[Partial<FieldSchema>, unknown]>([
    [{ type: 'INTEGER' }, '1.5'],
    [{ type: 'INTEGER' }, ''],
    [{ type: 'INTEGER' }, '1,"x":2'],
    [{ type: 'FLOAT' }, ''],
    [{ type: 'FLOAT' }, 'one'],
    [{ type: 'BOOLEAN' }, 'TRUE'],
    [{ type: 'TIMESTAMP' }, 'soon'],
    [{ type: 'TIMESTAMP' }, '1.767315845E9'],
    [{ type: 'STRING' }, 5],
    [{ type: 'STRING' }, { f: [] }],
    [{ mode: 'REPEATED' }, 'a'],
    [{ type: 'RECORD', fields: [{ name: 'a', type: 'STRING' }] }, { f: [] }],
  ])('that is invalid for %j is refused: %j', (field, value) => {
    expect(() => written(field, value)).toThrow('is not in its REST form');
  });
});

test('a row is one JSON object with its columns in their order, whatever their names', () => {
  const name = fc.string({ minLength: 1 });
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 1, maxLength: 8 }),
      fc.array(fc.string()),
      (names, texts) => {
        const values = names.map((_, index) => texts[index] ?? null);
        const write = makeRowWriter(
          names.map(() => ({ type: 'STRING' })),
          names,
        );
        const text = write({ f: values.map((v) => ({ v })) });
        expect(text).toBe(
          `{${names.map((key, i) => `${JSON.stringify(key)}:${JSON.stringify(values[i])}`).join(',')}}`,
        );
      },
    ),
  );
});
