import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ColumnSchema } from '../../client/client.d.ts';
import { categoriesOf, seriesOf } from '../../explorer/chart/series.js';
import { columnsOf } from '../../explorer/result/columns.js';
import { csvHead, csvLines } from '../../explorer/result/csv.js';
import { toCurl } from '../../explorer/result/curl.js';
import { sortRows } from '../../explorer/result/sort-rows.js';

const column = (name: string, type: string, mode: ColumnSchema['mode'] = 'NULLABLE'): ColumnSchema => ({
  name,
  type,
  mode,
});

const toCsv = (columns: readonly ColumnSchema[], rows: readonly Record<string, unknown>[]) =>
  csvHead(columns) + csvLines(columns, rows);

describe('CSV', () => {
  test.each([
    ['text', 'STRING', 'a', 'a'],
    ['commas, quotes and lines', 'STRING', 'a,"b"\n', '"a,""b""\n"'],
    ['a formula', 'STRING', '=1', "'=1"],
    ['a minus in text', 'STRING', '-1', "'-1"],
    ['a negative number', 'INTEGER', -1, '-1'],
    ['a long number', 'INTEGER', '-9223372036854775808', '-9223372036854775808'],
    ['what only says it is a number', 'FLOAT', '-Infinity', "'-Infinity"],
    ['an instant', 'TIMESTAMP', 1_500_000, '1970-01-01T00:00:01.500000Z'],
    ['nothing', 'STRING', null, ''],
    ['JSON text', 'JSON', '=x', '"""=x"""'],
    ['a record', 'RECORD', { a: 1 }, '"{""a"":1}"'],
  ])('writes %s', (_, type, value, cell) => {
    expect(toCsv([column('x', type)], [{ x: value }])).toBe(`x\r\n${cell}\r\n`);
  });

  test('names columns without making formulas of them', () => {
    expect(toCsv([column('=x', 'STRING')], [])).toBe("'=x\r\n");
  });

  test('never begins a cell of text as spreadsheets begin formulas', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (value) => {
        const [, cell = ''] = /^x\r\n"?([\s\S]?)/.exec(toCsv([column('x', 'STRING')], [{ x: value }])) ?? [];
        expect('=+-@\t'.includes(cell) && cell !== '').toBe(false);
      }),
    );
  });
});

test('the curl command hands the shell each value as it is', () => {
  fc.assert(
    fc.property(
      fc
        .string({ unit: 'binary' })
        .filter((value) => value !== '' && value.isWellFormed() && !value.includes('\0')),
      (value) => {
        const command = toCurl('http://localhost:8080/', 'logs.all', { sql: value });
        // The shell itself takes the command apart; nothing is sent.
        const words = execFileSync('/bin/sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], {
          env: { LQE_TOKEN: 'secret' },
        });
        expect(words.toString().split('\0').slice(0, -1)).toEqual([
          '-sS',
          '-G',
          'http://localhost:8080/api/endpoints/query/logs.all',
          '-H',
          'X-API-KEY: secret',
          '--data-urlencode',
          `sql=${value}`,
        ]);
      },
    ),
    { numRuns: 40 },
  );
});

describe('sorting', () => {
  const sorted = (type: string, values: readonly unknown[], direction: 'ascending' | 'descending') =>
    sortRows(
      values.map((x) => ({ x })),
      column('x', type),
      direction,
    ).map(({ x }) => x);

  test.each([
    ['numbers by value', 'INTEGER', [10, 9, 100], [9, 10, 100]],
    [
      'integers too long for doubles exactly',
      'INTEGER',
      ['9007199254740995', '9007199254740993', 5],
      [5, '9007199254740993', '9007199254740995'],
    ],
    ['texts by character', 'STRING', ['b', 'B', 'a'], ['B', 'a', 'b']],
    ['NULL last', 'INTEGER', [null, 1, undefined, 0], [0, 1, null, undefined]],
    ['records by their JSON', 'RECORD', [{ a: 2 }, { a: 1 }], [{ a: 1 }, { a: 2 }]],
  ])('puts %s', (_, type, values, expected) => {
    expect(sorted(type, values, 'ascending')).toEqual(expected);
  });

  test('the other way round keeps NULL last', () => {
    expect(sorted('INTEGER', [1, null, 2], 'descending')).toEqual([2, 1, null]);
  });
});

describe('columns', () => {
  test('are those that were described, unless the rows have others', () => {
    const described = [column('a', 'INTEGER')];
    expect(columnsOf(described, [{ a: 1 }])).toBe(described);
    expect(columnsOf(described, [])).toBe(described);
    expect(columnsOf(described, [{ b: 'x' }]).map(({ name }) => name)).toEqual(['b']);
    expect(
      columnsOf(null, [
        { a: null, b: [] },
        { a: 1, b: [] },
      ]),
    ).toEqual([column('a', 'FLOAT'), column('b', 'JSON')]);
  });
});

