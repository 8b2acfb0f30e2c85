import type { ScalarTypeName, SqlType } from '../../../shared/sql/types/sql-type.ts';
import type { Random } from '../../fuzz/generate/random.ts';
import { json, RANDOM_TEXTS } from './random-texts.ts';
import { list, nullOf, type SqlTree, sequence, value } from './sql-tree.ts';

/** Text as a literal of GoogleSQL. */
export function quoted(text: string): string {
  const escaped = text
    .replace(/[\\']/g, (letter) => `\\${letter}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\0', '\\x00');
  return `'${escaped}'`;
}

/** Texts by what they are good for; functions that nothing is known of get any of them. */
export const TEXTS = {
  word: [
    '',
    'a',
    'b',
    'abc',
    'Abc aBC',
    ' ab ',
    'aaa',
    'a,b,,c',
    'é',
    'ÀÉß',
    '日本',
    '😀x',
    'a\nb',
    '%',
    '_',
    'a_b%',
    "'",
    '\\',
    'İi',
    'ﬁ',
    'e\u0301',
    '\0',
  ],
  number: [
    '0',
    '-1',
    '12',
    '9223372036854775807',
    '9223372036854775808',
    '1.5',
    '-0.0',
    '1e10',
    'nan',
    'inf',
    '-Infinity',
    ' 7 ',
    '0x1F',
    '+3',
    '1e400',
    '99999999999999999999999999999.999999999',
    '.5',
    '5.',
    'true',
    'FALSE',
  ],
  time: [
    '2024-02-29',
    '2023-02-29',
    '0001-01-01',
    '9999-12-31',
    '2024-02-29 12:34:56',
    '2024-02-29T12:34:56.789123',
    '2016-12-31 23:59:60',
    '2024-02-29 12:34:56+14:00',
    '2024-02-29 12:34:56-08',
    '2024-02-29 12:34:56 America/New_York',
    '23:59:59.999999',
    '00:00:00',
    '24:00:00',
    '2024-1-2',
    '1-2 3 4:5:6',
  ],
  zone: [
    'UTC',
    'America/New_York',
    'Asia/Kolkata',
    '+05:30',
    '-14:00',
    '+14:01',
    'Mars/Base',
    'Europe/Berlin',
  ],
  json: [
    '{"a":1,"b":[1,2,null],"c":{"d":"x"}}',
    '[]',
    '{}',
    'null',
    '1.0',
    '"x"',
    '[1,"a",null,{"b":true}]',
    '{"a":1,"a":2}',
    '{"a":',
    '{"a":1} x',
    '1e100',
    '-0',
    '12345678901234567890',
    '"\\u001a\\"é"',
    'true',
    '{"a":"1","b":"true"}',
    '{"":1}',
  ],
  path: [
    '$',
    '$.a',
    '$.b[0]',
    '$.b[9]',
    '$.c.d',
    '$[0]',
    '$[3].b',
    '$.missing',
    '$."a"',
    "$['a']",
    '$.a.',
    'a',
  ],
  pattern: [
    'a',
    '',
    '.',
    '(b)',
    'a*',
    '^a',
    '[[:alpha:]]+',
    '(?i)A',
    'a|b',
    '\\d+',
    '(',
    'x{2,3}',
    '$',
    '\\pL',
    '(a)(b)',
    '\\bb',
  ],
  castFormat: [
    'YYYY-MM-DD',
    'YYYY-MM-DD HH24:MI:SS',
    'YYYY-MM-DD"T"HH24:MI:SS.FF6',
    'YYYY-MM-DD HH24:MI:SSTZH:TZM',
    'YYYYMMDD',
    'DD MON RRRR',
    'Day, DD Month YYYY',
    'HH12:MI:SS A.M.',
    'HH24:MI:SS.FF6',
    'SSSSS',
    'DY DDD D YY',
    'HEX',
    '999',
    'S9,990.99',
    '$0.9',
    'FM9G999D00PR',
    'B99MI',
    'C9999.',
    'BASE64',
    'ASCII',
    'utf-8',
    'base2',
    '',
    'xx',
  ],
  like: ['a', '%', '_', '%a%', 'a_', '', '\\%', 'a%c', '%b'],
  format: [
    '%-d/%-m %-I:%-M %^a',
    '%_d %_j %0e %#p',
    '%Y-%m-%d',
    '%F',
    '%T',
    '%H:%M:%S',
    '%E6S',
    '%d/%m/%y',
    '%b %e %Y',
    '%A %B',
    '%j',
    '%U %W %V %G',
    '%s',
    '%Z %z %Ez',
    '%p %I',
    '%%',
    '%Q',
    '%k|%l',
    '%D %R',
    '%C %u %w',
    '%E3S',
    '%c',
    '%n%t',
    'x',
  ],
  printf: [
    '%s',
    '%d',
    '%5d',
    '%-5d|',
    '%05d',
    '%x',
    '%X',
    '%o',
    '%f',
    '%.2f',
    '%e',
    '%g',
    '%t',
    '%T',
    '%%',
    '%+d',
    "%'d",
    '%10s|',
    '%-10s|',
    '%i',
    '%p',
    '%.3s',
    '% d',
    '%F',
    '%E',
  ],
  hex: ['', '00', 'ff', 'FFaa', 'f', 'zz', 'YWJj', 'YQ==', 'MFRGG===', 'me======'],
  url: [
    'http://user@a.b.co.uk:80/p?q#f',
    'https://www.Google.co.jp',
    '//x.com',
    'mailto:a@b.c',
    '192.0.2.1',
    '::1',
    '::ffff:1.2.3.4',
    'http://[::1]/',
    '1.2.3.256',
    'x',
    'a.github.io',
    'co.uk.',
    'x..com',
    'http://a.city.kawasaki.jp',
    'a.例子.中国',
  ],
  mode: ['exact', 'round', 'strict', 'lax', 'lax recursive'],
} as const;

export type TextUse = keyof typeof TEXTS;

const CAST = (type: string) => (text: string) => `CAST('${text}' AS ${type})`;
const OF = (type: string) => (text: string) => `${type} '${text}'`;

/** Values by type: tame ones, and those at the edges. */
const VALUES: Readonly<
  Record<
    Exclude<ScalarTypeName, 'STRING'>,
    { readonly tame: readonly string[]; readonly edge: readonly string[] }
  >
> = {
  BOOL: { tame: ['TRUE', 'FALSE'], edge: ['TRUE', 'FALSE'] },
  INT64: {
    tame: ['0', '1', '2', '3', '5', '-1', '-2', '10'],
    edge: [
      '-9223372036854775808',
      '9223372036854775807',
      '9007199254740993',
      '64',
      '63',
      '-64',
      '255',
      '256',
      '1000000',
      '-719163',
      '253402300799',
      '2932896',
      '1114111',
      '55296',
      '128',
    ],
  },
  FLOAT64: {
    tame: ['0.0', '1.0', '1.5', '-2.5', '0.1', '3.0', '100.25'],
    edge: [
      '-0.0',
      ...['nan', 'inf', '-inf'].map(CAST('FLOAT64')),
      '1.7976931348623157e308',
      '-1.7976931348623157e308',
      '5e-324',
      '1e15',
      '0.3',
      '1e-7',
      '9007199254740993.0',
      '9.223372036854775e18',
      '123456789.123456789',
      '2.5',
      '0.5',
      '1e22',
      '1e100',
    ],
  },
  NUMERIC: {
    tame: ['0', '1', '1.5', '-2.25', '3', '10', '0.1'].map(OF('NUMERIC')),
    edge: [
      '99999999999999999999999999999.999999999',
      '-99999999999999999999999999999.999999999',
      '0.000000001',
      '-0.000000001',
      '12345678901234567890.123456789',
      '9223372036854775808',
    ].map(OF('NUMERIC')),
  },
  BIGNUMERIC: {
    tame: ['0', '1', '1.5', '-2.25', '3', '10'].map(OF('BIGNUMERIC')),
    edge: [
      '578960446186580977117854925043439539266.34992332820282019728792003956564819967',
      '-578960446186580977117854925043439539266.34992332820282019728792003956564819968',
      '0.00000000000000000000000000000000000001',
      '99999999999999999999999999999999999999.9',
    ].map(OF('BIGNUMERIC')),
  },
  BYTES: {
    tame: ["b'a'", "b'abc'", "b'b'", "b''"],
    edge: [
      "b'\\xff'",
      "b'\\x00\\x01'",
      "b'\\xc3\\xa9'",
      "b'\\xe9'",
      "b'\\x7f\\x00\\x00\\x01'",
      "b'0123456789abcdef'",
      "b'aXa'",
    ],
  },
  DATE: {
    tame: ['2024-02-29', '2023-12-31', '2024-01-01', '2024-05-06'].map(OF('DATE')),
    edge: [
      '0001-01-01',
      '9999-12-31',
      '1970-01-01',
      '1969-12-31',
      '1900-02-28',
      '2000-02-29',
      '2021-01-03',
      '2020-12-28',
    ].map(OF('DATE')),
  },
  DATETIME: {
    tame: ['2024-02-29 12:34:56', '2023-12-31 23:59:59.999999', '2024-05-06 00:00:00'].map(OF('DATETIME')),
    edge: [
      '0001-01-01 00:00:00',
      '9999-12-31 23:59:59.999999',
      '1969-12-31 23:59:59.999999',
      '1970-01-01 00:00:00',
      '2021-01-03 00:00:00.000001',
    ].map(OF('DATETIME')),
  },
  TIME: {
    tame: ['12:34:56', '00:00:00', '01:02:03.5'].map(OF('TIME')),
    edge: ['23:59:59.999999', '00:00:00.000001'].map(OF('TIME')),
  },
  TIMESTAMP: {
    tame: ['2024-02-29 12:34:56+00', '2023-12-31 23:59:59.999999+00', '2024-05-06 00:00:00+00'].map(
      OF('TIMESTAMP'),
    ),
    edge: [
      '0001-01-01 00:00:00+00',
      '9999-12-31 23:59:59.999999+00',
      '1969-12-31 23:59:59.999999+00',
      '1970-01-01 00:00:00+00',
      '2024-03-10 07:00:00+00',
      '2024-11-03 05:30:00+00',
      '1883-11-18 12:00:00+00',
    ].map(OF('TIMESTAMP')),
  },
  INTERVAL: {
    tame: ['INTERVAL 1 DAY', 'INTERVAL 2 HOUR', 'INTERVAL 3 MONTH', 'INTERVAL -5 MINUTE'],
    edge: [
      'INTERVAL 10000 YEAR',
      'INTERVAL -3660000 DAY',
      'INTERVAL 0 SECOND',
      'INTERVAL 30 DAY',
      'INTERVAL 25 HOUR',
      'INTERVAL 14 MONTH',
      'MAKE_INTERVAL(1, -2, 3, -4, 5, -6)',
    ],
  },
  JSON: {
    tame: TEXTS.json.slice(0, 7).map((text) => `JSON ${quoted(text)}`),
    edge: [
      '1e100',
      '-0',
      '12345678901234567890',
      '"\\u001a\\"é"',
      '10.0',
      '"1.5"',
      '"TRUE"',
      '9223372036854775808',
      '{"a":{"a":[[],{}]}}',
      '"Infinity"',
      '1.0',
      '"inf"',
    ].map((text) => `JSON ${quoted(text)}`),
  },
};

const ALL_TEXTS: readonly string[] = Object.values(TEXTS).flat();

/** A literal: mostly a tame one, sometimes one at the edges, rarely NULL. `use` says which texts a STRING is one of. */
export function literal(type: SqlType, random: Random, use: TextUse | null = null): SqlTree {
  if (random.chance(0.06)) return nullOf(type);
  if (type.kind === 'ARRAY') {
    const items = random.several(0, 3, () => literal(type.element, random));
    const { element } = type;
    return value(type, [
      `ARRAY<${element.kind === 'STRUCT' ? 'STRUCT<INT64, STRING>' : element.kind}>[`,
      list(items, 0),
      ']',
    ]);
  }
  if (type.kind === 'STRUCT') {
    const fields = type.fields.map((field) => sequence(literal(field.type, random), ` AS ${field.name}`));
    return value(type, [
      'STRUCT(',
      ...fields.flatMap((field, index) => (index === 0 ? [field] : [', ', field])),
      ')',
    ]);
  }
  if (type.kind === 'STRING') {
    return value(type, [quoted(textFor(use, random))]);
  }
  if (type.kind === 'JSON' && random.chance(0.4)) return value(type, [`JSON ${quoted(json(random))}`]);
  if (type.kind === 'BYTES' && random.chance(0.3)) return value(type, [bytes(random)]);
  const { tame, edge } = VALUES[type.kind];
  return value(type, [random.pick(random.chance(0.6) ? tame : edge)]);
}

/** A text from the lists, or one that is made at random. */
function textFor(use: TextUse | null, random: Random): string {
  const made = random.chance(0.5) ? RANDOM_TEXTS[use ?? 'word'] : undefined;
  if (made !== undefined) return made(random);
  return random.pick<string>(use !== null ? TEXTS[use] : random.chance(0.6) ? TEXTS.word : ALL_TEXTS);
}

const BYTES_PIECES = [
  ...'aAbZ09 =+/%_',
  '\\x00',
  '\\xff',
  '\\xc3\\xa9',
  '\\xe6',
  '\\xf0\\x9f\\x98\\x80',
  '\\x80',
  '\\xed\\xa0\\x80',
  '\\n',
  '\\xc0\\x80',
];

function bytes(random: Random): string {
  if (random.chance(0.2))
    return `b'${random
      .several(4, 4, () => random.pick(['\\x7f', '\\x00', '\\xff', '\\x01']))
      .join('')
      .repeat(random.pick([1, 4]))}'`;
  return `b'${random.several(0, 6, () => random.pick(BYTES_PIECES)).join('')}'`;
}

/** The values that a failing query's values are tried to be, simplest first. */
export function simplest(type: SqlType): readonly string[] {
  if (type.kind === 'ARRAY' || type.kind === 'STRUCT') return [];
  if (type.kind === 'STRING') return ["''", "'a'"];
  return VALUES[type.kind].tame.slice(0, 2);
}
