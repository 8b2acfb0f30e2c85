import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeRedactor } from '../../../shared/privacy/redactor.ts';

const { json: redactJsonText, text: redactText } = makeRedactor();

const hex = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: min, maxLength: max });
const octet = fc.integer({ min: 0, max: 255 });
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));

/** An IPv6 address in one of its textual forms. Its first group has four digits, as in every routed address. */
const ipv6 = fc
  .record({
    first: hex(4, 4),
    groups: fc.array(hex(1, 4), { minLength: 5, maxLength: 5 }),
    tail: fc.oneof(
      fc.tuple(hex(1, 4), hex(1, 4)).map((pair) => pair.join(':')),
      ipv4,
    ),
    cut: fc.tuple(fc.nat(4), fc.nat(4)),
    isCompressed: fc.boolean(),
    zone: fc.constantFrom('', '%eth0', '%12', '%25en1'),
  })
  .map(({ first, groups, tail, cut, isCompressed, zone }) => {
    if (!isCompressed) return `${[first, ...groups, tail].join(':')}${zone}`;
    const [from, to] = [Math.min(...cut), Math.max(...cut)];
    return `${[first, ...groups.slice(0, from)].join(':')}::${[...groups.slice(to + 1), tail].join(':')}${zone}`;
  });

/** Punctuation that cannot be part of an address or of an escape. */
const punctuation = fc.string({
  unit: fc.constantFrom(...' \t\n!"#$&\'()*+,;<=>?@^`{|}~éß地'),
  maxLength: 3,
});

/** Things that look like addresses to a careless eye. */
const lookalike = fc.oneof(
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.tuple(fc.nat(23), fc.nat(59), fc.nat(59)).map((parts) => parts.join(':')),
  fc.array(hex(2, 2), { minLength: 6, maxLength: 6 }).map((pairs) => pairs.join(':')),
  fc.array(hex(2, 2), { minLength: 16, maxLength: 20 }).map((pairs) => pairs.join(':')),
  fc.array(fc.nat(300), { minLength: 5, maxLength: 9 }).map((parts) => parts.join('.')),
  fc.array(fc.nat(300), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.')),
  fc
    .tuple(fc.integer({ min: 256, max: 9999 }), ipv4)
    .map(([first, rest]) => `${first}.${rest.slice(0, 5)}.1`),
  ipv4.map((address) => `v${address}`),
  hex(32, 64),
  fc
    .tuple(fc.stringMatching(/^[g-z][a-z]{0,5}$/), fc.stringMatching(/^[g-z][a-z0-9]{0,5}$/))
    .map((p) => p.join('::')),
);

describe('redaction', () => {
  test('takes every address out of any punctuation', () => {
    const piece = fc.oneof(ipv4, ipv6);
    fc.assert(
      fc.property(fc.array(fc.tuple(punctuation, piece), { minLength: 1 }), punctuation, (pieces, end) => {
        const text = pieces.map(([before, address]) => `${before} ${address}`).join('') + end;
        const expected = pieces.map(([before]) => `${before} REDACTED`).join('') + end;
        expect(redactText(text)).toEqual({ text: expected, count: pieces.length });
      }),
      { numRuns: 2_000 },
    );
  });

  test('takes every address that has a decimal digit, however short', () => {
    const address = fc.ipV6().filter((text) => /[0-9]/.test(text));
    fc.assert(
      fc.property(punctuation, address, punctuation, (before, text, after) => {
        expect(redactText(`${before} ${text} ${after}`).text).toBe(`${before} REDACTED ${after}`);
        expect(redactText(`[${text}]`).text).toBe('[REDACTED]');
      }),
      { numRuns: 3_000 },
    );
  });

  test('keeps port, prefix length and brackets', () => {
    fc.assert(
      fc.property(ipv4, ipv6, fc.nat(65_535), fc.nat(128), (four, six, port, prefix) => {
        const text = `${four}:${port} [${six}]:${port} ${six}/${prefix} ${four}/${prefix}`;
        const expected = `REDACTED:${port} [REDACTED]:${port} REDACTED/${prefix} REDACTED/${prefix}`;
        expect(redactText(text).text).toBe(expected);
      }),
    );
  });

  test('leaves alone what only looks like an address', () => {
    fc.assert(
      fc.property(punctuation, lookalike, punctuation, (before, text, after) => {
        const whole = before + text + after;
        expect(redactText(whole)).toEqual({ text: whole, count: 0 });
      }),
      { numRuns: 3_000 },
    );
  });

  test('finds nothing more the second time', () => {
    const soup = fc.array(
      fc.oneof(
        fc.constantFrom(
          ...':.%[]/_-=x \\nu0',
          '::',
          ':::',
          '..',
          '%3A',
          '%25',
          '1',
          'f',
          'fe80',
          '1.2.3.4',
          '::1',
          'rv:',
        ),
        ipv4,
        ipv6,
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(soup, (pieces) => {
        const { text } = redactText(pieces.join(''));
        expect(redactText(text)).toEqual({ text, count: 0 });
      }),
      { numRuns: 20_000 },
    );
  });

  test('of JSON text is redaction of each string of the value', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), ipv4, ipv6, lookalike);
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(null, true),
        fc.array(tie('value')),
        fc.dictionary(fc.stringMatching(/^[g-z]{1,5}$/), tie('value')),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(ipv4, fc.string()), value), fc.nat(2), (row, indent) => {
        const result = redactJsonText(JSON.stringify(row, null, indent));
        const expected = Object.fromEntries(
          Object.entries(row).map(([key, inner]) => [key, redactValue(inner)]),
        );
        expect(JSON.parse(result.text)).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
    );
  });
});

function redactValue(value: unknown): unknown {
  if (typeof value === 'string') return redactText(value).text;
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactValue(inner)]));
}
