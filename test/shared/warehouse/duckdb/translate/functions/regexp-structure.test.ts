import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { readStructure } from '../../../../../../shared/warehouse/duckdb/translate/functions/regexp-structure.ts';

const PIECES = [
  'a',
  'b',
  '.',
  '\\d',
  '[ab]',
  '[^a]',
  '[]x]',
  '[[:alpha:]]',
  '[[:a]',
  '\\(',
  '\\Q(a\\E',
  '^',
  '$',
  '\\b',
  '\\pL',
  '\\p{Greek}',
  '\\x41',
  '\\x{61}',
  '\\141',
];
const QUANTIFIERS = ['', '', '?', '*', '+', '*?', '{0,2}', '{2}', '{1,}?'];

/** Regular expressions of all kinds of pieces. */
const pattern = fc.letrec<{ pattern: string; atom: string }>((tie) => ({
  pattern: fc
    .array(
      fc.array(tie('atom'), { maxLength: 4 }).map((atoms) => atoms.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((branches) => branches.join('|')),
  atom: fc
    .tuple(
      fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(...PIECES),
        tie('pattern').map((inner) => `(${inner})`),
        tie('pattern').map((inner) => `(?:${inner})`),
        tie('pattern').map((inner) => `(?P<n>${inner})`),
        tie('pattern').map((inner) => `(?i:${inner})`),
      ),
      fc.constantFrom(...QUANTIFIERS),
    )
    .map(([atom, quantifier]) => atom + quantifier),
})).pattern;

const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '(', 'x', '1', ' '), maxLength: 5 }), {
  minLength: 5,
  maxLength: 10,
});

function compile(text: string): RE2JS | null {
  try {
    return RE2JS.compile(text);
  } catch {
    return null;
  }
}

describe('The structure of a regular expression', () => {
  test('agrees with what the expression matches', () => {
    fc.assert(
      fc.property(pattern, texts, (text, subjects) => {
        const regexp = compile(text);
        fc.pre(regexp !== null);
        if (regexp === null) return;
        const structure = readStructure(text);
        expect(structure.groups).toBe(regexp.groupCount());
        for (const subject of subjects) {
          const matcher = regexp.matcher(subject);
          if (!matcher.find()) continue;
          if (structure.isNeverEmpty) expect(matcher.group(0)).not.toBe('');
          if (structure.groups === 0) continue;
          const group = matcher.group(1);
          if (structure.isGroupNeverEmpty) expect(group).not.toBe('');
          if (!structure.isGroupOptional) expect(group).not.toBeNull();
        }
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['(a)?b', { groups: 1, isNeverEmpty: true, isGroupNeverEmpty: true, isGroupOptional: true }],
    ['(a*)b', { groups: 1, isNeverEmpty: true, isGroupNeverEmpty: false, isGroupOptional: false }],
    ['x|(a)', { groups: 1, isNeverEmpty: true, isGroupNeverEmpty: true, isGroupOptional: true }],
    [
      '(?i)^/(rest|auth)/v\\d+',
      { groups: 1, isNeverEmpty: true, isGroupNeverEmpty: true, isGroupOptional: false },
    ],
    ['[(]a', { groups: 0, isNeverEmpty: true }],
    ['\\(a\\)', { groups: 0, isNeverEmpty: true }],
  ])('%s', (text, structure) => {
    expect(readStructure(text)).toMatchObject(structure);
  });

  test('deeply nested groups are refused by the engine before they are read', () => {
    const nested = `${'('.repeat(20_000)}a${')'.repeat(20_000)}`;
    expect(compile(nested)).toBeNull();
  });
});
