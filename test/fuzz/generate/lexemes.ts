import type { Random } from './random.ts';

/** Pieces that literals, comments and identifiers are put together from: what lexers tend to disagree about. */
const PIECES = [
  ...[
    'a',
    'b',
    'x',
    '0',
    '7',
    ' ',
    '  ',
    '_',
    'é',
    '𝒳',
    '中',
    '\u00a0',
    '\u2028',
    '\u200b',
    '\ufeff',
    '\u0000',
  ],
  ...["'", '"', '`', "''", '""', "'''", '"""', '``', '\\', '\\\\', "\\'", '\\"', '\\`', '\\\n', '\\\r\n'],
  ...['\\a', '\\b', '\\f', '\\n', '\\r', '\\t', '\\v', '\\?', '\\x41', '\\X4a', '\\x4', '\\u00e9', '\\ud800'],
  ...['\\U0001F600', '\\U00110000', '\\101', '\\000', '\\377', '\\400', '\\8', '\\1', '\\xff', '\\z', '\\'],
  ...['--', '#', '/*', '*/', '//', '\n', '\r', '\r\n', '\t', ';', '@', '@@', '@{', '}', '.', ',', '(', ')'],
];

const PREFIXES = [
  '',
  '',
  '',
  'r',
  'R',
  'b',
  'B',
  'rb',
  'br',
  'Rb',
  'bR',
  'BR',
  'RB',
  'rr',
  'bb',
  'u',
  'x',
  'n',
];
const QUOTES = ["'", '"', "'''", '"""'];

const SPACES = [
  ...[' ', ' ', ' ', ' ', '  ', '\n', '\t', '\r', '\r\n', '\f', '\v', '\b', '\u00a0', '\u1680', '\u2003'],
  ...['\u2028', '\u202f', '\u3000', '\u200b', '\ufeff', '\u0085', '\u180e'],
];

const NUMBERS = [
  ...[
    '0',
    '1',
    '007',
    '1.',
    '.5',
    '1.5',
    '1e5',
    '1.e5',
    '.5e-3',
    '1E+9',
    '1e',
    '1e+',
    '0x1F',
    '0X0',
    '0x',
    '0xg',
    '1a',
  ],
  ...[
    '1.5a',
    '1_000',
    '0x1.5',
    '1..2',
    '1.2.3',
    '9223372036854775808',
    '1e400',
    '00',
    '1e5e5',
    '1.e',
    '0b1',
    '1d',
    '5f',
  ],
];

const IDENTIFIERS = [
  ...[
    'a',
    'id',
    't1',
    '_x',
    '__',
    'A_b',
    'rb',
    'br',
    'b',
    'r',
    'é',
    'a-b',
    'a$',
    '$a',
    'select',
    'offset',
    'date',
  ],
];

const SYMBOLS = [
  ...[
    '+',
    '-',
    '*',
    '/',
    ',',
    '.',
    '(',
    ')',
    '[',
    ']',
    '||',
    '|',
    '&',
    '^',
    '~',
    '<',
    '>',
    '<=',
    '>=',
    '<>',
    '!=',
  ],
  ...[
    '=',
    '<<',
    '>>',
    '->',
    '=>',
    '|>',
    '@',
    '@@',
    '@{',
    '{',
    '}',
    ':',
    ';',
    '?',
    '!',
    '$',
    '%',
    '+=',
    '-=',
    '--',
    '==',
    '**',
  ],
];

/** White space, or a comment that is written to be misread. */
export function blank(random: Random): string {
  if (random.chance(0.6)) return random.chance(0.8) ? ' ' : random.pick(SPACES);
  if (random.chance(0.4)) return random.several(1, 3, () => random.pick(SPACES)).join('');
  return comment(random);
}

/** White space and comments that the oracle takes too. */
export function plainBlank(random: Random): string {
  if (random.chance(0.85)) return ' ';
  const pieces = ['a', "'", '"', '`', '\\', '/*', '--', '#', ';', "'''", ' '];
  const inside = random.several(0, 4, () => random.pick(pieces)).join('');
  return random.pick([
    '\n',
    '\t',
    '\r\n',
    '\u00a0',
    '\f',
    ` /*${inside}*/ `,
    ` --${inside}\n`,
    ` #${inside}\r`,
  ]);
}

function comment(random: Random): string {
  const inside = pieces(random, 5);
  const end = random.pick(['\n', '\n', '\r', '\r\n', '']);
  return random.pick([
    `--${inside}${end}`,
    `#${inside}${end}`,
    `/*${inside}*/`,
    `/*${inside}*/`,
    `/*${inside}`,
    `--${end}`,
  ]);
}

function pieces(random: Random, most: number): string {
  return random.several(0, most, () => random.pick(PIECES)).join('');
}

/** One token, or what looks like one. */
export function lexeme(random: Random): string {
  const kind = random.next();
  if (kind < 0.4) {
    const quote = random.pick(QUOTES);
    return `${random.pick(PREFIXES)}${quote}${pieces(random, 6)}${random.chance(0.93) ? quote : ''}`;
  }
  if (kind < 0.5) return `\`${pieces(random, 4)}\``;
  if (kind < 0.6) return random.pick(NUMBERS);
  if (kind < 0.7) return random.pick(IDENTIFIERS);
  if (kind < 0.75)
    return `${random.pick(['@', '@@'])}${random.chance(0.3) ? blank(random) : ''}${random.pick([...IDENTIFIERS, '`a b`', '1'])}`;
  return random.pick(SYMBOLS);
}

/** A SELECT of literals and names in any order; half of them separated by commas, so that most are queries. */
export function lexicalQuery(random: Random): string {
  const items = random.several(1, 5, () =>
    random.chance(0.15)
      ? random.several(2, 3, () => lexeme(random)).join(random.chance(0.5) ? '' : ' ')
      : lexeme(random),
  );
  const text = items.map(
    (item) => `${random.chance(0.3) ? blank(random) : ''}${item}${random.chance(0.3) ? blank(random) : ''}`,
  );
  const separator = random.chance(0.7) ? ',' : random.pick([' ', '', ' + ', ' a,', '.', '\n']);
  return `select ${text.join(separator)}${random.chance(0.3) ? `${blank(random)}from${blank(random)}t` : ''}`;
}
