import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { parseJsonParameters } from '../../../../shared/http/request/json-parameters.ts';

describe('parseJsonParameters', () => {
  test.each([
    ['{}', {}],
    [' \n\t{ \r\n } ', {}],
    ['{"a":"b"}', { a: ['b'] }],
    ['{ "a" : "b" , "c" : "d" }', { a: ['b'], c: ['d'] }],
    ['{"a":""}', { a: [''] }],
    ['{"a":null,"b":"null"}', { b: ['null'] }],
    ['{"a":true,"b":false}', { a: ['true'], b: ['false'] }],
    ['{"a":9007199254740993}', { a: ['9007199254740993'] }],
    ['{"a":-0.10,"b":1E+2}', { a: ['-0.10'], b: ['1E+2'] }],
    [String.raw`{"a":"x\"y\\","b":"\u00e9\n"}`, { a: ['x"y\\'], b: ['é\n'] }],
    [String.raw`{"a":"\ud83d\udca9"}`, { a: ['💩'] }],
    [String.raw`{"\u0061":"b"}`, { a: ['b'] }],
  ])('reads %p', (text, expected) => {
    expect(Object.fromEntries(parseJsonParameters(text))).toEqual(expected);
  });

  test.each([
    ['an array', '["a"]'],
    ['a string', '"a"'],
    ['a number', '1'],
    ['null', 'null'],
    ['an array as a value', '{"a":["b"]}'],
    ['an object as a value', '{"a":{"b":1}}'],
    ['a name given twice', '{"a":"1","a":"2"}'],
    ['a name given twice in two spellings', String.raw`{"a":"1","\u0061":"2"}`],
    ['a name given twice, once as null', '{"a":null,"a":"2"}'],
    ['half of a surrogate pair', String.raw`{"a":"\ud83d"}`],
    ['half of a surrogate pair in a name', String.raw`{"\ud83d":"a"}`],
    ['whitespace alone', '  '],
    ['an open object', '{'],
    ['a missing value', '{"a":}'],
    ['a missing colon', '{"a" "b"}'],
    ['a comma at the end', '{"a":"b",}'],
    ['a missing comma', '{"a":"b" "c":"d"}'],
    ['single quotes', "{'a':'b'}"],
    ['an unquoted name', '{a:"b"}'],
    ['an open string', '{"a":"b'],
    ['an open string that ends in a backslash', '{"a":"b\\'],
    ['an unknown escape', String.raw`{"a":"\x41"}`],
    ['a raw line end in a string', '{"a":"\n"}'],
    ['a leading zero', '{"a":01}'],
    ['a plus sign', '{"a":+1}'],
    ['a bare fraction', '{"a":.5}'],
    ['an open fraction', '{"a":1.}'],
    ['NaN', '{"a":NaN}'],
    ['another case of true', '{"a":True}'],
    ['a word that starts with null', '{"a":nullable}'],
    ['a comment', '{"a":1/**/}'],
    ['text after the object', '{"a":1} x'],
    ['two objects', '{}{}'],
    ['a no-break space', '{\u00a0}'],
  ])('refuses %s', (_, text) => {
    expect(() => parseJsonParameters(text)).toThrow(expect.objectContaining({ code: 400 }));
  });

  test('names the parameter that has an array for a value', () => {
    expect(() => parseJsonParameters('{"project":["a"]}')).toThrow(
      expect.objectContaining({ details: [{ parameter: 'project' }] }),
    );
  });

  test('names line and column of a fault in characters', () => {
    expect(() => parseJsonParameters('{\n "💩": oops}')).toThrow(
      expect.objectContaining({ details: [expect.objectContaining({ line: 2, column: 7 })] }),
    );
  });

  test('keeps names that objects give a meaning to as plain names', () => {
    const parameters = parseJsonParameters('{"__proto__":"x","constructor":"y"}');
    expect([...parameters.keys()]).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  test('reads whatever JSON.stringify writes of an object of scalars', () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), scalar),
        fc.constantFrom(0, 2),
        (object, indent) => {
          const read = parseJsonParameters(JSON.stringify(object, null, indent));
          const expected = Object.entries(object).map(([name, value]) => [
            name,
            [typeof value === 'string' ? value : JSON.stringify(value)],
          ]);
          expect([...read]).toEqual(expected);
        },
      ),
    );
  });

  test('accepts no text that JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}":,ab1.e- \\ntrueull[') }), (tail) => {
        const text = `{"k":${tail}`;
        try {
          parseJsonParameters(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
          return;
        }
        expect(typeof JSON.parse(text)).toBe('object');
      }),
      { numRuns: 2000 },
    );
  });

  test('takes hostile bodies of the largest size', () => {
    const many = `{${Array.from({ length: 20_000 }, (_, index) => `"p${index}":1`).join(',')}}`;
    expect(parseJsonParameters(many).size).toBe(20_000);
    for (const text of [
      '['.repeat(260_000),
      `{"a":"${'\\\\'.repeat(130_000)}`,
      `{"a":${'1'.repeat(260_000)}x}`,
    ]) {
      expect(() => parseJsonParameters(text)).toThrow(expect.objectContaining({ code: 400 }));
    }
  });
});
