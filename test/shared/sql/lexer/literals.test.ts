import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tokenize } from '../../../../shared/sql/lexer/lexer.ts';
import { serviceErrorOf } from '../support/service-error.ts';

const { raw } = String;

/** The value of the one token that a text is. */
function literalOf(kind: string, text: string): string {
  const [token, end, ...more] = tokenize(text);
  expect([token?.kind, end?.kind, more]).toEqual([kind, 'end', []]);
  expect([token?.at, token?.end]).toEqual([0, text.length]);
  return token?.value ?? '';
}

describe('a string literal', () => {
  test.each<[string, string]>([
    [`''`, ''],
    [`""`, ''],
    [`'a"b'`, 'a"b'],
    [`"it's"`, "it's"],
    [`'''it's'''`, "it's"],
    [`"""say "hi" now"""`, 'say "hi" now'],
    [`''''''`, ''],
    [`""""""`, ''],
    [`'''a''b'''`, "a''b"],
    ["'''a\nb'''", 'a\nb'],
    ["'''a\r\nb\rc'''", 'a\nb\nc'],
    ["'é\u{1F600}\u2028'", 'é\u{1F600}\u2028'],
    ["'-- # /* not a comment */ ;'", '-- # /* not a comment */ ;'],
    [raw`'\a\b\f\n\r\t\v'`, '\x07\b\f\n\r\t\v'],
    ["'\\\\\\?\\\"\\'\\`'", '\\?"\'`'],
    [raw`"\'\""`, `'"`],
    [raw`'''\''''`, "'"],
    [raw`'\000\101\377'`, '\0A\u00ff'],
    [raw`'\x00\x41\X7f\xFF'`, '\0A\x7f\u00ff'],
    [raw`'\u0041\u00e9\uFFFF'`, 'Aé\uffff'],
    [raw`'\U00000041\U0001F600\U0010FFFF'`, 'A\u{1F600}\u{10FFFF}'],
    [raw`'\1011'`, 'A1'],
    [raw`'\x411'`, 'A1'],
    [raw`'\\n'`, raw`\n`],
  ])('%s is read', (text, value) => {
    expect(literalOf('string', text)).toBe(value);
  });

  test.each<[string, string]>([
    [raw`r'\n'`, raw`\n`],
    [raw`R"\x41\u"`, raw`\x41\u`],
    [raw`r'\''`, raw`\'`],
    [raw`r"\""`, raw`\"`],
    [raw`r'\\'`, raw`\\`],
    [raw`r'''a\'''b'''`, raw`a\'''b`],
    ["r'''a\nb'''", 'a\nb'],
    ["r'\\\u{1F600}'", '\\\u{1F600}'],
  ])('%s is raw: a backslash stays, and takes what follows with it', (text, value) => {
    expect(literalOf('string', text)).toBe(value);
  });

  test.each<[string, string, number]>([
    [`'`, 'Unclosed string literal', 1],
    [`'a`, 'Unclosed string literal', 1],
    [`"a'`, 'Unclosed string literal', 1],
    ["'a\nb'", 'Unclosed string literal', 1],
    ["'a\rb'", 'Unclosed string literal', 1],
    [raw`'\'`, 'Unclosed string literal', 1],
    [raw`r'\'`, 'Unclosed string literal', 1],
    [raw`r'\\\'`, 'Unclosed string literal', 1],
    [`'''a''`, 'Unclosed triple-quoted string literal', 1],
    [`"""a'''`, 'Unclosed triple-quoted string literal', 1],
    [raw`r'''\'''`, 'Unclosed triple-quoted string literal', 1],
    [`b'a`, 'Unclosed bytes literal', 1],
    [raw`'a\c'`, raw`Illegal escape sequence: \c`, 3],
    [raw`'\N'`, raw`Illegal escape sequence: \N`, 2],
    [raw`'\8'`, raw`Illegal escape sequence: \8`, 2],
    [raw`'\0'`, raw`Illegal escape sequence: \0`, 2],
    [raw`'\400'`, raw`Illegal escape sequence: \4`, 2],
    [raw`'\18a'`, raw`Illegal escape sequence: \1`, 2],
    [raw`'\x4'`, raw`Illegal escape sequence: \x`, 2],
    [raw`'\xg0'`, raw`Illegal escape sequence: \x`, 2],
    [raw`'\u004'`, raw`Illegal escape sequence: \u`, 2],
    [raw`'\U0041'`, raw`Illegal escape sequence: \U`, 2],
    [raw`'\ud800'`, raw`Illegal escape sequence: \u`, 2],
    [raw`'\uDFFF'`, raw`Illegal escape sequence: \u`, 2],
    [raw`'\ud83d\ude00'`, raw`Illegal escape sequence: \u`, 2],
    [raw`'\U0000D800'`, raw`Illegal escape sequence: \U`, 2],
    [raw`'\U00110000'`, raw`Illegal escape sequence: \U`, 2],
    [raw`b'\u0041'`, raw`Illegal escape sequence: \u`, 3],
    [raw`b'\U00000041'`, raw`Illegal escape sequence: \U`, 3],
    [raw`b'é\q'`, raw`Illegal escape sequence: \q`, 4],
    ["'''a\r\nb\\q'''", raw`Illegal escape sequence: \q`, 2],
    [`'a''b'`, 'must be separated by whitespace', 4],
    [`'a'r"b"`, 'must be separated by whitespace', 4],
    [`b'a'b'b'`, 'must be separated by whitespace', 5],
  ])('%j is refused', (text, message, column) => {
    const error = serviceErrorOf(() => tokenize(text));
    expect(error.message).toContain(message);
    expect(error.details[0]?.column).toBe(column);
  });

  test('stands beside others that white space or a comment separates', () => {
    expect(tokenize(`'a' 'b'/**/"c"\n'''d'''`).map(({ value }) => value)).toEqual(['a', 'b', 'c', 'd', '']);
  });

  const anyText = fc.string({
    unit: fc.constantFrom(
      'a',
      "'",
      '"',
      '`',
      '\\',
      '\n',
      '\r',
      '\0',
      'é',
      '\u{1F600}',
      '\u2028',
      '#',
      '-',
      '*',
      '/',
    ),
  });

  test('of any text, every character escaped by number, has that text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
        fc.constantFrom(`'`, `"`, `'''`, `"""`),
        (text, quote) => {
          const escaped = [...text].map(
            (one) => `\\U${(one.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
          );
          expect(literalOf('string', quote + escaped.join('') + quote)).toBe(text);
        },
      ),
    );
  });

  test('of any text, what has to be escaped escaped by letter, has that text', () => {
    const letters: Readonly<Record<string, string>> = {
      '\n': 'n',
      '\r': 'r',
      '\\': '\\',
      "'": "'",
      '"': '"',
    };
    fc.assert(
      fc.property(anyText, fc.constantFrom(`'`, `"`, `'''`, `"""`), (text, quote) => {
        const escaped = text.replace(/[\n\r\\'"]/g, (one) => `\\${letters[one]}`);
        expect(literalOf('string', quote + escaped + quote)).toBe(text);
      }),
    );
  });
});

describe('a bytes literal', () => {
  test.each<[string, string]>([
    [`b''`, ''],
    [`B"a"`, 'a'],
    [raw`b'\x00\xff\377'`, '\0\u00ff\u00ff'],
    [`b'é'`, '\u00c3\u00a9'],
    [`b'\u{1F600}'`, '\u00f0\u009f\u0098\u0080'],
    [raw`rb'\x'`, raw`\x`],
    [raw`bR"\x"`, raw`\x`],
    [raw`Br'''\''''`, raw`\'`],
    ["b'''a\r\nb'''", 'a\nb'],
  ])('%s is read', (text, value) => {
    expect(literalOf('bytes', text)).toBe(value);
  });

  test('of any bytes in hexadecimal has those bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const escaped = [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
        expect(literalOf('bytes', `b'${escaped}'`)).toBe(Buffer.from(bytes).toString('latin1'));
      }),
    );
  });
});

describe('an identifier', () => {
  test.each<[string, string, string]>([
    ['a', 'name', 'a'],
    ['_', 'name', '_'],
    ['Ab_9', 'name', 'Ab_9'],
    ['rb', 'name', 'rb'],
    ['`a b`', 'quoted', 'a b'],
    ['`select`', 'quoted', 'select'],
    ['`a.b`', 'quoted', 'a.b'],
    ['`é\u{1F600}`', 'quoted', 'é\u{1F600}'],
    ['`a\\`b`', 'quoted', 'a`b'],
    ['`\\x41\\u0042\\103`', 'quoted', 'ABC'],
    ["`'`", 'quoted', "'"],
    ['`--`', 'quoted', '--'],
  ])('%s is read', (text, kind, value) => {
    expect(literalOf(kind, text)).toBe(value);
  });

  test.each<[string, string]>([
    ['``', 'Invalid empty identifier'],
    ['`', 'Unclosed identifier literal'],
    ['`a', 'Unclosed identifier literal'],
    ['`a\nb`', 'Unclosed identifier literal'],
    ['`a\\`', 'Unclosed identifier literal'],
    ['`\\q`', 'Illegal escape sequence'],
    ['é', 'Illegal input character "é"'],
    ['aé', 'Illegal input character "é"'],
    ['\u{1F600}', 'Illegal input character "\u{1F600}"'],
    ['\\', 'Illegal input character'],
    ['\0', 'Illegal input character'],
    ['\ufeff1', 'Illegal input character'],
  ])('%j is refused', (text, message) => {
    expect(serviceErrorOf(() => tokenize(text)).message).toContain(message);
  });

  test('of any characters in backquotes has those characters', () => {
    const characters = fc.string({
      unit: fc.constantFrom('a', '`', '\\', ' ', '.', "'", 'é', '\u{1F600}'),
      minLength: 1,
    });
    fc.assert(
      fc.property(characters, (name) => {
        expect(literalOf('quoted', `\`${name.replace(/[`\\]/g, '\\$&')}\``)).toBe(name);
      }),
    );
  });
});

describe('a number', () => {
  test.each(['0', '007', '123456789012345678901234567890', '0x1F', '0Xff'])('%s is whole', (text) => {
    expect(literalOf('integer', text)).toBe(text);
  });

  test.each(['1.', '.5', '1.5', '1e3', '1E+3', '1.e-3', '.5e10', '0.0'])('%s is a fraction', (text) => {
    expect(literalOf('float', text)).toBe(text);
  });

  test.each(['1a', '1_000', '0x', '0xg', '1e', '1e+', '1.5.5x', '0b1'])('%s is refused', (text) => {
    expect(serviceErrorOf(() => tokenize(text)).message).toContain(
      'Missing whitespace between literal and alias',
    );
  });
});
