import type { Random } from '../../fuzz/generate/random.ts';
import { json, RANDOM_TEXTS } from './random-texts.ts';
import { TEXTS } from './values.ts';

/** Texts for the arguments of one call, in their order. */
type Texts = readonly string[];
type Maker = (random: Random) => Texts;

const word = (random: Random): string => RANDOM_TEXTS.word?.(random) ?? random.pick(TEXTS.word);

/** A part of a text, as a rule of whole characters. */
function partOf(text: string, random: Random): string {
  const letters = [...text];
  const at = random.below(letters.length + 1);
  return letters.slice(at, at + random.below(4)).join('');
}

const withPart: Maker = (random) => {
  const text = `${word(random)}${word(random)}`;
  const part = random.chance(0.85) ? partOf(text, random) : word(random);
  return [
    text,
    random.chance(0.2) ? random.pick([part.toUpperCase(), part.toLowerCase()]) : part,
    word(random),
  ];
};

const LETTERS = [...'aaabbABc1 .\n', 'é', 'É', '日', '😀', 'α', 'ſ'];
const withPattern: Maker = (random) => [
  random.several(0, 7, () => random.pick(LETTERS)).join(''),
  RANDOM_TEXTS.pattern?.(random) ?? '',
  random
    .several(0, 3, () => random.pick(['\\1', '\\0', '\\2', '\\\\', 'x', '$1', 'é', '\\9', '\\']))
    .join(''),
];

const withLike: Maker = (random) => {
  const pattern = RANDOM_TEXTS.like?.(random) ?? '';
  const text = pattern
    .replace(/\\(.)/gsu, '$1')
    .replace(/%/g, () => random.pick(['', 'a', 'bé', '%', '\n']))
    .replace(/_/g, () => random.pick(['a', '_', '😀', '', 'é', '\n']));
  return random.chance(0.8) ? [text, pattern, word(random)] : [text.toUpperCase(), word(random), pattern];
};

/** A path to something in a JSON value. */
function pathInto(value: unknown, random: Random): string {
  if (typeof value !== 'object' || value === null || random.chance(0.25)) return '';
  if (Array.isArray(value)) {
    const at = random.chance(0.9) ? random.below(value.length) : value.length + random.below(2);
    return `[${at}]${pathInto(value[at], random)}`;
  }
  const names = Object.keys(value);
  const name = names.length > 0 && random.chance(0.9) ? random.pick(names) : 'missing';
  const isPlain = /^\w+$/.test(name);
  const written = isPlain && random.chance(0.8) ? `.${name}` : `.${JSON.stringify(name)}`;
  return `${written}${pathInto(Reflect.get(value, name), random)}`;
}

const withPaths: Maker = (random) => {
  const text = json(random);
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Some are no JSON, and have no paths.
  }
  return [text, ...random.several(6, 6, () => `$${pathInto(value, random)}`)];
};

