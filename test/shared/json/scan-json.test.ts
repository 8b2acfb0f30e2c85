import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { skipSpace, stringEnd } from '../../../shared/json/scan-json.ts';

describe('the end of a JSON string', () => {
  test('is after its closing quote, whatever stands in it and follows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (content, rest) => {
        const text = `[${JSON.stringify(content)}`;
        expect(stringEnd(`${text}${rest}`, 1)).toBe(text.length);
      }),
    );
  });

  test.each([['"'], ['"abc'], ['"\\"'], ['"\\\\\\"']])('is nowhere in %s', (text) => {
    expect(stringEnd(text, 0)).toBe(-1);
  });
});

test.each([
  [' \t\r\n:', 4],
  [':', 0],
  ['', 0],
  ['\u00a0:', 0],
  ['\u0001:', 0],
])('the white space of %j ends at %d', (text, end) => {
  expect(skipSpace(text, 0)).toBe(end);
});
