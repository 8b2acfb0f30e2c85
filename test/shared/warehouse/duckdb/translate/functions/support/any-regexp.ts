import fc from 'fast-check';

const ANCHORS = ['^', '$', '\\A', '\\z', '\\b', '\\B'];
const LITERALS = [
  'a',
  'b',
  'ab',
  '1',
  '_',
  '%',
  'é',
  '{',
  '}',
  '\\.',
  '\\$',
  '\\n',
  '\\x{e9}',
  '\\Q.$\\E',
  '\\0',
];
const CLASSES = ['.', '\\d', '\\W', '[ab]', '[^a]', '[]$]', '[[:alpha:]]', '\\pL', '[^\\x00-\\x{10FFFF}]'];
const FLAGS = ['(?i)', '(?s)', '(?m)', '(?U)', '(?s-m)', '(?-s)'];
const EMPTY = ['(?:)', '(?i:)', '\\Q\\E', 'a{0}', '(?:|a)', '(?:a|a)'];
const QUANTIFIERS = ['', '', '', '', '?', '*', '+', '*?', '{2}', '{0,2}', '{1,}?'];
const GROUPS = ['(', '(?:', '(?i:', '(?s:', '(?m:', '(?<n>', '(?P<n>'];

const quantified = (part: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(part, fc.constantFrom(...QUANTIFIERS)).map((both) => both.join(''));

/** Regular expressions with anchors, flags and empty parts in unusual places; nearly all are valid RE2. */
export const anyRegexp: fc.Arbitrary<string> = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc
    .array(
      fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .chain((branches) => fc.constantFrom(branches.join('|'), branches[0] ?? '')),
  part: fc.oneof(
    { depthSize: 'small' },
    { weight: 6, arbitrary: quantified(fc.constantFrom(...LITERALS)) },
    { weight: 4, arbitrary: fc.constantFrom(...ANCHORS) },
    { weight: 3, arbitrary: quantified(fc.constantFrom(...CLASSES)) },
    { weight: 1, arbitrary: fc.constantFrom(...FLAGS, ...EMPTY, '\\Q.$') },
    {
      weight: 2,
      arbitrary: quantified(
        fc.tuple(fc.constantFrom(...GROUPS), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
      ),
    },
  ),
})).pattern;

/** Texts that such expressions find something in. */
export const anyText: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom('a', 'b', 'A', '1', '_', '%', 'é', '{', '}', '.', '$', '\n', '\0', ' '),
  maxLength: 6,
});

const WORDS = ['error', 'vex/', '/users', 'été', '| 50', '%_%', '\\', '\0x!'];

/** Regular expressions with words that a match has to hold, or need not. */
export const anyRegexpOfWords: fc.Arbitrary<string> = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc
    .array(
      fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 2 },
    )
    .chain((branches) => fc.constantFrom(branches.join('|'), branches[0] ?? '')),
  part: fc.oneof(
    { depthSize: 'small' },
    { weight: 6, arbitrary: fc.constantFrom(...WORDS).map((text) => text.replace(/[|\\]/g, '\\$&')) },
    { weight: 1, arbitrary: fc.constantFrom(...WORDS).map((text) => `\\Q${text}\\E`) },
    { weight: 2, arbitrary: quantified(fc.constantFrom(...CLASSES)) },
    { weight: 1, arbitrary: fc.constantFrom(...FLAGS, ...EMPTY, ...ANCHORS) },
    {
      weight: 3,
      arbitrary: quantified(
        fc.tuple(fc.constantFrom(...GROUPS), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
      ),
    },
  ),
})).pattern;

/** Texts with such words, whole and in part. */
export const anyTextOfWords: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
      { weight: 1, arbitrary: fc.constantFrom('ERROR', 'rror', 'users', '5', '\n', 'É', '') },
    ),
    { maxLength: 5 },
  )
  .map((words) => words.join(''));
