import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { tokenize } from '../../../../shared/sql/lexer/lexer.ts';

function tokens(sql: string): string[] {
  return tokenize(sql)
    .filter(({ kind }) => kind !== 'end')
    .map(({ kind, value }) => `${kind} ${value}`);
}

describe('the lexer', () => {
  test.each([
    ['a raw string with an escaped quote', String.raw`r'\''`, [String.raw`string \'`]],
    ['a raw string with an escaped CR LF', "r'\\\r\n'", ['string \\\r\n']],
    ['line ends in triple quotes', "'''a\r\nb\rc'''", ['string a\nb\nc']],
    ['an escaped CR in raw triple quotes', "r'''\\\r\r\n'''", ['string \\\r\n']],
    ['a comment that ends at CR', '1 -- x\r 2', ['integer 1', 'integer 2']],
    ['comments that do not nest', '/* /* */ 1', ['integer 1']],
    ['white space of all kinds', '1\f\v\b\u00a0\u2003\u202f\u205f\u30002', ['integer 1', 'integer 2']],
    ['numbers', '1. .5 1.5e-3 0xFF', ['float 1.', 'float .5', 'float 1.5e-3', 'integer 0xFF']],
    ['a dot after a reserved word', 'select .5', ['name select', 'float .5']],
    ['parameters with white space', '@ x @`a b`', ['parameter x', 'parameter a b']],
    ['bytes', String.raw`b'\xffé' rb'\x'`, ['bytes \u00ff\u00c3\u00a9', String.raw`bytes \x`]],
    ['escapes', String.raw`'\101\x41\u0041\U00000041\?'`, ['string AAAA?']],
  ])('reads %s', (_, sql, expected) => {
    expect(tokens(sql)).toEqual(expected);
  });

  test.each([
    ['a line separator between tokens', '1 \u2028 2', 'Illegal input character'],
    ['a paragraph separator between tokens', '1 \u2029 2', 'Illegal input character'],
    ['an Ogham space between tokens', '1 \u1680 2', 'Illegal input character'],
    ['a zero-width space', '1 \u200b 2', 'Illegal input character'],
    ['a comment without an end', '1 /* 2', 'Unclosed comment'],
    ['an escaped line end', "'\\\n'", 'Illegal escape sequence'],
    ['a line end in a string', "'\n'", 'Unclosed string literal'],
    ['a number as a field, which a float would swallow', 'a .5e-3', 'Illegal input character'],
    ['a name that touches a number', '1a', 'Missing whitespace'],
    ['literals that touch', "'a''b'", 'must be separated by whitespace'],
    ['a surrogate by number', String.raw`'\ud800'`, 'Illegal escape sequence'],
  ])('refuses %s', (_, sql, message) => {
    expect(() => tokenize(sql)).toThrow(ServiceError);
    expect(() => tokenize(sql)).toThrow(message);
  });
});
