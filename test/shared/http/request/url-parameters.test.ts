import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { parseUrlParameters } from '../../../../shared/http/request/url-parameters.ts';

function parsed(query: string): unknown {
  return Object.fromEntries(parseUrlParameters(query));
}

describe('parseUrlParameters', () => {
  test.each([
    ['', {}],
    ['a=1', { a: ['1'] }],
    ['a=1&b=2', { a: ['1'], b: ['2'] }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a', { a: [''] }],
    ['a=', { a: [''] }],
    ['=1', { '': ['1'] }],
    ['&&a=1&', { a: ['1'] }],
    ['a=b=c', { a: ['b=c'] }],
    ['a=b+c', { a: ['b c'] }],
    ['a=b%2Bc', { a: ['b+c'] }],
    ['a%20b=c', { 'a b': ['c'] }],
    ['a=%2525', { a: ['%25'] }],
    ['a=%F0%9F%92%A9', { a: ['💩'] }],
    ['a=%00', { a: ['\0'] }],
    ['a=1;b=2', { a: ['1;b=2'] }],
    ['a[]=1', { 'a[]': ['1'] }],
  ])('reads %p', (query, expected) => {
    expect(parsed(query)).toEqual(expected);
  });

  test.each([
    ['a lone percent sign', 'a=100%'],
    ['an escape of one digit', 'a=%2'],
    ['an escape without hexadecimal digits', 'a=%zz'],
    ['a byte that starts no character', 'a=%FF'],
    ['a character cut short', 'a=%E2%82'],
    ['an overlong encoding', 'a=%C0%AF'],
    ['half of a surrogate pair', 'a=%ED%A0%80'],
  ])('refuses %s and names the parameter', (_, query) => {
    expect(() => parseUrlParameters(query)).toThrow(
      expect.objectContaining({ code: 400, details: [{ parameter: 'a' }] }),
    );
  });

  test('refuses a name that cannot be decoded', () => {
    expect(() => parseUrlParameters('%zz=1')).toThrow(
      expect.objectContaining({ code: 400, message: expect.stringContaining('parameter name') }),
    );
  });

  test('keeps names that objects give a meaning to as plain names', () => {
    const parameters = parseUrlParameters('__proto__=1&constructor=2&toString=3');
    expect([...parameters.keys()]).toEqual(['__proto__', 'constructor', 'toString']);
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });

  test('reads back whatever URLSearchParams writes', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (entries) => {
        const parameters = parseUrlParameters(new URLSearchParams(entries).toString());
        expect([...parameters.keys()]).toEqual([...new Set(entries.map(([name]) => name))]);
        for (const [name, values] of parameters) {
          expect(values).toEqual(entries.filter((entry) => entry[0] === name).map((entry) => entry[1]));
        }
      }),
    );
  });

  test('either reads a text as WHATWG does or refuses it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab=&+%20fFzE9\u{7f}') }), (query) => {
        const outcome = attempt(() => parseUrlParameters(query));
        if (outcome instanceof ServiceError) return expect(outcome.code).toBe(400);
        const names = [...new URLSearchParams(query).keys()];
        expect([...(outcome?.keys() ?? [])]).toEqual([...new Set(names)]);
        for (const name of names) expect(outcome?.get(name)).toEqual(new URLSearchParams(query).getAll(name));
      }),
    );
  });
});

function attempt(read: () => ReadonlyMap<string, readonly string[]>) {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