describe('what is drawn', () => {
  const columns = [column('timestamp', 'DATETIME'), column('n', 'INTEGER')];
  const rows = [
    { timestamp: '2026-01-01T00:01:00', n: '2' },
    { timestamp: '2026-01-01T00:00:00', n: null },
  ];

  test('are numbers by time, in the order of time', () => {
    const start = Date.UTC(2026, 0, 1);
    expect(seriesOf(columns, rows)).toEqual({
      timesMs: [start, start + 60_000],
      series: [{ name: 'n', values: [null, 2] }],
      hasZone: false,
    });
  });

  test.each([
    ['one row', columns, rows.slice(0, 1)],
    ['a time twice', columns, [rows[0], rows[0]]],
    ['texts', [columns[0], column('n', 'STRING')], rows],
    ['no time', [columns[1], column('m', 'INTEGER')], rows],
    ['a time alone', columns.slice(0, 1), rows],
    ['a list of numbers', [columns[0], column('n', 'INTEGER', 'REPEATED')], rows],
  ])('are not %s', (_, some, data) => {
    expect(seriesOf(some as ColumnSchema[], data as Record<string, unknown>[])).toBeNull();
  });
});

describe('Results in long form', () => {
  const minute = (index: number) => 60_000_000 * index;
  const long = [column('t', 'TIMESTAMP'), column('level', 'STRING'), column('n', 'INTEGER')];
  const averages = [column('t', 'TIMESTAMP'), column('level', 'STRING'), column('ms', 'FLOAT')];

  test('are a series for each category, counts that are absent being zero', () => {
    const rows = [
      { t: minute(1), level: 'error', n: 5 },
      { t: minute(0), level: 'info', n: 3 },
      { t: minute(1), level: null, n: 1 },
    ];
    expect(seriesOf(long, rows)).toEqual({
      timesMs: [0, 60_000],
      series: [
        { name: 'error', values: [0, 5] },
        { name: 'info', values: [3, 0] },
        { name: 'null', values: [0, 1] },
      ],
      hasZone: true,
    });
  });

  test('have gaps where other numbers are absent', () => {
    const rows = [
      { t: minute(0), level: 'a', ms: 1.5 },
      { t: minute(1), level: 'b', ms: 2.5 },
    ];
    expect(seriesOf(averages, rows)?.series).toEqual([
      { name: 'b', values: [null, 2.5] },
      { name: 'a', values: [1.5, null] },
    ]);
  });

  test('sum up the least of many categories', () => {
    const rows = Array.from({ length: 18 }, (_, index) => ({
      t: minute(index % 2),
      level: `c${Math.floor(index / 2)}`,
      n: 9 - Math.floor(index / 2),
    }));
    const series = seriesOf(long, rows)?.series ?? [];
    expect(series.map(({ name }) => name)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'others']);
    expect(series.at(-1)?.values).toEqual([10, 10]);
  });

  test.each([
    [
      'entries, whose times are no buckets',
      [
        { t: 1_234_567, level: 'a', n: 1 },
        { t: 9_876_543, level: 'b', n: 1 },
      ],
    ],
    [
      'a category twice at one time',
      [
        { t: minute(0), level: 'a', n: 1 },
        { t: minute(0), level: 'a', n: 2 },
        { t: minute(1), level: 'a', n: 2 },
      ],
    ],
    [
      'one time',
      [
        { t: minute(0), level: 'a', n: 1 },
        { t: minute(0), level: 'b', n: 1 },
      ],
    ],
  ])('are not %s', (_, rows) => {
    expect(seriesOf(long, rows)).toBeNull();
  });
});

describe('Few categories', () => {
  const columns = [column('path', 'STRING'), column('n', 'INTEGER')];
  test('are bars in the order of the rows', () => {
    expect(
      categoriesOf(columns, [
        { path: '/a', n: 3 },
        { path: null, n: '9' },
      ]),
    ).toEqual({
      name: 'n',
      values: [
        { category: '/a', value: 3 },
        { category: 'null', value: 9 },
      ],
    });
  });

  test.each([
    ['one row', columns, [{ path: '/a', n: 3 }]],
    ['many rows', columns, Array.from({ length: 31 }, (_, n) => ({ path: `/${n}`, n }))],
    [
      'a category twice',
      columns,
      [
        { path: '/a', n: 3 },
        { path: '/a', n: 4 },
      ],
    ],
    [
      'numbers below zero',
      columns,
      [
        { path: '/a', n: -3 },
        { path: '/b', n: 4 },
      ],
    ],
    [
      'more columns',
      [...columns, column('m', 'INTEGER')],
      [
        { path: '/a', n: 3 },
        { path: '/b', n: 4 },
      ],
    ],
  ])('are not %s', (_, some, rows) => {
    expect(categoriesOf(some, rows)).toBeNull();
  });
});
