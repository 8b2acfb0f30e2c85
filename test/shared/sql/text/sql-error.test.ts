import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionAt, sqlError } from '../../../../shared/sql/text/sql-error.ts';

describe('a place in a text', () => {
  test.each<[string, number, number, number]>([
    ['', 0, 1, 1],
    ['abc', 2, 1, 3],
    ['a\nbc', 2, 2, 1],
    ['a\r\nbc', 4, 2, 2],
    ['a\rbc', 2, 2, 1],
    ['a\n\n\nb', 4, 4, 1],
    ['a\n', 2, 2, 1],
    ['\u{1F600}x', 2, 1, 2],
    ['é\u{1F600}\n\u{1F600}y', 6, 2, 2],
  ])('%j at %i is line %i, column %i', (text, offset, line, column) => {
    expect(positionAt(text, offset)).toEqual({ line, column });
  });

  test('is found again by lines and characters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', '\n', '\u{1F600}', 'é', ' '), { maxLength: 30 }),
        fc.nat(30),
        (list, count) => {
          const before = list.slice(0, count);
          const { line, column } = positionAt(list.join(''), before.join('').length);
          const lines = before.join('').split('\n');
          expect([line, column]).toEqual([lines.length, [...(lines.at(-1) ?? '')].length + 1]);
        },
      ),
    );
  });

  test('ends the message of an error and is its detail', () => {
    const error = sqlError('select\n  x', 9, 'Unrecognized name: x');
    expect(error.message).toBe('Unrecognized name: x (line 2, column 3)');
    expect(error.details).toEqual([{ line: 2, column: 3 }]);
    expect(error.code).toBe(400);
  });
});
