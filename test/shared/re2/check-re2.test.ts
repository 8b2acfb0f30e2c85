import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkRe2 } from '../../../shared/re2/check-re2.ts';
import { isPlainRe2 } from '../../../shared/re2/is-plain-re2.ts';
import { readRe2 } from '../../../shared/re2/read-re2.ts';

describe('a regular expression', () => {
  test.each<[string, number]>([
    ['', 0],
    ['abc', 3],
    ['a{1000}', 1000],
    ['(?:a{30}){30}', 960],
    ['\\pL', 1210],
    ['\\x{1000}{2}', 50],
    ['\\Q\\pL{9}\\E', 6],
    ['[{]{2}', 34],
    ['a{,9}', 5],
  ])('%s has the size %i', (pattern, size) => {
    expect(readRe2(pattern).size).toBe(size);
  });

  // The sizes are those of RE2's own programs (RE2::ProgramSize), release 2025-11-05.
  test.each<[string, number]>([
    ['(?:\\pL){10}', 11964],
    ['(?:\\PN){10}', 4759],
    ['(?i)(?:\\W){100}', 2704],
    ['(?i)(?:[\\x{172d}-\\x{99160}]){4}', 296],
    ['(?i)(?:[^\\x{114d}-\\x{5b85}]){4}', 392],
    ['(?:[^\\x{b0151}-\\x{f8183}]){4}', 104],
    ['(?i)k', 8],
    ['(?s).', 11],
  ])('%s is never counted smaller than RE2 makes it', (pattern, programSize) => {
    expect(readRe2(pattern).size).toBeGreaterThanOrEqual(programSize - 5);
  });

  test.each<[string, string]>([
    ['(?<n>a)', '(?P<n>a)'],
    ['(?i)(?<n>a(?<m>b))|(?P<o>c)', '(?i)(?P<n>a(?P<m>b))|(?P<o>c)'],
    ['\\(?<n>[(?<n>]\\Q(?<n>\\E', '\\(?<n>[(?<n>]\\Q(?<n>\\E'],
    ['a\\Q(?<n>', 'a\\Q(?<n>\\E'],
    ['a\\Q\\', 'a\\Q\\\\E'],
    ['[]\\Q(?<n>]', '[]\\Q(?<n>]'],
    ['[[:alpha:](?<n>]', '[[:alpha:](?<n>]'],
  ])('%s is %s in the spelling that every RE2 reads', (pattern, portable) => {
    expect(readRe2(pattern).portable).toBe(portable);
  });

  test.each(['(?i)x', '(?is-m:x)', '(?P<n>a)', '(?<n>a)', '\\pL{20}', '[^a]{1000}', '(?i)[B-\\x{1e942}]'])(
    '%s is valid',
    (pattern) => {
      expect(checkRe2(pattern)).toMatchObject({ kind: 'valid' });
    },
  );

  test.each<[string, string]>([
    ['a(', "missing closing ) at 'a('"],
    ['(?i', "invalid or unsupported Perl syntax at '(?i'"],
    ['a{1001}', "invalid repeat count at '{1001}'"],
    ['(?<=a)b', "invalid named capture at '(?<=a)b'"],
    ['{1001}{1001}*', "invalid repeat count at '{1001}'"],
    ['(a)\\1', "invalid escape sequence at '\\1'"],
  ])('%s is invalid: %s', (pattern, complaint) => {
    expect(checkRe2(pattern)).toEqual({ kind: 'invalid', complaint });
  });

  test.each([
    '(?:\\pL{500}){2}',
    '(\\pL\\pN\\p{Greek}){900}',
    'a{1000}'.repeat(31),
    `[${'\\pL'.repeat(30)}]`,
  ])('%.30s is too large', (pattern) => {
    expect(checkRe2(pattern).kind).toBe('too-large');
  });

  test.each<[string, readonly string[]]>([
    [String.raw`\| 50[0-9] \|.*avatars/49[0-9]{2}`, ['| 50', ' |', 'avatars/49']],
    ['example.com', ['example', 'com']],
    ['(?s)ab(?P<n>cd)+(?:ef){2}', ['ab', 'cd', 'ef']],
    [String.raw`\Qa.b\E\x{e9}[c]\d`, ['a.béc']],
    ['ab(cd)?(?:ef)*(?:gh){0,}i{0}(?:j|)kl', ['ab', 'kl']],
    ['(?:ab|cd)ef', ['ef']],
    ['ab+c', ['a', 'b', 'c']],
    ['ab|cd', []],
    ['(?i)abc', []],
    ['a(?i:b)c', []],
    ['', []],
  ])('%s is found only in what has the texts %j', (pattern, texts) => {
    expect(checkRe2(pattern)).toMatchObject({ requiredTexts: texts });
  });

  test('is too large for less room than it needs', () => {
    expect(checkRe2('a{10}', 10).kind).toBe('valid');
    expect(checkRe2('a{10}', 9).kind).toBe('too-large');
  });

  test('of any text is read or refused', () => {
    const parts = [
      '(',
      ')',
      '[',
      ']',
      '{2}',
      '{',
      '\\',
      'Q',
      'E',
      'p',
      'x',
      '<n>',
      '?',
      'P',
      '^',
      ':',
      '|',
      '*',
      'é😀',
    ];
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...parts, 'a', '-', 'i', '\0'), maxLength: 20 }),
        (text) => {
          const checked = checkRe2(text);
          if (checked.kind !== 'valid') return;
          expect(checkRe2(checked.portable)).toEqual(checked);
          expect(checked.size).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 20_000, seed: 20240306 },
    );
  });

  test('of plain text is valid', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w .:/-]{0,40}$/), (text) => {
        expect(isPlainRe2(text)).toBe(true);
        expect(checkRe2(text).kind).toBe('valid');
      }),
    );
    expect(isPlainRe2('.'.repeat(1001))).toBe(false);
  });
});
