import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tokenize } from '../../../../shared/sql/lexer/lexer.ts';
import { namedParameters } from '../../../../shared/sql/lexer/named-parameters.ts';
import { serviceErrorOf, toleratingRefusal } from '../support/service-error.ts';

const tokens = (sql: string) =>
  tokenize(sql)
    .slice(0, -1)
    .map(({ kind, value }) => `${kind} ${value}`);

describe('between tokens', () => {
  test.each<[string, string, string[]]>([
    [
      'comments of three kinds',
      '1 # a\n2 -- b\n3 /* c\n */ 4',
      ['integer 1', 'integer 2', 'integer 3', 'integer 4'],
    ],
    ['a comment at the end', '1 -- end', ['integer 1']],
    ['a comment that holds quotes', '1 -- it\'s\n, 2 /* " */', ['integer 1', 'symbol ,', 'integer 2']],
    ['comments that do not nest', '/* a /* b */ c', ['name c']],
    ['a shortest comment', '1/**/2', ['integer 1', 'integer 2']],
    ['a comment that only looks closed', '/*/ 1 */ 2', ['integer 2']],
    ['minus and a comment', '1 - -- x\n 2', ['integer 1', 'symbol -', 'integer 2']],
    [
      'every ASCII white space',
      '1\t2\n3\r4\f5\v6\b7',
      ['1', '2', '3', '4', '5', '6', '7'].map((one) => `integer ${one}`),
    ],
    ['nothing', '', []],
    ['only white space', ' \n ', []],
  ])('%s is skipped', (_, sql, expected) => {
    expect(tokens(sql)).toEqual(expected);
  });

  test.each(['/*', '/* a', '/*/', '1 /* /* */ /* '])('%j is refused, a comment without an end', (sql) => {
    expect(serviceErrorOf(() => tokenize(sql)).message).toMatch(
      /^Syntax error: Unclosed comment \(line 1, column \d+\)$/,
    );
  });
});

describe('symbols', () => {
  test.each<[string, string[]]>([
    ['a.b', ['name a', 'symbol .', 'name b']],
    ['a . b', ['name a', 'symbol .', 'name b']],
    ['a<=b<>c!=d', ['name a', 'symbol <=', 'name b', 'symbol <>', 'name c', 'symbol !=', 'name d']],
    [
      '<< >> || |> => ->',
      ['symbol <<', 'symbol >', 'symbol >', 'symbol ||', 'symbol |>', 'symbol =>', 'symbol ->'],
    ],
    [
      'array<array<int64>>',
      ['name array', 'symbol <', 'name array', 'symbol <', 'name int64', 'symbol >', 'symbol >'],
    ],
    ['@{a=1}', ['symbol @{', 'name a', 'symbol =', 'integer 1', 'symbol }']],
    ['?;', ['symbol ?', 'symbol ;']],
  ])('%s are distinguished', (sql, expected) => {
    expect(tokens(sql)).toEqual(expected);
  });
});

describe('parameters', () => {
  test.each<[string, string[]]>([
    ['@a', ['parameter a']],
    ['@ a', ['parameter a']],
    ['@/* c */a', ['parameter a']],
    ['@select', ['parameter select']],
    ['@`a b`', ['parameter a b']],
    ['@@time_zone', ['system time_zone']],
    ['@@ x', ['system x']],
    ['@1', ['symbol @', 'integer 1']],
    ['@', ['symbol @']],
    ["'@a' -- @b", ['string @a']],
  ])('%s', (sql, expected) => {
    expect(tokens(sql)).toEqual(expected);
  });

  test('are listed once each, in order, and not out of text or comments', () => {
    const sql = "select @b, @ a, '@c', `@d`, @@e, @B -- @f\n from t where x = @b /* @g */ # @h";
    expect(namedParameters(sql)).toEqual(['b', 'a', 'B']);
    expect(namedParameters('select 1')).toEqual([]);
  });
});