/** Format elements with texts that they read. */
const ELEMENTS: Readonly<Record<string, Texts>> = {
  '%Y': ['2024', '1', '0001', '9999', '10000', '-1', '+2024'],
  '%y': ['24', '69', '70', '0', '100'],
  '%C': ['20', '0', '99'],
  '%m': ['02', '2', '12', '13', '0', ' 2'],
  '%d': ['29', '1', '31', '32', '0', ' 3'],
  '%e': [' 9', '9', '29'],
  '%j': ['060', '1', '366', '367'],
  '%H': ['00', '23', '24', '7'],
  '%I': ['12', '01', '13', '0'],
  '%k': [' 7', '7', '23'],
  '%l': [' 7', '12', '13'],
  '%M': ['59', '0', '60'],
  '%S': ['59', '60', '61', '0'],
  '%p': ['AM', 'pm', 'Pm', 'A', 'am.'],
  '%P': ['am', 'PM'],
  '%b': ['Feb', 'FEB', 'february', 'mar', 'March'],
  '%B': ['February', 'feb', 'MAY', 'Sept'],
  '%h': ['Jan', 'january'],
  '%a': ['Mon', 'thursday', 'THU', 'x'],
  '%A': ['Thursday', 'thu', 'Mon'],
  '%F': ['2024-02-29', '2023-02-29', '2024-2-9'],
  '%T': ['12:34:56', '24:00:00', '1:2:3', '23:59:60'],
  '%R': ['12:34', '24:00'],
  '%D': ['02/29/24', '2/9/70'],
  '%x': ['02/29/24'],
  '%X': ['12:34:56'],
  '%c': ['Thu Feb 29 12:34:56 2024', 'Thu Feb  9 1:2:3 2024'],
  '%r': ['12:34:56 PM', '01:02:03 AM'],
  '%s': ['0', '1700000000', '-1', '253402300799', '253402300800', ' 5'],
  '%E3S': ['59.123', '59.1234', '59', '59.', '60.5'],
  '%E6S': ['01.123456', '1.5'],
  '%E*S': ['59.123456', '59.123456789', '59', '60.9'],
  '%E4Y': ['2024', '0001', '24', '10000'],
  '%z': ['+0530', '-08:00', '+05', 'Z', 'z', '+1400', '+1500', '-0860'],
  '%Ez': ['+05:30', '-0800', 'Z', '+14:01'],
  '%Z': ['UTC', 'America/New_York', 'utc', '+05:30', 'US/Eastern', 'Mars/Base'],
  '%Q': ['1', '4', '5'],
  '%U': ['08', '53'],
  '%W': ['09', '0'],
  '%V': ['09', '53', '0'],
  '%G': ['2024', '2020'],
  '%u': ['4', '7', '0'],
  '%w': ['4', '0', '7'],
  '%g': ['24'],
  '%n': ['\n', ' ', ''],
  '%t': ['\t', '  ', ''],
  '%%': ['%'],
  '%J': ['60', '366'],
  '%E': ['x'],
  '%EY': ['2024'],
  '%Od': ['29'],
  '%OH': ['12'],
};
const NAMES = Object.keys(ELEMENTS);
/** Formats that stored queries have. */
const USUAL: readonly (readonly string[])[] = [
  ['%Y', '-', '%m', '-', '%d'],
  ['%Y', '-', '%m', '-', '%d', ' ', '%H', ':', '%M', ':', '%S'],
  ['%F', 'T', '%T', '%Ez'],
  ['%d', '/', '%b', '/', '%Y', ':', '%T', ' ', '%z'],
  ['%I', ':', '%M', ' ', '%p'],
  ['%A', ', ', '%d', ' ', '%B', ' ', '%Y'],
  ['%Y', '-', '%m', '-', '%d', 'T', '%H', ':', '%M', ':', '%E*S', '%Ez'],
  ['%Y', '%m', '%d'],
  ['%s'],
  ['%F', ' ', '%T', ' ', '%Z'],
];

const withTime: Maker = (random) => {
  const pieces = random.chance(0.4)
    ? random.pick(USUAL)
    : random.several(1, 4, () =>
        random.chance(0.7) ? random.pick(NAMES) : random.pick([' ', '-', ':', '/', 'x', ',']),
      );
  const texts = pieces.map((piece) => {
    const samples = ELEMENTS[piece];
    return samples === undefined ? piece : random.chance(0.6) ? (samples[0] ?? '') : random.pick(samples);
  });
  const separator = random.pick(['', '', ' ']);
  const edge = () => random.pick(['', '', '', '', '', ' ', 'x']);
  return [
    pieces.join(random.chance(0.9) ? separator : ' '),
    `${edge()}${texts.join(separator)}${edge()}`,
    'UTC',
  ];
};

