import { describe, expect, test } from '@jest/globals';
import { tableSchema } from '../../../shared/schema/table-schema.ts';

const refusalOf = (schema: unknown) => {
  const checked = tableSchema.safeParse(schema);
  return checked.success
    ? null
    : checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
};

describe('a table schema', () => {
  test('has its types by the names of GoogleSQL', () => {
    const names = [
      'STRING',
      'BYTES',
      'INTEGER',
      'INT64',
      'FLOAT',
      'FLOAT64',
      'NUMERIC',
      'BIGNUMERIC',
      'BOOLEAN',
      'BOOL',
      'TIMESTAMP',
      'DATETIME',
      'DATE',
      'TIME',
      'JSON',
    ];
    const types = tableSchema
      .parse(names.map((type, index) => ({ name: `c${index}`, type })))
      .map(({ type }) => type);
    expect(types.join(' ')).toBe(
      'STRING BYTES INT64 INT64 FLOAT64 FLOAT64 NUMERIC BIGNUMERIC BOOL BOOL TIMESTAMP DATETIME DATE TIME JSON',
    );
  });

  test('has modes, NULLABLE where none is given, and records in records', () => {
    const schema = [
      { name: 'a', type: 'STRING', mode: 'REQUIRED', description: 'what it is' },
      {
        name: 'm',
        type: 'RECORD',
        mode: 'REPEATED',
        fields: [{ name: 's', type: 'STRUCT', fields: [{ name: 'x', type: 'BOOL' }] }],
      },
    ];
    expect(tableSchema.parse(schema)).toEqual([
      { name: 'a', type: 'STRING', mode: 'REQUIRED', fields: [] },
      {
        name: 'm',
        type: 'STRUCT',
        mode: 'REPEATED',
        fields: [
          {
            name: 's',
            type: 'STRUCT',
            mode: 'NULLABLE',
            fields: [{ name: 'x', type: 'BOOL', mode: 'NULLABLE', fields: [] }],
          },
        ],
      },
    ]);
  });

  test.each<[string, unknown, RegExp]>([
    [
      'two columns of one name',
      [
        { name: 'a', type: 'STRING' },
        { name: 'A', type: 'DATE' },
      ],
      /two fields of one name/,
    ],
    [
      'two fields of one name',
      [
        {
          name: 'm',
          type: 'RECORD',
          fields: [
            { name: 'a', type: 'STRING' },
            { name: 'A', type: 'DATE' },
          ],
        },
      ],
      /^0: two fields of one name/,
    ],
    ['a record without fields', [{ name: 'm', type: 'RECORD' }], /^0: a RECORD needs fields/],
    ['a record with no fields', [{ name: 'm', type: 'RECORD', fields: [] }], /^0: a RECORD needs fields/],
    [
      'fields of something else',
      [{ name: 'a', type: 'STRING', fields: [{ name: 'b', type: 'STRING' }] }],
      /only a RECORD has them/,
    ],
    ['a type that does not exist', [{ name: 'a', type: 'UUID' }], /^0\.type: /],
    ['a mode that does not exist', [{ name: 'a', type: 'STRING', mode: 'MAYBE' }], /^0\.mode: /],
    [
      'a name with a blank',
      [{ name: 'a b', type: 'STRING' }],
      /^0\.name: a name of letters, digits and underscores/,
    ],
    ['a name that begins with a digit', [{ name: '1a', type: 'STRING' }], /^0\.name: /],
    ['a name that is too long', [{ name: 'a'.repeat(301), type: 'STRING' }], /^0\.name: /],
    ['no columns', [], /./],
    ['no list', { name: 'a', type: 'STRING' }, /./],
  ])('with %s is refused', (_, schema, message) => {
    expect(refusalOf(schema)).toMatch(message);
  });
});
