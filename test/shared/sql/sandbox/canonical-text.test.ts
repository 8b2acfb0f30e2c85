import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tokenize } from '../../../../shared/sql/lexer/lexer.ts';
import { parseStatement } from '../../../../shared/sql/parser/parse-query.ts';
import { canonicalText } from '../../../../shared/sql/sandbox/canonical-text.ts';
import { ACCEPTED } from './support/accepted.ts';

const canonical = (text: string) => canonicalText(tokenize(text));
const meaning = (text: string) => tokenize(text).map(({ kind, value }) => [kind, value]);

/** A tree without the places of its nodes. */
const shape = (text: string) =>
  JSON.parse(JSON.stringify(parseStatement(text), (key, value) => (key === 'at' ? undefined : value)));

describe('canonical text', () => {
  test.each([
    ['comments', 'select 1 -- a\n, 2 # b\n, /* c */ 3', 'select 1 , 2 , 3'],
    ['blanks', ' select\t1\n\n,2\u00a0, 3 ', 'select 1 , 2 , 3'],
    [
      'quotes of all kinds',
      `select "a'b", 'a"b', '''a'b''', """a"b"""`,
      String.raw`select 'a\'b' , 'a"b' , 'a\'b' , 'a"b'`,
    ],
    [
      'raw strings',
      String.raw`select r'\'', r"\n", R'''a\'''', r'\d+'`,
      String.raw`select '\\\'' , '\\n' , 'a\\\'' , '\\d+'`,
    ],
    [
      'escapes',
      String.raw`select '\a\x41\101\u0041\U00000041\?\"\t\r\n\\'`,
      String.raw`select '\u0007AAAA?"\t\r\n\\'`,
    ],
    ['lines in strings', "select '''a\r\nb\rc'''", String.raw`select 'a\nb\nc'`],
    [
      'characters out of sight',
      "select 'a\u200bb\u00a0c\u202ed\u{e0001}'",
      String.raw`select 'a\u200bb\u00a0c\u202ed\U000e0001'`,
    ],
    ['other scripts', "select 'größe 日本語 💩 ẞ é'", "select 'größe 日本語 💩 ẞ é'"],
    [
      'bytes',
      String.raw`select b'aé', rb'\x', b"\x00\377", B''`,
      String.raw`select b'\x61\xc3\xa9' , b'\x5c\x78' , b'\x00\xff' , b''`,
    ],
    [
      'quoted names',
      String.raw`select ${'`'}a${'`'}, ${'`'}select${'`'}, ${'`'}a\x60b\n${'`'}`,
      'select `a` , `select` , `a\\`b\\n`',
    ],
    ['names as they are', 'SELECT Id FROM Edge_Logs', 'SELECT Id FROM Edge_Logs'],
    ['numbers', 'select 0x1F, 1., .5, 1e10, 1.5E-3, 007', 'select 0x1F , 1. , .5 , 1e10 , 1.5E-3 , 007'],
    [
      'parameters',
      'select @a, @ b, @/* c */c, @`d`, @`e-f`, @select',
      'select @a , @b , @c , @d , @`e-f` , @select',
    ],
    ['paths', 'select a . b, a.*, f(x).y, z[0] . w, @p.q', 'select a.b , a.* , f ( x ).y , z [ 0 ].w , @p.q'],
    ['shifts', 'select 8>>1, 8 >> 1, 1<<2', 'select 8 >> 1 , 8 >> 1 , 1 << 2'],
    ['types', 'select cast(x as array<struct<a int64>>)', 'select cast ( x as array < struct < a int64 >> )'],
    ['two comparisons', 'select a > > b', 'select a > > b'],
    ['strings one after the other', "select 'a' -- x\n 'b'", "select 'a' 'b'"],
  ])('of %s', (_, text, expected) => {
    expect(canonical(text)).toBe(expected);
    expect(meaning(expected)).toEqual(meaning(text));
  });

  test.each(ACCEPTED)('reads as the same query: $why', ({ sql }) => {
    expect(shape(canonical(sql))).toEqual(shape(sql));
  });
});

/** Pieces of text between which the lexer has to decide. */
const piece = fc.oneof(
  fc.constantFrom(
    ...`select from a e1 r b rb br _x 1 .5 5. 1e3 0x1f 'a' "b" '''c''' """d""" r'\\'' b'\\xff' \`q\` \`r s\` @p @\`p q\` @@v @{ @ ? . , ; : ( ) [ ] { }
    < > >> >= <= <> != = || | |> => -> - -- /* */ # + * / ~ & ^ ! % $`.split(/\s+/),
  ),
  fc.constantFrom(' ', '\n', '\t', '\r', '\u00a0', ''),
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => `'${text.replaceAll(/['\\\n\r]/g, '')}'`),
  fc.string({ unit: 'binary', maxLength: 4 }).map((text) => `'${text.replaceAll(/['\\\n\r]/g, '')}'`),
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => `\`x${text.replaceAll(/[`\\\n\r]/g, '')}\``),
);

const lexable = fc
  .array(piece, { maxLength: 30 })
  .map((pieces) => pieces.join(''))
  .filter((text) => {
    try {
      tokenize(text);
      return true;
    } catch {
      return false;
    }
  });

describe('for any text that has tokens, canonical text', () => {
  test('has the same tokens', () => {
    fc.assert(
      fc.property(lexable, (text) => {
        expect(meaning(canonical(text))).toEqual(meaning(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('is its own canonical text', () => {
    fc.assert(
      fc.property(lexable, (text) => {
        expect(canonical(canonical(text))).toBe(canonical(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('keeps every string and name, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (value) => {
        for (const kind of ['string', 'quoted'] as const) {
          const text = canonicalText([{ kind, value, at: 0, end: 1 }]);
          expect(meaning(text)).toEqual([
            [kind, value],
            ['end', ''],
          ]);
          expect(text).toMatch(/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