const CAST_ELEMENTS: Readonly<Record<string, Texts>> = {
  YYYY: ['2024', '24', '0001', '12024', '9999'],
  YYY: ['024', '2024'],
  YY: ['24', '70', '2024'],
  Y: ['4', '24'],
  RRRR: ['2024', '24', '99'],
  RR: ['24', '50', '49'],
  'Y,YYY': ['2,024', '2024'],
  MM: ['02', '2', '13', '0'],
  MON: ['FEB', 'Feb', 'february'],
  MONTH: ['FEBRUARY', 'Feb', 'may'],
  DD: ['29', '9', '32', '00'],
  DDD: ['060', '366', '1'],
  HH24: ['13', '24', '7'],
  HH12: ['01', '12', '13'],
  HH: ['01', '0'],
  MI: ['59', '60', '5'],
  SS: ['59', '60', '5'],
  SSSSS: ['00000', '86399', '86400'],
  FF3: ['123', '1', '1234'],
  FF9: ['123456789', '5'],
  FF: ['123456'],
  'A.M.': ['A.M.', 'p.m.', 'AM'],
  AM: ['AM', 'pm'],
  TZH: ['+05', '-08', '5', ' 05', '+15'],
  TZM: ['30', '60', '00'],
  '"x"': ['x', 'X'],
};
const CAST_USUAL: readonly (readonly string[])[] = [
  ['YYYY', '-', 'MM', '-', 'DD'],
  ['YYYY', '-', 'MM', '-', 'DD', ' ', 'HH24', ':', 'MI', ':', 'SS'],
  ['DD', ' ', 'MON', ' ', 'YYYY'],
  ['HH12', ':', 'MI', ' ', 'AM'],
  ['YYYY', '-', 'MM', '-', 'DD', 'T', 'HH24', ':', 'MI', ':', 'SS', 'TZH', ':', 'TZM'],
  ['MM', '/', 'DD', '/', 'RR'],
];
const withCastFormat: Maker = (random) => {
  const pieces = random.chance(0.5)
    ? random.pick(CAST_USUAL)
    : random.several(1, 4, () => random.pick([...Object.keys(CAST_ELEMENTS), ' ', '-', ':', '.']));
  const texts = pieces.map((piece) => {
    const samples = CAST_ELEMENTS[piece];
    return samples === undefined ? piece : random.chance(0.6) ? (samples[0] ?? '') : random.pick(samples);
  });
  const edge = () => random.pick(['', '', '', '', ' ', 'x']);
  return [`${edge()}${texts.join('')}${edge()}`, pieces.join('')];
};

const BYTES_FORMATS = [
  'HEX',
  'BASE64',
  'BASE64M',
  'BASE32',
  'BASE16',
  'BASE8',
  'BASE2',
  'ASCII',
  'UTF-8',
  'UTF8',
  'hex',
  'LATIN1',
];
const withBytesFormat: Maker = (random) => [
  random.pick([
    RANDOM_TEXTS.hex?.(random) ?? '',
    word(random),
    '0110',
    '00000001',
    '777',
    '12345670',
    '1',
    '',
  ]),
  random.pick(BYTES_FORMATS),
];

const MAKERS: readonly (readonly [RegExp, Maker])[] = [
  [
    /^(INSTR|STRPOS|REPLACE|STARTS_WITH|ENDS_WITH|SPLIT|L?TRIM|RTRIM|TRANSLATE|CONTAINS_SUBSTR|INITCAP|EDIT_DISTANCE)$/,
    withPart,
  ],
  [/^REGEXP_/, withPattern],
  [/^\$LIKE/, withLike],
  [/^(JSON_|\$JSON)/, withPaths],
  [/^PARSE_(DATE|DATETIME|TIME|TIMESTAMP)$/, withTime],
  [/^\$CAST_TO_(DATE|DATETIME|TIME|TIMESTAMP)$/, withCastFormat],
  [/^\$CAST_TO_BYTES$/, withBytesFormat],
];

/** Texts for the arguments of a call that fit each other; null for functions of which nothing is known. */
export function matchingTexts(name: string, random: Random): Texts | null {
  return MAKERS.find(([names]) => names.test(name))?.[1](random) ?? null;
}
