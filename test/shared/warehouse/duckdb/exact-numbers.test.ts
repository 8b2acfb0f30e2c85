import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exactNumbers } from '../../../../shared/warehouse/duckdb/exact-numbers.ts';

const NO_TIMESTAMPS = { timestamps: new Set<string>() };

describe('exactNumbers', () => {
  test.each([
    ['a whole number up to 2^53 stays', '{"a":9007199254740992}', '{"a":9007199254740992}'],
    ['one beyond it becomes a string', '{"a":9007199254740993}', '{"a":"9007199254740993"}'],
    ['so does a negative one', '{"a":[-9223372036854775808]}', '{"a":["-9223372036854775808"]}'],
    ['a timestamp in microseconds stays', '{"t":1714979980223717}', '{"t":1714979980223717}'],
    [
      'a timestamp stays a number at any size',
      '{"a":1,"t":253402300799999999}',
      '{"a":1,"t":253402300799999999}',
    ],
    [
      'a number of the same name inside a record does not',
      '{"t":-62135596800000000,"a":{"t":62135596800000001}}',
      '{"t":-62135596800000000,"a":{"t":"62135596800000001"}}',
    ],
    [
      'a fraction of many digits stays next to a timestamp',
      '{"t":1714979980223717,"f":0.014285714285714285}',
      '{"t":1714979980223717,"f":0.014285714285714285}',
    ],
    [
      'a number with an exponent stays',
      '{"t":1714979980223717,"f":1e300}',
      '{"t":1714979980223717,"f":1e300}',
    ],
    ['NaN and the infinities become strings', '[NaN,Infinity,-Infinity]', '["NaN","Infinity","-Infinity"]'],
    ['digits in a string stay', '{"a":"x:9007199254740993,NaN"}', '{"a":"x:9007199254740993,NaN"}'],
    ['a quote in a string does not end it', '{"a":"\\":9007199254740993"}', '{"a":"\\":9007199254740993"}'],
    [
      'a backslash before the closing quote does not hide it',
      '["\\\\",9007199254740993]',
      '["\\\\","9007199254740993"]',
    ],
  ])('%s', (_, json, expected) => {
    expect(exactNumbers(json, { timestamps: new Set(['t']) })).toBe(expected);
  });

  test('leaves every JSON text without such numbers as it is', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const text = JSON.stringify(JSON.parse(json));
        const hasHugeInteger = /(?<![0-9.eE+-])-?[0-9]{16,}(?![0-9.eE])/.test(
          text.replace(/"(?:[^"\\]|\\.)*"/g, '""'),
        );
        fc.pre(!hasHugeInteger);
        expect(exactNumbers(text, NO_TIMESTAMPS)).toBe(text);
      }),
    );
  });

  test('keeps every 64-bit number exact', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), (numbers) => {
        const parsed = JSON.parse(exactNumbers(`[${numbers.join(',')}]`, NO_TIMESTAMPS)) as (
          | string
          | number
        )[];
        expect(parsed.map(BigInt)).toEqual(numbers);
      }),
    );
  });
});
