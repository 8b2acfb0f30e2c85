import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { coloursFor } from '../../../cli/terminal/colour.ts';
import { printableLines } from '../../../cli/terminal/printable-lines.ts';
import { rowsTable } from '../../../cli/terminal/rows-table.ts';

const colours = coloursFor({}, {});
const table = (rows: readonly Record<string, unknown>[], width: number | null = null) =>
  rowsTable(rows, { width, colours });

describe('a table of rows', () => {
  test('has numbers to the right, nested values as JSON, NULL as nothing and instants in ISO 8601', () => {
    const rows = [
      { timestamp: 1_769_861_399_986_785, n: 5, what: { a: [1] }, text: 'x' },
      { timestamp: null, n: 10, what: null, text: null, more: true },
    ];
    expect(table(rows).split('\n')).toEqual([
      'timestamp                     n  what       text  more',
      '2026-01-31T12:09:59.986785Z   5  {"a":[1]}  x',
      '                             10                   true',
      '',
    ]);
  });

  test('leaves numbers in a column called timestamp alone that are no instants', () => {
    expect(table([{ timestamp: 12 }])).toBe('timestamp\n12\n');
  });

  test('of no rows is nothing', () => {
    expect(table([])).toBe('');
  });

  test('keeps ids whole and cuts long columns, which it shows', () => {
    const id = '273360a3-bfed-4105-adc7-8de1029c7b9b';
    const rows = [{ id, message: 'm'.repeat(300), other: 'o'.repeat(100) }];
    expect(table(rows, 80).split('\n')[1]).toBe(`${id}  ${'m'.repeat(19)}…  ${'o'.repeat(19)}…`);
  });

  test('shows what would act on a terminal', () => {
    expect(table([{ 'a\u001b[31m': 'x\u001b[2Jy\nz\u202e' }])).toBe(
      'a\\u{1b}[31m\nx\\u{1b}[2Jy\\u{a}z\\u{202e}\n',
    );
  });

  test('has no line that is too long where its columns can be cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 200 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 60, max: 200 }),
        (values, width) => {
          const row = Object.fromEntries(values.map((value, index) => [`c${index}`, value]));
          for (const line of table([row], width).split('\n')) {
            expect([...line].length).toBeLessThanOrEqual(width);
          }
        },
      ),
    );
  });
});

describe('colours', () => {
  test.each<[string, { isTTY?: boolean }, Record<string, string>, boolean]>([
    ['a terminal', { isTTY: true }, {}, true],
    ['a pipe', {}, {}, false],
    ['a terminal with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
    ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
  ])('of %s', (_, stream, env, isColoured) => {
    expect(coloursFor(stream, env).red('x')).toBe(isColoured ? '\u001b[31mx\u001b[39m' : 'x');
  });
});

test('printable lines keep line ends and nothing else that acts', () => {
  expect(printableLines('a\r\nb\u001bc\rd\n')).toBe('a\r\nb\\u{1b}c\\u{d}d\n');
});
