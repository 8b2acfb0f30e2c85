import type { Random } from '../../fuzz/generate/random.ts';
import type { TextUse } from './values.ts';

type Maker = (random: Random) => string;

const joined = (random: Random, most: number, make: Maker, separator = ''): string =>
  random.several(0, most, () => make(random)).join(separator);
const from =
  (choices: readonly string[]): Maker =>
  (random) =>
    random.pick(choices);

/** Letters whose case, width, order or composition is special, and those that formats and escapes are made of. */
const LETTERS = [
  ...'aAbBcxXzZ019 .,-_%$\'"\\/()[]{}*+?^|:;#&=@!~`<>',
  ...'\n\t\r\v\f\0\x01\x1b\x7f\u0085\u00a0\u00ad\u200b\u200d\u2028\ufeff\ufffd\uffff',
  ...'éÉÀßẞſKÅŉǰΐΰᾳᾼΣσςİıﬁﬀǄǅǆªⅨⅷ①²ẛ',
  ...'ᎠꭰაᲐ日本가각한힣',
  ...['e\u0301', 'a\u0308\u0323', 'q\u0307\u0323', '\u1100\u1161', '\u0301', 'ಕೆ'],
  ...['😀', '𐐀', '𐐨', '𝒳', '\u{10ffff}', '👨‍👩‍👧', '🇩🇪'],
];
const letter = from(LETTERS);
const word: Maker = (random) => (random.chance(0.3) ? joined(random, 3, plain) : joined(random, 6, letter));
const plain = from(['a', 'b', 'A', 'B', 'ab', ' ', 'é', '1', ',']);

const number: Maker = (random) => {
  const digits = () => joined(random, 3, from(['0', '1', '9', '5', '12345678', '00', '99999999999']));
  const sign = random.pick(['', '', '-', '+', ' ', '--']);
  const point = random.pick(['', '', '.', '..']);
  const power = random.chance(0.3)
    ? `${random.pick(['e', 'E'])}${random.pick(['', '-', '+'])}${digits()}`
    : '';
  return `${sign}${digits()}${point}${point === '' ? '' : digits()}${power}`;
};

const JSON_NUMBERS = [
  ...[
    '0',
    '-0',
    '-0.0',
    '1',
    '-1',
    '1.0',
    '1.50',
    '1e2',
    '1E-2',
    '1e400',
    '-1e400',
    '1e-400',
    '0.1',
    '5e-324',
  ],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '18446744073709551615'],
  ...[
    '18446744073709551616',
    '123456789012345678901234567890',
    '1.7976931348623157e308',
    '100000000000000000000',
  ],
  ...['0.30000000000000004', '3.14159265358979323846', '1e16', '1e15', '123456789.123', '1e-7', '1.0e0'],
];
const BAD_NUMBERS = ['01', '-', '+1', '.5', '5.', 'NaN', 'Infinity', '-Infinity', '0x1', '1e', '1e+'];
const JSON_NAMES = ['a', 'b', 'c', '', 'a.b', 'a b', "a'b", 'é', '0', '$', 'A', 'a"b', '[0]', '*', '\\'];
const ESCAPES = [
  '\\n',
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\f',
  '\\u0041',
  '\\u00e9',
  '\\u0000',
  '\\u001f',
  '\\u007f',
  '\\ud83d\\ude00',
];
const BAD_ESCAPES = ['\\ud800', '\\udc00', '\\ud800\\u0041', '\\x', '\\u12', "\\'", '\t', '\n', '\0'];
const JSON_TEXTS = [
  'a',
  'x y',
  'é',
  '日本',
  '😀',
  '<b>',
  "'",
  '/',
  '1.5',
  'true',
  'TRUE',
  'null',
  '-0',
  ' 7',
  '1e3',
  'inf',
  'NaN',
];

const jsonText: Maker = (random) =>
  `"${joined(random, 2, (one) => one.pick(one.chance(0.3) ? (one.chance(0.2) ? BAD_ESCAPES : ESCAPES) : JSON_TEXTS))}"`;
