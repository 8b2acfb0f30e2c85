import fc from 'fast-check';
import { RE2JS } from 're2js';
import type { Value } from './events.ts';
import type { ScalarType } from './schema.ts';

/** Texts that end quotes early, look like keywords or sort in surprising places. */
const TEXTS = [
  '',
  ' ',
  'NULL',
  'null',
  'true',
  '5',
  '-5',
  '0.5',
  '57P01',
  '641c59c7',
  '2024-02-29',
  '%',
  '_',
  '.*',
  '\\',
  '\\\\',
  '"',
  '\\"',
  "' OR 1=1 --",
  '`',
  '@v',
  '?',
  'a"b\\c',
  'été',
  'ъ',
  '日本',
  '\u{1F600}',
  '\uFFFD',
  'a\nb',
  '(',
  ')',
  ')(',
] as const;

const PATTERNS = [
  '.',
  '^$',
  '^',
  'a|o',
  '[0-9]+',
  '\\d\\d',
  '(?i)POST|Error',
  '(?s)S.*x',
  '\\\\',
  '"',
  'é',
  '^.{4}$',
  '\\bcurl',
  '[^ -~]',
] as const;

/** Texts of a type: what the data has, what lies beside it, and what is far away. */
export function generateText(type: ScalarType, values: readonly Value[]): fc.Arbitrary<string> {
  const present = textsOf(values);
  const sample = fc.constantFrom(...(present.length === 0 ? ['0'] : present));
  switch (type) {
    case 'BOOL':
      return fc.constantFrom('true', 'false');
    case 'INT64':
      return fc.oneof(
        { weight: 4, arbitrary: sample },
        fc.tuple(sample, fc.constantFrom(-1n, 1n)).map(([text, step]) => String(BigInt(text) + step)),
        fc.constantFrom(
          '0',
          '-0',
          '-1',
          '007',
          '9007199254740993',
          '9223372036854775807',
          '-9223372036854775808',
        ),
      );
    case 'FLOAT64':
      return fc.oneof(
        { weight: 4, arbitrary: sample },
        fc.constantFrom(
          '0',
          '-0.0',
          '5',
          '5.0',
          '0.1',
          '4.999999999999999999',
          '98765.4321',
          '-1',
          '1000000',
        ),
      );
    default:
      return fc.oneof(
        { weight: 4, arbitrary: sample },
        { weight: 1, arbitrary: generatePart(present) },
        { weight: 1, arbitrary: fc.constantFrom(...TEXTS) },
      );
  }
}

/** Two bounds that can stand unquoted: two numbers, or two dates or datetimes. */
export function generateBounds(
  type: ScalarType,
  values: readonly Value[],
): fc.Arbitrary<readonly [string, string]> {
  const numbers = [...textsOf(values).filter((text) => /^\d+(?:\.\d+)?$/.test(text)), '0', '99', '500'];
  const pair = fc.tuple(fc.constantFrom(...numbers), fc.constantFrom(...numbers));
  if (type !== 'STRING') return pair;
  const date = fc.constantFrom(
    '2024-02-27',
    '2024-02-28T12:00:00Z',
    '2024-03-02',
    '2024-03-06T13:00:20',
    '2025-01-01',
  );
  return fc.oneof(pair, fc.tuple(date, date));
}

/** A part of one of some texts. */
export function generatePart(texts: readonly string[]): fc.Arbitrary<string> {
  const part = fc
    .tuple(fc.constantFrom(...texts, 'x'), fc.nat(60), fc.integer({ min: 1, max: 12 }))
    .map(([text, from, length]) =>
      [...text]
        .slice(from % Math.max(text.length, 1))
        .slice(0, length)
        .join(''),
    );
  return fc.oneof({ weight: 4, arbitrary: part }, { weight: 1, arbitrary: fc.constantFrom(...TEXTS) });
}

/** Patterns that RE2 reads, most of them made of parts of some texts. */
export function generatePattern(texts: readonly string[]): fc.Arbitrary<string> {
  const quoted = generatePart(texts).map((text) => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  const anchored = fc
    .tuple(fc.constantFrom('', '', '^', '.'), quoted, fc.constantFrom('', '', '$', '+', '?', '|GET'))
    .map((parts) => parts.join(''))
    .filter(isPattern);
  return fc.oneof({ weight: 2, arbitrary: anchored }, { weight: 1, arbitrary: fc.constantFrom(...PATTERNS) });
}

/** The scalars among some values as texts, each once. */
export function textsOf(values: readonly Value[]): string[] {
  return [...new Set(values.filter((value) => value !== null && typeof value !== 'object').map(String))];
}

function isPattern(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
}
