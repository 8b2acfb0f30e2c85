import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { excerpt, MAX_QUOTED_LENGTH, shortenMessage } from '../../../shared/errors/excerpt.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';

const LONG = 'q'.repeat(1_000_093);

describe('What an error message quotes of a value', () => {
  test.each([
    ['in quotes, with blanks', `Invalid date: '${'q '.repeat(5_000)}'`],
    ['in quotes', `Invalid date: '${LONG}' (line 1, column 2)`],
    ['a name', `Unrecognized name: ${LONG} (line 1, column 8)`],
    ['a name in backticks', `Unrecognized name: \`${LONG}\``],
    ['twice', `Bad value "${LONG}" for "${LONG}"`],
  ])('%s, is 200 characters at most', (_name, message) => {
    const brief = new ServiceError('invalid_argument', message).message;
    expect(brief.length).toBeLessThanOrEqual(2 * MAX_QUOTED_LENGTH + 60);
    expect(brief).toContain('…');
    expect(brief.slice(0, 10)).toBe(message.slice(0, 10));
  });

  test('leaves what follows a value', () => {
    expect(shortenMessage(`Unrecognized name: ${LONG} (line 1, column 8)`)).toBe(
      `Unrecognized name: ${'q'.repeat(MAX_QUOTED_LENGTH)}… (line 1, column 8)`,
    );
  });

  test('leaves messages of short values as they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 }), { maxLength: 8 }), (words) => {
        const message = words.join(' ').slice(0, MAX_QUOTED_LENGTH);
        expect(shortenMessage(message)).toBe(message);
      }),
    );
  });

  test('does not cut a character in two', () => {
    expect(excerpt(`${'a'.repeat(MAX_QUOTED_LENGTH - 1)}😀b`)).toBe(`${'a'.repeat(MAX_QUOTED_LENGTH - 1)}…`);
  });

  test('is found fast in any message', () => {
    const parts = fc.constantFrom("'", '"', '`', ' ', 'a', 'é', '…');
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 50 }), fc.nat({ max: 40_000 }), (some, times) => {
        expect(shortenMessage(some.join('').repeat(times)).length).toBeLessThanOrEqual(1_001);
      }),
    );
  });
});