describe('the limits of a query', () => {
  test('are 64 KiB of UTF-8', () => {
    expect(tokens(`1${' '.repeat(65_535)}`)).toEqual(['integer 1']);
    expect(tokens(`'${'é'.repeat(32_767)}'`)).toHaveLength(1);
    const message = 'The query is longer than 65536 bytes; shorten it.';
    expect(serviceErrorOf(() => tokenize(' '.repeat(65_537))).message).toBe(message);
    expect(serviceErrorOf(() => tokenize(`'${'é'.repeat(32_768)}'`)).message).toBe(message);
  });

  test('are 10,000 tokens', () => {
    expect(tokens('1 '.repeat(10_000))).toHaveLength(10_000);
    expect(tokens(`${'1 '.repeat(10_000)}-- end`)).toHaveLength(10_000);
    expect(serviceErrorOf(() => tokenize('1 '.repeat(10_001))).message).toBe(
      'The query has more than 10000 tokens; shorten it (line 1, column 20001)',
    );
  });

  test('leave no half of a character', () => {
    expect(serviceErrorOf(() => tokenize("'\ud800'")).message).toBe(
      'Syntax error: The query is not valid Unicode text (line 1, column 2)',
    );
    expect(serviceErrorOf(() => tokenize('-- \udc00')).details).toEqual([{ line: 1, column: 4 }]);
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...[
      "'",
      '"',
      '`',
      '\\',
      '\n',
      '\r',
      ' ',
      '--',
      '#',
      '/*',
      '*/',
      '@',
      '.',
      '1',
      'e',
      'x',
      '0x',
      'r',
      'b',
      'select',
      '(',
      ')',
      '>',
      '<',
      '|',
      '=',
      '{',
      'é',
      '\u{1F600}',
      '\u00a0',
      '\0',
      '\ud800',
      ';',
    ],
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 40 }).map((list) => list.join('')),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );

  test('has tokens or is refused with a place, and nothing else', () => {
    fc.assert(
      fc.property(texts, (text) => {
        toleratingRefusal(() => tokenize(text));
      }),
      { numRuns: 5000 },
    );
  });

  test('is covered by its tokens, white space and comments, in order', () => {
    fc.assert(
      fc.property(texts, (text) => {
        toleratingRefusal(() => {
          let at = 0;
          for (const token of tokenize(text)) {
            const gap = text.slice(at, token.at);
            expect(tokenize(gap)).toHaveLength(1);
            expect(token.end).toBeGreaterThanOrEqual(token.at);
            at = token.end;
          }
          expect(at).toBe(text.length);
        });
      }),
      { numRuns: 5000 },
    );
  });

  test('has the same tokens again where it is cut at one and put together with a space', () => {
    const words = fc.constantFrom(
      "'a'",
      '"b"',
      "r'\\''",
      "b'c'",
      '`d e`',
      'f',
      '@g',
      '1',
      '2.5',
      '0x1',
      '(',
      ')',
      '+',
      '<=',
      '||',
      '|>',
      ',',
      ';',
      '/* x */',
      '-- y\n',
      '# z\n',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 20 }), (list) => {
        expect(tokens(list.join(' '))).toEqual(list.flatMap((word) => tokens(word)));
      }),
    );
  });
});

describe('64 KiB of hostile text', () => {
  test.each<[string, string]>([
    ['quotes', "'".repeat(65_536)],
    ['backquotes', '`'.repeat(65_536)],
    ['backslashes in a string', `'${'\\'.repeat(65_534)}'`],
    ['openings of comments', '/*'.repeat(32_768)],
    ['openings of line comments', '--\n'.repeat(21_845)],
    ['almost triple quotes', `'''${"''\\".repeat(21_840)}`],
    ['digits', '9'.repeat(65_536)],
    ['exponents', '1e'.repeat(32_768)],
    ['parameter signs', '@ '.repeat(32_768)],
    ['line ends before a fault', `${'\n'.repeat(65_000)}\\`],
    ['carriage returns before a fault', `${'\r'.repeat(65_000)}\\`],
    ['escapes', `'${'\\U0001F600'.repeat(6_500)}'`],
    ['letters', 'r'.repeat(65_536)],
  ])('is read or refused: %s', (_, text) => {
    expect(() => toleratingRefusal(() => tokenize(text))).not.toThrow();
  });
});
