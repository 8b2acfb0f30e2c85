import { describe, expect, test } from '@jest/globals';
import { compareSchema } from '../../../cli/check/compare-schema.ts';
import { type TableSchema, tableSchema } from '../../../shared/schema/table-schema.ts';

const schemaOf = (fields: object): TableSchema => tableSchema.parse(fields);
const EXPECTED = schemaOf([
  { name: 'id', type: 'STRING' },
  { name: 'n', type: 'INTEGER' },
  { name: 'list', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'a', type: 'STRING' }] },
]);
const problems = (fields: object) => compareSchema(EXPECTED, schemaOf(fields)).map(({ problem }) => problem);

describe('a table', () => {
  test('that has more, in another order and case, and REQUIRED, is right', () => {
    expect(
      problems([
        { name: 'N', type: 'INT64', mode: 'REQUIRED' },
        {
          name: 'list',
          type: 'STRUCT',
          mode: 'REPEATED',
          fields: [
            { name: 'b', type: 'DATE' },
            { name: 'A', type: 'STRING' },
          ],
        },
        { name: 'more', type: 'JSON' },
        { name: 'id', type: 'STRING', mode: 'NULLABLE' },
      ]),
    ).toEqual([]);
  });

  test.each<[string, object, string[]]>([
    [
      'lacks columns',
      [{ name: 'n', type: 'INT64' }],
      ['lacks the column id (STRING)', 'lacks the column list (ARRAY<STRUCT>)'],
    ],
    [
      'has other types and modes',
      [
        { name: 'id', type: 'BYTES' },
        { name: 'n', type: 'INT64', mode: 'REPEATED' },
        { name: 'list', type: 'RECORD', fields: [{ name: 'a', type: 'STRING' }] },
      ],
      [
        'has the column id as BYTES in place of STRING',
        'has the column n as ARRAY<INT64> in place of INT64',
        'has the column list as STRUCT in place of ARRAY<STRUCT>',
      ],
    ],
    [
      'differs inside',
      [
        { name: 'id', type: 'STRING' },
        { name: 'n', type: 'INT64' },
        { name: 'list', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'a', type: 'DATE' }] },
      ],
      ['has the column list.a as DATE in place of STRING'],
    ],
  ])('that %s is reported', (_, fields, expected) => {
    expect(problems(fields)).toEqual(expected);
  });
});
