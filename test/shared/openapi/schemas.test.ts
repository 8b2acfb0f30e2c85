import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ParameterSpec } from '../../../shared/endpoints/endpoint.ts';
import { bodySchema, urlSchema } from '../../../shared/openapi/parameter-schemas.ts';
import { rowSchema, WIRE_SCHEMAS } from '../../../shared/openapi/row-schema.ts';
import { arrayOf, type ScalarTypeName, type SqlType } from '../../../shared/sql/types/sql-type.ts';

function accepts(schema: object, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false, formats: { re2: true, 'iso-8601': true } });
  formats.default(ajv);
  return ajv.compile({ ...schema, components: { schemas: WIRE_SCHEMAS } })(value);
}

const rowOf = (type: SqlType) => rowSchema([{ name: 'c', type }]);

describe('a column of type', () => {
  test.each<[ScalarTypeName, unknown[], unknown[]]>([
    ['BOOL', [true, false], ['true', 1]],
    ['INT64', [0, -5, '9223372036854775807'], [1.5, '5', 'x', true]],
    ['FLOAT64', [1, 1.5, 'NaN', 'Infinity', '-Infinity'], ['1.5', 'nan', true]],
    ['NUMERIC', ['1.50'], [1.5]],
    ['BIGNUMERIC', ['1.50'], [1.5]],
    ['STRING', ['', 'a'], [1, ['a']]],
    ['BYTES', ['YWI='], [1]],
    ['DATE', ['2026-01-02'], ['2026-13-02', 5]],
    ['DATETIME', ['2026-01-02T03:04:05', '2026-01-02T03:04:05.123456'], ['2026-01-02 03:04:05']],
    ['TIME', ['03:04:05', '03:04:05.123456'], ['03:04']],
    ['TIMESTAMP', [1767225600000000, -1, '2026-01-02T03:04:05Z'], ['2026-01-02', 1.5]],
    ['INTERVAL', ['1-2 3 4:5:6'], [1]],
    ['JSON', [{ a: [1] }, 'a', 1, true, []], []],
  ])('%s has these values and null', (kind, valid, invalid) => {
    const schema = rowOf({ kind });
    for (const c of [...valid, null]) expect([c, accepts(schema, { c })]).toEqual([c, true]);
    for (const c of invalid) expect([c, accepts(schema, { c })]).toEqual([c, false]);
  });

  test('ARRAY has lists, of records with just their fields', () => {
    const record: SqlType = {
      kind: 'STRUCT',
      fields: [
        { name: 'a', type: { kind: 'INT64' } },
        { name: '', type: { kind: 'STRING' } },
      ],
    };
    const schema = rowOf(arrayOf(record));
    for (const c of [null, [], [{ a: 1, _field_2: 'x' }], [{ a: null, _field_2: null }]])
      expect([c, accepts(schema, { c })]).toEqual([c, true]);
    for (const c of [{}, [{ a: 1 }], [{ a: 1, _field_2: 'x', b: 1 }], [{ a: 'x', _field_2: 'x' }]])
      expect([c, accepts(schema, { c })]).toEqual([c, false]);
  });

  test('is in every row, and no other column is', () => {
    const schema = rowOf({ kind: 'STRING' });
    expect(accepts(schema, {})).toBe(false);
    expect(accepts(schema, { c: 'a', d: 'b' })).toBe(false);
  });
});

const specOf = (more: Partial<ParameterSpec>): ParameterSpec => ({
  name: 'p',
  type: 'STRING',
  required: true,
  allowed: null,
  format: null,
  maxLength: 5,
  description: 'The p',
  example: 'x',
  ...more,
});

describe('a declared parameter', () => {
  test.each<[string, Partial<ParameterSpec>, unknown[], unknown[]]>([
    ['text', {}, ['a', 'ümläü', '𝕒𝕒𝕒𝕒𝕒'], ['', 'aaaaaa', 'a\u0085']],
    ['a regular expression', { format: 're2' }, ['a.*'], ['', 'aaaaaa']],
    ['one of a list', { allowed: ['a', 'b'] }, ['a'], ['c', '']],
    ['a whole number', { type: 'INT64' }, [1, -1], [1.5, true]],
    ['a decimal number', { type: 'FLOAT64' }, [1, 1.5], [true]],
    ['a switch', { type: 'BOOL' }, [true, false], ['yes']],
    ['an instant', { type: 'TIMESTAMP' }, ['2026-01-01'], [5]],
  ])('that is %s takes in a URL what it accepts', (_, more, valid, invalid) => {
    const schema = urlSchema(specOf(more));
    for (const value of valid) expect([value, accepts(schema, value)]).toEqual([value, true]);
    for (const value of invalid) expect([value, accepts(schema, value)]).toEqual([value, false]);
  });

  test.each<[string, Partial<ParameterSpec>, unknown[], unknown[]]>([
    ['text', {}, ['a', 12, true], ['', null, ['a']]],
    ['text that may be left out', { required: false }, ['a', '', null], ['aaaaaa', {}]],
    ['one of a list', { allowed: ['a', 'b'] }, ['a'], ['c', 1]],
    ['a whole number', { type: 'INT64' }, [1, '1', '-9223372036854775808'], [1.5, '1.5', null]],
    ['a decimal number', { type: 'FLOAT64' }, [1.5, '-.5', '1e6'], ['x', '.', null]],
    ['a switch', { type: 'BOOL', required: false }, [true, 'false', null], ['yes', 1]],
    ['an instant', { type: 'TIMESTAMP', required: false }, ['2026-01-01', null, ''], [5]],
  ])('that is %s takes in a body what it accepts', (_, more, valid, invalid) => {
    const schema = bodySchema(specOf(more));
    for (const value of valid) expect([value, accepts(schema, value)]).toEqual([value, true]);
    for (const value of invalid) expect([value, accepts(schema, value)]).toEqual([value, false]);
  });
});