const jsonName: Maker = (random) =>
  JSON.stringify(random.pick(random.chance(0.7) ? JSON_NAMES.slice(0, 3) : JSON_NAMES));
const space = from(['', '', '', '', ' ', '\n', '\t ']);

function jsonValue(random: Random, depth: number): string {
  const kind = random.below(depth <= 0 ? 5 : 9);
  if (kind === 0) return random.pick(['true', 'false', 'null', 'null']);
  if (kind <= 2) return random.chance(0.03) ? random.pick(BAD_NUMBERS) : random.pick(JSON_NUMBERS);
  if (kind <= 4) return jsonText(random);
  const [open, close] = kind <= 6 ? '{}' : '[]';
  const items = random.several(0, 3, () => {
    const value = jsonValue(random, depth - 1);
    return `${space(random)}${open === '{' ? `${jsonName(random)}${space(random)}:${space(random)}` : ''}${value}${space(random)}`;
  });
  return `${open}${items.join(',')}${close}`;
}

/** JSON that is mostly valid: with names twice, any number and escape, sometimes very deep. */
export const json: Maker = (random) => {
  if (random.chance(0.03)) {
    const depth = random.pick([10, 50, 200]);
    return random.chance(0.5)
      ? `${'['.repeat(depth)}1${']'.repeat(depth)}`
      : `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  }
  return jsonValue(random, 1 + random.below(3));
};

/** JSON text that is cut, followed by something, or has a letter too many. */
const anyJson: Maker = (random) => {
  const text = `${space(random)}${json(random)}${space(random)}`;
  if (random.chance(0.7)) return text;
  const at = random.below(text.length + 1);
  return random.pick([
    () => text.slice(0, at),
    () => text + random.pick([' x', ',', '}', ']', ' {}', '\0']),
    () =>
      text.slice(0, at) +
      random.pick([',', '"', '[', '{', '}', ':', '\\', '1', 'null', '//x\n', "'"]) +
      text.slice(at),
  ])();
};

const path: Maker = (random) =>
  `${random.chance(0.02) ? '' : random.pick(['$', '$', '$', '$', '$', 'lax $', 'lax recursive $'].slice(0, random.chance(0.95) ? 5 : 7))}${joined(
    random,
    3,
    (one) => {
      const name = one.pick(one.chance(0.7) ? JSON_NAMES.slice(0, 3) : JSON_NAMES);
      return one.pick([
        `.${name}`,
        `.${name}`,
        `[${one.pick(['0', '0', '1', '2', '10', '-1', '01', '9223372036854775808', ' 0 ', '', '*'])}]`,
        `.${JSON.stringify(name)}`,
        `['${name}']`,
        `["${name}"]`,
      ]);
    },
  )}`;

const ATOMS = [
  ...[
    'a',
    'b',
    'A',
    '.',
    '\\d',
    '\\w',
    '\\s',
    '\\D',
    '\\W',
    '[ab]',
    '[^a]',
    '[a-c]',
    '[[:alpha:]]',
    '[[:^alpha:]]',
    '\\pL',
    '\\p{Greek}',
  ],
  ...[
    '\\P{Lu}',
    '\\PN',
    'é',
    '日',
    '😀',
    '\\.',
    '\\x41',
    '\\x{1F600}',
    '\\n',
    '^',
    '$',
    '\\b',
    '\\B',
    '\\A',
    '\\z',
    '',
    ' ',
    '\\Qa.b\\E',
  ],
  ...['[\\d_]', '[]a]', '[a\\]]', '\\C', '\\101', '[^\\n]', '\\t', '\\-'],
];
const BAD_ATOMS = [
  '(',
  ')',
  '[',
  '*',
  '+',
  '\\',
  '{2}',
  '\\1',
  '\\Z',
  '(?=a)',
  '(?<n>a)',
  '[b-a]',
  '\\p{X}',
  '(?',
  'a**',
  '\\x',
  '[[:x:]]',
  '\\8',
];
const QUANTIFIERS = [
  '',
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{2}',
  '{1,}',
  '{0,2}',
  '{,2}',
  '{2,1}',
  '{1001}',
  '{x}',
];

function regularExpression(random: Random, depth: number): string {
  const pieces = random.several(1, 3, () => {
    if (depth > 0 && random.chance(0.3)) {
      const open = random.pick([
        '(',
        '(',
        '(',
        '(?:',
        '(?i:',
        '(?P<n>',
        '(?s)(?:',
        '(?U:',
        '(?m:',
        '(?-s:',
        '(?i)(',
      ]);
      return `${open}${regularExpression(random, depth - 1)})${random.pick(QUANTIFIERS)}`;
    }
    return `${random.pick(random.chance(0.02) ? BAD_ATOMS : ATOMS)}${random.pick(QUANTIFIERS)}`;
  });
  return random.chance(0.15) ? pieces.join('|') : pieces.join('');
}
const pattern: Maker = (random) => regularExpression(random, 2);

const like: Maker = (random) =>
  joined(
    random,
    5,
    from(['%', '_', 'a', 'b', 'A', '\\%', '\\_', '\\\\', 'é', '😀', '%%', '__', '\\', '\n', 'e\u0301']),
  );

const printf: Maker = (random) =>
  joined(random, 2, (one) =>
    one.chance(0.2)
      ? one.pick(['x', '%%', 'é ', '|'])
      : `%${joined(one, 2, from(['-', '0', '+', ' ', '#', "'"]))}${one.pick(['', '', '3', '10', '1', '*', '0'])}${one.pick(['', '', '.2', '.0', '.', '.5', '.*', '.20'])}${one.pick([...'sstTdidxXoufeEgGFpPc', 'lld', 's', 'd', ''])}`,
  );

const ELEMENTS = [
  ...'aAbBcCdDeFgGhHIjklmMnpPqQrRsStTuUVwWxXyYzZ%JLEO+'.split('').map((one) => `%${one}`),
  ...[
    '%Ez',
    '%E3S',
    '%E*S',
    '%E4Y',
    '%E0S',
    '%E6S',
    '%E15S',
    '%Ey',
    '%Ex',
    '%EY',
    '%EC',
    '%Ec',
    '%EX',
    '%Od',
    '%Oe',
    '%OH',
    '%Om',
    '%Oy',
    '%OS',
    '%OI',
    '%OM',
    '%Ou',
    '%OU',
    '%OV',
    '%Ow',
    '%OW',
  ],
  ...['%-d', '%_d', '%0d', '%^a', '%10Y', '%', '%E', '%O'],
];
const format: Maker = (random) =>
  joined(random, 4, (one) =>
    one.chance(0.75) ? one.pick(ELEMENTS) : one.pick([' ', '-', ':', 'T', 'é', '/', ',', '\n', '😀']),
  );

const two = (random: Random, most: number) =>
  String(random.below(most)).padStart(random.chance(0.9) ? 2 : 1, '0');
const time: Maker = (random) => {
  const year = random.chance(0.8)
    ? String(1900 + random.below(200))
    : random.pick(['1', '0000', '0001', '9999', '10000', '-1', '02024', '24']);
  const date = `${year}-${two(random, 14)}-${two(random, 33)}`;
  const clock = `${two(random, 25)}:${two(random, 61)}${random.chance(0.9) ? `:${two(random, 62)}` : ''}${random.pick(['', '', '.1', '.123456', '.1234567', '.', '.123456789'])}`;
  const zone = random.pick([
    '',
    '',
    '',
    'Z',
    'z',
    '+00',
    '-08:00',
    '+5:30',
    '+14:00',
    '+14:01',
    ' UTC',
    ' Europe/Berlin',
    '+0530',
    ' america/new_york',
    ' +01',
  ]);
  return `${random.pick(['', '', '', '', ' '])}${random.pick([date, clock, `${date} ${clock}${zone}`, `${date}T${clock}${zone}`, `${date}t${clock}`, `${date}  ${clock}`, `${date}${zone}`])}${random.pick(['', '', '', '', ' '])}`;
};
const zone: Maker = (random) =>
  random.pick([
    () =>
      `${random.pick(['+', '-', ''])}${two(random, 16)}${random.pick([':', '', ''])}${random.chance(0.6) ? two(random, 62) : ''}`,
    () =>
      random.pick([
        'utc',
        'Etc/GMT+5',
        'GMT',
        'Asia/Tokyo',
        'US/Eastern',
        'Zulu',
        '',
        ' UTC',
        'UTC+1',
        'Asia/Kathmandu',
        'Australia/Lord_Howe',
        'America/Argentina/Buenos_Aires',
        'Z',
        'PST',
        'Pacific/Apia',
        'Europe/london',
      ]),
  ])();

const hex: Maker = (random) => {
  const alphabet = random.pick([
    '0123456789abcdefABCDEF',
    'ABCDwxyz0189+/',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
    '-_=gG \n',
  ]);
  const body = random.several(0, 10, () => random.pick([...alphabet])).join('');
  return body + random.pick(['', '', '', '=', '==', '===', '====', '======', ' ']);
};

const url: Maker = (random) => {
  if (random.chance(0.3)) {
    const part = () => random.pick(['0', '1', '255', '256', '00', '127', '', 'x', '10', '1e']);
    const six = () => random.pick(['0', 'ffff', 'FFFF', '1', '', 'abcd', '12345', 'g', '::', '0db8']);
    return random.chance(0.5)
      ? random.several(3, 5, part).join('.')
      : random.several(1, 9, six).join(':') + random.pick(['', '', '', '%eth0', ':1.2.3.4', '/64']);
  }
  const scheme = random.pick([
    'http://',
    'HTTPS://',
    '//',
    '',
    'ftp:',
    'a+b-c.d://',
    'http:/',
    ' http://',
    '1http://',
    ':',
    'mailto:',
    'file:///',
  ]);
  const user = random.pick(['', '', '', 'u@', 'u:p@', '@', 'a@b@']);
  const host = random.pick([
    'example.com',
    'www.Google.co.uk',
    'a..b',
    '',
    'localhost',
    '[::1]',
    'xn--bcher-kva.de',
    'bücher.de',
    'EXAMPLE.com.',
    '.com',
    'a_b.com',
    '192.168.0.1',
    'com',
    'a b.com',
    'x.github.io',
    'x.ck',
    'www.ck',
    '日本.jp',
    '%41.com',
    '[::1',
    'a。b',
  ]);
  const port = random.pick(['', '', '', ':80', ':', ':x', ':99999', ':80:80']);
  const rest = random.pick(['', '', '/', '/p/q', '?a=b', '#f', '\\x', '/?#', ' ', '/a b', ';x', '/p@q:1']);
  return `${scheme}${user}${host}${port}${rest}`;
};

const castFormat: Maker = (random) =>
  joined(
    random,
    4,
    from([
      ...[
        'YYYY',
        'YYY',
        'YY',
        'Y',
        'RRRR',
        'RR',
        'Y,YYY',
        'MONTH',
        'Mon',
        'MM',
        'DD',
        'DDD',
        'D',
        'DAY',
        'Dy',
        'HH',
        'HH12',
        'HH24',
        'MI',
        'SS',
        'SSSSS',
        'FF',
        'FF1',
        'FF3',
        'FF9',
      ],
      ...[
        'AM',
        'P.M.',
        'a.m.',
        'TZH',
        'TZM',
        '"x"',
        '"\\""',
        '-',
        '/',
        ' ',
        ':',
        '.',
        ',',
        "'",
        'Q',
        'J',
        'WW',
        'IW',
        'IYYY',
        'CC',
        'T',
        ';',
        '  ',
        'é',
        'yyyy',
        'mOnTh',
        'BC',
        'A.D.',
      ],
    ]),
  );

/** Texts that are made at random, for those uses where more than a few have a meaning. */
export const RANDOM_TEXTS: Readonly<Partial<Record<TextUse, Maker>>> = {
  word,
  number,
  json: anyJson,
  path,
  pattern,
  like,
  printf,
  format,
  time,
  zone,
  hex,
  url,
  castFormat,
};
