import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rarestPart } from '../../../../../../shared/warehouse/duckdb/translate/functions/rare-text.ts';

describe('The text to look for first', () => {
  test.each<[readonly string[], string | null]>([
    [['| 50', ' |', 'avatars/49'], 'vatars/49'],
    [['https://', 'foo'], 'foo'],
    [['https://', '/rest/v1/users?id='], 'v1/users?id='],
    [['GET ', 'user'], 'GET '],
    [['日本語のログ'], '日本語のログ'],
    [['a', 'bc', '12'], null],
    [['/ 1'], null],
    [['https://www.'], null],
    [['x'.repeat(100)], 'x'.repeat(40)],
    [[], null],
  ])('of %j is %j', (texts, part) => {
    expect(rarestPart(texts)).toBe(part);
  });

  test('is a part of one of the texts', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
        const part = rarestPart(texts);
        if (part !== null) expect(texts.some((text) => text.includes(part))).toBe(true);
      }),
    );
  });
});
