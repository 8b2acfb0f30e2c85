import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_IGNORED_HEADER_BYTES } from '../../../../shared/http/http-limits.ts';
import { ignoredParametersHeader } from '../../../../shared/http/response/ignored-parameters.ts';

test.each([
  [['a'], 'a'],
  [['a', 'b'], 'a, b'],
  [['a,b', 'c'], 'a%2Cb, c'],
  [['a\r\nSet-Cookie: x=1'], 'a%0D%0ASet-Cookie%3A%20x%3D1'],
  [['é', '\ud800'], '%C3%A9, %EF%BF%BD'],
  [[''], '""'],
  [['x'.repeat(2000)], '...'],
  [['a', 'x'.repeat(2000), 'b'], 'a, ...'],
])('ignoredParametersHeader writes %p', (names, header) => {
  expect(ignoredParametersHeader(names)).toBe(header);
});

test('is a bounded header value whatever the names are', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 200 }), (names) => {
      const header = ignoredParametersHeader(names);
      expect(header.length).toBeLessThanOrEqual(MAX_IGNORED_HEADER_BYTES);
      expect(header).toMatch(/^[\x20-\x7e]*$/);
    }),
  );
});
