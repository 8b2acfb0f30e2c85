import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeRedactor, OPTIONAL_KINDS, type RedactionKind } from '../../../shared/privacy/redactor.ts';

function redact(kind: RedactionKind, text: string): string {
  return makeRedactor([kind]).text(text).text;
}

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

describe('what is redacted besides addresses of machines', () => {
  test.each<[RedactionKind, string, string, string]>([
    ['email', 'an address', 'from jane.doe+x@mail.example.com.', 'from REDACTED.'],
    ['email', 'one in angle brackets', 'Jane <jane@example.com>', 'Jane <REDACTED>'],
    ['email', 'one in a URL', '/login?email=jane%40example.com&x=1', '/login?email=REDACTED&x=1'],
    ['email', 'two', 'a@b.io,c@d.io', 'REDACTED,REDACTED'],
    ['email', 'one with letters of any script', 'jürgen@müller.example', 'REDACTED'],
    ['email', 'one with a quoted local part', '"a;b"@example.com', 'REDACTED'],
    ['email', 'one with a top-level domain in Punycode', 'a@b.xn--p1ai', 'REDACTED'],
    ['credential', 'a bearer token', 'Authorization: Bearer abcdef-123456', 'Authorization: Bearer REDACTED'],
    ['credential', 'one in a URL', 'auth=bearer%20abc.def~ghi', 'auth=bearer%20REDACTED'],
    ['credential', 'a JSON Web Token', `apikey=${JWT};`, 'apikey=REDACTED;'],
    ['credential', 'one as a bearer', `Bearer ${JWT}`, 'Bearer REDACTED'],
    ['credential', 'one without a signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', 'REDACTED'],
    ['card', 'a card number', 'paid by 4111111111111111', 'paid by REDACTED'],
    ['card', 'one in groups', '4111 1111 1111 1111', 'REDACTED'],
    ['card', 'one with hyphens', '5500-0055-5555-5559', 'REDACTED'],
    ['card', 'one behind another number', 'order 42 4111 1111 1111 1111 7', 'order 42 REDACTED 7'],
    ['card', 'one of 15 digits', '378282246310005', 'REDACTED'],
    ['card', 'one of the series that begins with 2', '2223003122003222', 'REDACTED'],
    ['phone', 'a phone number', 'call +14155550123!', 'call REDACTED!'],
    ['phone', 'one in a URL', '?phone=%2B4915123456789', '?phone=REDACTED'],
  ])('%s: %s', (kind, _, text, expected) => {
    expect(redact(kind, text)).toBe(expected);
  });

  test.each<[RedactionKind, string, string]>([
    ['email', 'a package with its version', 'left-pad@1.3.0'],
    ['email', 'a handle', 'thanks @jane.doe'],
    ['email', 'a host without a domain', 'root@localhost'],
    ['email', 'a lone sign', 'a @ b.com'],
    ['credential', 'the word', 'the bearer of this'],
    ['credential', 'a longer word', 'forbearer abcdefghijk'],
    ['credential', 'Base64 of something else', 'eyJhbGciOiJIUzI1NiJ9'],
    ['card', 'a wrong check digit', '4111111111111112'],
    ['card', 'microseconds since the epoch', '1767225600000004'],
    ['card', 'a part of a longer number', '04111111111111111'],
    ['card', 'a part of a hash', 'a4111111111111111'],
    ['card', 'a decimal fraction', '0.4111111111111111'],
    ['card', 'a range that is not issued', '9999999999999995'],
    ['phone', 'an offset from UTC', '2026-01-01T00:00:00+0200'],
    ['phone', 'a sum', '1+1234567'],
    ['phone', 'a number that is too long', '+1234567890123456'],
    ['phone', 'a number without a plus', '14155550123'],
  ])('%s leaves %s', (kind, _, text) => {
    expect(redact(kind, text)).toBe(text);
  });

  test('is redacted only where it is asked for', () => {
    const text = `a@b.io +14155550123 4111111111111111 ${JWT}`;
    expect(makeRedactor().text(text)).toEqual({ text, count: 0 });
    expect(makeRedactor([...OPTIONAL_KINDS]).text(text)).toEqual({
      text: 'REDACTED REDACTED REDACTED REDACTED',
      count: 4,
    });
  });

  test('is redacted in JSON however it is escaped', () => {
    const redactor = makeRedactor(['email', 'phone']);
    expect(redactor.json('{"a":"jane\\u0040example.com","b":["\\u002b14155550123"]}')).toEqual({
      text: '{"a":"REDACTED","b":["REDACTED"]}',
      count: 2,
    });
  });

  test('is changed in JSON wherever it is in plain text', () => {
    const redactor = makeRedactor([...OPTIONAL_KINDS]);
    const parts = [
      'a@b.io',
      '"',
      '\\',
      '+14155550123',
      'bearer abcdefgh',
      '4111 1111 1111 1111',
      '\u0000',
      'é',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), (chosen) => {
        const value = chosen.join('');
        const plain = redactor.text(value);
        const json = redactor.json(JSON.stringify({ value }));
        expect(JSON.parse(json.text)).toEqual({ value: plain.text });
        expect(json.count).toBe(plain.count);
      }),
      { numRuns: 500 },
    );
  });

  test.each(OPTIONAL_KINDS)('%s reads long texts once', (kind) => {
    const redactor = makeRedactor([kind]);
    for (const part of [
      '@',
      'a@',
      'a.',
      '4-',
      '41',
      '+1',
      'eyJ',
      '-eyJ',
      'bearer ',
      'eyJaaaaa.',
      '%40',
      '"a"@',
    ]) {
      const text = part.repeat(200_000 / part.length);
      expect(redactor.text(text).text.length).toBeLessThanOrEqual(2 * text.length);
    }
  });
});
