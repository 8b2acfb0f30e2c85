import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { coercionCost, commonType, isUntypedNull } from '../../../../shared/sql/analyzer/coercion.ts';
import type { ResolvedExpression } from '../../../../shared/sql/resolved/expression.ts';
import {
  arrayOf,
  SCALAR_TYPES,
  type ScalarTypeName,
  type SqlType,
  sameType,
  typeText,
} from '../../../../shared/sql/types/sql-type.ts';

const scalar = (kind: ScalarTypeName): SqlType => ({ kind });
const column = (type: SqlType): ResolvedExpression => ({
  kind: 'column',
  type,
  column: { id: 1, name: 'c', type },
});
const literal = (kind: ScalarTypeName, value: string | number | bigint): ResolvedExpression => ({
  kind: 'literal',
  type: scalar(kind),
  value,
});
const parameter = (kind: ScalarTypeName): ResolvedExpression => ({
  kind: 'parameter',
  type: scalar(kind),
  name: 'p',
});
const NULL: ResolvedExpression = { kind: 'literal', type: scalar('INT64'), value: null };
const struct = (...fields: [string, SqlType][]): SqlType => ({
  kind: 'STRUCT',
  fields: fields.map(([name, type]) => ({ name, type })),
});

/** The types that an expression converts to by itself, its own left out. */
const targets = (expression: ResolvedExpression) =>
  SCALAR_TYPES.filter(
    (kind) => kind !== expression.type.kind && coercionCost(expression, scalar(kind)) !== null,
  ).join(' ');

describe('by itself converts', () => {
  test.each<[ScalarTypeName, string]>([
    ['INT64', 'FLOAT64 NUMERIC BIGNUMERIC'],
    ['NUMERIC', 'FLOAT64 BIGNUMERIC'],
    ['BIGNUMERIC', 'FLOAT64'],
    ['DATE', 'DATETIME'],
    ['FLOAT64', ''],
    ['STRING', ''],
    ['BYTES', ''],
    ['BOOL', ''],
    ['TIMESTAMP', ''],
    ['DATETIME', ''],
    ['TIME', ''],
    ['JSON', ''],
    ['INTERVAL', ''],
  ])('a column of %s: %j', (kind, expected) => {
    expect(targets(column(scalar(kind)))).toBe(expected);
  });

  test.each<[string, ResolvedExpression, string]>([
    ['a text literal', literal('STRING', '2024-01-01'), 'BYTES DATE DATETIME TIME TIMESTAMP'],
    ['a text literal with letters beyond ASCII', literal('STRING', 'é'), 'DATE DATETIME TIME TIMESTAMP'],
    ['a fraction', literal('FLOAT64', 1.5), 'NUMERIC BIGNUMERIC'],
    ['a whole number', literal('INT64', 1n), 'FLOAT64 NUMERIC BIGNUMERIC'],
    ['a bytes literal', literal('BYTES', 'a'), ''],
    ['a text parameter', parameter('STRING'), 'DATE DATETIME TIME TIMESTAMP'],
    ['a number parameter', parameter('INT64'), 'FLOAT64 NUMERIC BIGNUMERIC'],
  ])('%s', (_, expression, expected) => {
    expect(targets(expression)).toBe(expected);
  });

  test('NULL, to any type', () => {
    expect(isUntypedNull(NULL)).toBe(true);
    for (const kind of SCALAR_TYPES) expect(coercionCost(NULL, scalar(kind))).toBe(0);
    expect(coercionCost(NULL, arrayOf(scalar('DATE')))).toBe(0);
  });

  test('a struct to one of the same types under other names, and no array to another', () => {
    const from = struct(['a', scalar('INT64')]);
    expect(coercionCost(column(from), struct(['b', scalar('INT64')]))).not.toBeNull();
    expect(coercionCost(column(from), struct(['a', scalar('STRING')]))).toBeNull();
    expect(coercionCost(column(from), struct())).toBeNull();
    expect(coercionCost(column(arrayOf(scalar('INT64'))), arrayOf(scalar('FLOAT64')))).toBeNull();
    const built: ResolvedExpression = {
      kind: 'array',
      type: arrayOf(scalar('INT64')),
      elements: [literal('INT64', 1n)],
    };
    expect(coercionCost(built, arrayOf(scalar('FLOAT64')))).not.toBeNull();
  });
});

describe('the common type', () => {
  test.each<[string, ResolvedExpression[], string | null]>([
    ['of nothing but NULL', [NULL, NULL], 'INT64'],
    ['of a column and a fraction', [column(scalar('INT64')), literal('FLOAT64', 1.5)], 'FLOAT64'],
    ['of a NUMERIC column and a fraction', [column(scalar('NUMERIC')), literal('FLOAT64', 1.5)], 'NUMERIC'],
    ['of a NUMERIC and a FLOAT64 column', [column(scalar('NUMERIC')), column(scalar('FLOAT64'))], 'FLOAT64'],
    ['of a time column and text', [literal('STRING', 'x'), column(scalar('TIMESTAMP'))], 'TIMESTAMP'],
    ['of DATE and DATETIME', [column(scalar('DATE')), column(scalar('DATETIME'))], 'DATETIME'],
    ['of DATE and TIMESTAMP', [column(scalar('DATE')), column(scalar('TIMESTAMP'))], null],
    ['of a number and text', [literal('INT64', 1n), literal('STRING', 'x')], null],
    ['of text and bytes', [column(scalar('STRING')), column(scalar('BYTES'))], null],
    ['of NULL and text', [NULL, literal('STRING', 'x')], 'STRING'],
  ])('%s', (_, expressions, expected) => {
    const type = commonType(expressions);
    expect(type === null ? null : typeText(type)).toBe(expected);
  });

  const types = fc.constantFrom(...SCALAR_TYPES).map(scalar);
  const expressions = fc.oneof(
    types.map(column),
    fc.constantFrom(
      NULL,
      literal('INT64', 1n),
      literal('FLOAT64', 1.5),
      literal('STRING', 'x'),
      parameter('STRING'),
    ),
  );

  test('is one that all convert to, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(expressions, { minLength: 1, maxLength: 5 }), (list) => {
        const type = commonType(list);
        const reversed = commonType(list.toReversed());
        expect(type === null).toBe(reversed === null);
        if (type !== null) expect(list.every((one) => coercionCost(one, type) !== null)).toBe(true);
      }),
    );
  });
});

describe('a type', () => {
  const nested = struct(['a', scalar('INT64')], ['', arrayOf(struct(['B', scalar('DATE')]))]);

  test('is written as GoogleSQL writes it', () => {
    expect(typeText(nested)).toBe('STRUCT<a INT64, ARRAY<STRUCT<B DATE>>>');
  });

  test('is the same under names that differ in case only', () => {
    expect(
      sameType(nested, struct(['A', scalar('INT64')], ['', arrayOf(struct(['b', scalar('DATE')]))])),
    ).toBe(true);
    expect(sameType(nested, struct(['a', scalar('INT64')]))).toBe(false);
    expect(sameType(scalar('DATE'), scalar('DATETIME'))).toBe(false);
    expect(sameType(arrayOf(scalar('DATE')), scalar('DATE'))).toBe(false);
  });
});
