import { describe, expect, test } from '@jest/globals';
import { QUERY } from '../../../cli/commands/query.ts';
import { exitCodeOf, failureText } from '../../../cli/service/show-failure.ts';
import { coloursFor } from '../../../cli/terminal/colour.ts';
import { QueryError } from '../../../client/client.js';

const colours = coloursFor({}, {});
const at = (line: number, column: number) =>
  new QueryError('Wrong.', { code: 400, status: 'INVALID_ARGUMENT', details: [{ line, column }] });
const shown = (error: QueryError, query: string | null) =>
  failureText(error, { command: QUERY, query, colours }).split('\n');

describe('a failure', () => {
  test.each<[string, string, number, number, string, string]>([
    ['a word', 'select nope from t', 1, 8, '  1 | select nope from t', '    |        ^^^^'],
    ['the second line', 'select\r\n  x.y', 2, 3, '  2 |   x.y', '    |   ^^^'],
    ['a sign', 'select ;', 1, 8, '  1 | select ;', '    |        ^'],
    ['after the end', 'select', 1, 7, '  1 | select', '    |       ^'],
    ['after characters beyond the first plane', "'😀' + x", 1, 7, "  1 | '😀' + x", '    |       ^'],
    ['after a tab', '\tx', 1, 2, '  1 |  x', '    |  ^'],
  ])('underlines %s', (_, query, line, column, text, mark) => {
    expect(shown(at(line, column), query)).toEqual(['Wrong.', text, mark, '']);
  });

  test('far to the right shows the part of the line that it is in', () => {
    const [, text, mark] = shown(at(1, 301), `${' '.repeat(300)}here${' '.repeat(300)}`);
    expect(text).toBe(`  1 | …${' '.repeat(60)}here${' '.repeat(36)}…`);
    expect(mark?.indexOf('^')).toBe(text?.indexOf('here'));
  });

  test('whose place is not in the query shows no place', () => {
    expect(shown(at(9, 1), 'select')).toEqual(['Wrong.', '']);
    expect(shown(at(1, 1), null)).toEqual(['Wrong.', '']);
  });

  test('does not act on the terminal', () => {
    const error = new QueryError('a\u001b[2Jb', {
      code: 400,
      status: 'X',
      details: [{ line: 1, column: 2 }],
    });
    expect(shown(error, '\u001bx')).toEqual(['a\\u{1b}[2Jb', '  1 |  x', '    |  ^', '']);
  });

  test('of a query that would bill too much is not mended by trying again', () => {
    const busy = { code: 429, status: 'RESOURCE_EXHAUSTED' };
    expect(exitCodeOf(new QueryError('Busy.', busy))).toBe(3);
    const tooMuch = new QueryError('Too much.', { ...busy, details: [{ reason: 'too_many_bytes' }] });
    expect(exitCodeOf(tooMuch)).toBe(1);
  });

  test('says when to try again, and which request it was', () => {
    const error = new QueryError('Busy.', {
      code: 503,
      status: 'UNAVAILABLE',
      retryAfterSeconds: 7,
      requestId: 'r1',
    });
    expect(shown(error, null)).toEqual(['Busy.', 'Try again in 7 s.', 'Request id: r1', '']);
  });

  test.each([
    [0, 3],
    [200, 1],
    [400, 1],
    [401, 1],
    [404, 1],
    [410, 1],
    [429, 3],
    [500, 1],
    [502, 3],
    [503, 3],
    [504, 3],
  ])('with code %i ends with %i', (code, expected) => {
    expect(exitCodeOf(new QueryError('x', { code, status: 'X' }))).toBe(expected);
  });
});
