import { describe, expect, test } from '@jest/globals';
import { parseLql } from '../../../shared/lql/parse.ts';
import { printLql } from './support/print-lql.ts';
import { refusalOf } from './support/refusal.ts';
import { onlyCondition, withoutPlaces } from './support/trees.ts';

/** A query and how it is printed, which shows how it was read. */
const READ: readonly [lql: string, printed: string][] = [
  ['', ''],
  [' \t\r\n ', ''],
  ['error', 'error'],
  ['a\tb\nc\rd', 'a b c d'],
  ['404 true NULL now', '404 true NULL now'],
  ['"a b"', '"a b"'],
  ['""', '""'],
  ['"two\nlines"', '"two\nlines"'],
  [String.raw`"said \"hi\""`, String.raw`"said \"hi\""`],
  [String.raw`"\d"`, String.raw`"\\d"`],
  [String.raw`"\\d"`, String.raw`"\\d"`],
  [String.raw`a\"b`, String.raw`"a\"b"`],
  [String.raw`a\\b`, String.raw`"a\\\\b"`],
  ['10.0.0.1', '"10.0.0.1"'],
  ['a-b', '"a-b"'],
  ['(foo)', '"(foo)"'],
  ['%_% <none> @a #1 a=b a|b,c;d', '"%_%" "<none>" "@a" "#1" "a=b" "a|b,c;d"'],
  ['-error', '-error'],
  ['--a', '-"-a"'],
  ['-"a b"', '-"a b"'],
  ['~a.c', '~"a.c"'],
  ['"a\0b" m.a:"a\0b"', '"a\0b" m.a:"a\0b"'],
  ['-~"(?i)x"', '-~"(?i)x"'],
  ['~-x', '~"-x"'],
  ['~"(?i-s:x)(?-i)[(?i)]" ~"[]i-z]"', '~"(?i-s:x)(?-i)[(?i)]" ~"[]i-z]"'],
  [String.raw`~"\Q(?k\E\x{10000}"`, String.raw`~"\\Q(?k\\E\\x{10000}"`],
  ['f:edge_logs', 'f:edge_logs'],
  ['from:1a', 'f:1a'],
  ['s:*', 's:*'],
  ['select:m.a.b@c s:id', 's:m.a.b@c s:id'],
  ['c:count(*)', 'c:count(*)'],
  ['chart:p95(metadata.a) c:group_by(timestamp::h)', 'c:p95(m.a) c:group_by(t::hour)'],
  ['metadata.a:b', 'm.a:b'],
  ['id:"x"', 'id:x'],
  ['m.a:57P01 m.b:641c59c7 m.c:007', 'm.a:57P01 m.b:641c59c7 m.c:007'],
  ['m.a:1.50', 'm.a:1.50'],
  ['m.a:"NULL"', 'm.a:"NULL"'],
  ['m.a:NULL -m.a:NULL m.a:null', 'm.a:NULL -m.a:NULL m.a:null'],
  ['m.a:(no key)', 'm.a:"no key"'],
  ['m.a:()', 'm.a:""'],
  [String.raw`m.a:(\"\\\d)`, String.raw`m.a:"\"\\\\d"`],
  ['m.a:2024-01-01', 'm.a:2024-01-01'],
  ['m.a:>=2024-01-01T00:00:00.5+01:00', 'm.a:>=2024-01-01T00:00:00.5+01:00'],
  ['m.a:>1 m.a:>=1 m.a:<1 m.a:<=1', 'm.a:>1 m.a:>=1 m.a:<1 m.a:<=1'],
  ['m.a:1..5 m.a:0.5..4', 'm.a:1..5 m.a:0.5..4'],
  ['m.a:2024-01-01..2024-01-02T00:00:00Z', 'm.a:2024-01-01..2024-01-02T00:00:00Z'],
  ['m.a:~b m.a:~"b.c" m.a:~(a|b)', 'm.a:~b m.a:~"b.c" m.a:~"a|b"'],
  ['m.a:@>b m.a:@>~"b.c"', 'm.a:@>b m.a:@>~"b.c"'],
  ['m.level:info..error metadata.level:error..debug', 'm.level:info..error m.level:error..debug'],
  ['m.level:1..5', 'm.level:1..5'],
  ['..:x m.:x', '..:x m.:x'],
  ['t:now timestamp:>now', 't:now t:>now'],
  ['t:today -t:yesterday', 't:today -t:yesterday'],
  ['t:this@w t:this@mm t:this@s', 't:this@week t:this@month t:this@second'],
  ['t:last@m t:last@0d t:last@9999years', 't:last@1minute t:last@0day t:last@9999year'],
  ['t:2024-02-29', 't:2024-02-29'],
  ['t:>=2024-02-29T10:00:00.123456Z', 't:>=2024-02-29T10:00:00.123456Z'],
  ['t:1709735720..1709735720123', 't:1709735720..1709735720123'],
  ['t:2024-01-01..2024-01-02T10:00:00', 't:2024-01-01..2024-01-02T10:00:00'],
  ['t:2024-03-06T{13..14}:{00..05}:00', 't:2024-03-06T13:00:00..2024-03-06T14:05:00'],
  ['t:{2023..2024}-02-{01..28}', 't:2023-02-01..2024-02-28'],
  ['t:2024-03-06T13:00:00.{1..75}Z', 't:2024-03-06T13:00:00.1Z..2024-03-06T13:00:00.75Z'],
];

describe('a query is read', () => {
  test.each(READ)('%j as %j', (lql, printed) => {
    const query = parseLql(lql);
    expect(printLql(query)).toBe(printed);
    expect(withoutPlaces(parseLql(printed))).toEqual(withoutPlaces(query));
  });

  test('with the place of each clause and value', () => {
    expect(parseLql('error\n -m.a:>5').clauses).toEqual([
      { kind: 'filter', at: 0, negated: false, condition: { kind: 'message_contains', text: 'error' } },
      {
        kind: 'filter',
        at: 7,
        negated: true,
        condition: { kind: 'compare', path: 'metadata.a', operator: '>', value: { text: '5', at: 13 } },
      },
    ]);
  });

  test.each([
    ['t:2024-01-01T00:00:00+01:30', -90],
    ['t:2024-01-01T00:00:00-01:30', 90],
    ['t:2024-01-01T00:00:00', 0],
    ['t:1704067200', 0],
    ['t:1704067200000', 0],
    ['t:1704067200000999', 0],
  ])('with the instant in UTC: %s', (lql, minutes) => {
    const micros = BigInt(Date.UTC(2024, 0, 1) + minutes * 60_000) * 1000n;
    expect(onlyCondition(parseLql(lql))).toMatchObject({ kind: 'time', point: { micros } });
  });
});

/** A query that is no LQL, where it is wrong, and what the message says. */
const UNREADABLE: readonly [lql: string, column: number, message: string][] = [
  ['naïve', 1, "cannot read 'naïve' at position 1, put it in double quotes (line 1, column 1)"],
  ["a it's", 3, 'cannot read'],
  ['a`b', 1, 'cannot read'],
  ['a~b', 1, 'cannot read'],
  ['/a:b', 1, 'cannot read'],
  ['x\u00a0y', 1, 'cannot read'],
  ['x\fy', 1, 'cannot read'],
  ['~', 1, 'cannot read'],
  ['~~a', 2, 'cannot read'],
  ['"a"b', 4, "cannot read 'b' at position 4"],
  ['"a""b"', 4, 'cannot read'],
  ['m.a:"b"c', 8, 'cannot read'],
  ['m.a:(b)c', 8, 'cannot read'],
  ['😀 m.a:/b', 1, "cannot read '😀'"],
  ['"😀" m.a:/b', 9, "cannot read '/b' at position 9"],
  ['m.a:/rest/v1', 5, 'cannot read'],
  ['m.a:/a/../b', 5, 'cannot read'],
  ['m.a:10.0.0.1', 5, 'cannot read'],
  ['m.host:db-main', 8, 'cannot read'],
  ['m.a:-5', 5, 'cannot read'],
  ['m.a:1.', 5, 'cannot read'],
  ['m.a:.5', 5, 'cannot read'],
  ['m.a:é', 5, 'cannot read'],
  ['m.a:2024-01-01T10:30', 5, 'cannot read'],
  ['m.a:~a.b', 6, 'cannot read'],
  ['http://x', 6, 'cannot read'],
  ['a\u0000', 1, 'cannot read'],
  ['a\ud800b', 2, 'not valid Unicode'],
  ['-', 1, "'-' must precede a filter"],
  ['- a', 1, "'-' must precede a filter"],
  ['a -', 3, "'-' must precede a filter"],
  ['-f:a', 1, "'-' must precede a filter"],
  ['-s:*', 1, "'-' must precede a filter"],
  ['-c:count(*)', 1, "'-' must precede a filter"],
  ['"a', 1, 'unterminated double quote at position 1'],
  [String.raw`"a\"`, 1, 'unterminated double quote'],
  ['m.a:"a', 5, 'unterminated double quote at position 5'],
  ['m.a:(a', 5, 'unterminated parenthesis at position 5'],
  ['m.a:', 5, "bad value '' for metadata.a"],
  ['m.a:>', 5, "bad value '>' for metadata.a"],
  ['m.a:>>5', 5, "bad value '>>5' for metadata.a"],
  ['m.a::5', 5, 'bad value'],
  ['m.a:=5', 5, 'bad value'],
  ['m.a:~~b', 5, 'bad value'],
  ['m.a:>=>=b', 5, 'bad value'],
  ['m.a:1..', 5, 'bad value'],
  ['m.a:..5', 5, 'bad value'],
  ['m.a:..', 5, 'bad value'],
  ['m.a:1..2..3', 5, 'bad value'],
  ['m.a:a..b', 5, 'bad value'],
  ['m.a:1..2024-01-01', 5, 'bad value'],
  ['m.a:>1..5', 5, "bad value '>1..5'"],
  ['m.a:~1..5', 5, 'bad value'],
  ['m.a:>NULL', 5, "bad value '>NULL'"],
  ['m.a:@>NULL', 5, 'bad value'],
  ['m.level:>info..error', 9, 'bad value'],
  ['m.level:info..', 9, 'bad value'],
  ['m.level:warn..error', 9, "unknown level 'warn', expected debug, info"],
  ['m.level:info..Error', 15, "unknown level 'Error'"],
  ['f:', 1, "bad clause 'f:'"],
  ['f:"x"', 1, 'bad clause'],
  ['f:a-b', 1, 'bad clause'],
  ['f:>a', 1, 'bad clause'],
  ['s:', 1, 'bad clause'],
  ['s:a@', 1, "bad clause 's:a@', expected"],
  ['s:@a', 1, 'bad clause'],
  ['s:a@b@c', 1, 'bad clause'],
  ['s:*@a', 1, 'bad clause'],
  ['s:a@ü', 1, 'bad clause'],
  ['s:(a)', 1, 'bad clause'],
  ['c:', 1, 'bad clause'],
  ['c:count', 1, 'bad clause'],
  ['c:count()', 1, 'bad clause'],
  ['c:count(a b)', 1, 'bad clause'],
  ['c:count(a)b', 1, 'bad clause'],
  ['c:min(m.a)', 3, "unknown aggregate 'min', expected count, countd"],
  ['c:constructor(m.a)', 3, 'unknown aggregate'],
  ['c:group_by(hour)', 1, 'bad clause'],
  ['c:group_by(t:hour)', 1, 'bad clause'],
  ['c:group_by(t::week)', 15, "unknown period 'week'"],
  ['c:group_by(t::toString)', 15, 'unknown period'],
  ['t:', 3, "'' is not a timestamp, range or period (examples: t:2026-01-31"],
  ['t:notadate', 3, 'is not a timestamp'],
  ['t:Today', 3, 'is not a timestamp'],
  ['t:NULL', 3, 'is not a timestamp'],
  ['t:"2024-01-01"', 3, 'is not a timestamp'],
  ['t:(2024-01-01)', 3, 'is not a timestamp'],
  ['t:~2024', 3, "'~2024' is not a timestamp"],
  ['t:@>2024-01-01', 3, 'is not a timestamp'],
  ['t:>today', 3, "'>today' is not a timestamp"],
  ['t:>=2024-01-01..2024-01-02', 3, 'is not a timestamp'],
  ['t:>last@1h', 3, 'is not a timestamp'],
  ['t:2024-02-30', 3, 'is not a timestamp'],
  ['t:2023-02-29', 3, 'is not a timestamp'],
  ['t:0000-01-01', 3, 'is not a timestamp'],
  ['t:0001-01-01T00:00:00+01:00', 3, 'is not a timestamp'],
  ['t:2024-01-01T10:30', 3, 'is not a timestamp'],
  ['t:2024-01-01T24:00:00', 3, 'is not a timestamp'],
  ['t:2024-01-01T10:30:60', 3, 'is not a timestamp'],
  ['t:2024-01-01T10:30:00.1234567', 3, 'is not a timestamp'],
  ['t:2024-01-01T10:30:00z', 3, 'is not a timestamp'],
  ['t:2024-01-01T10:30:00+1:00', 3, 'is not a timestamp'],
  ['t:2024-01-01T10:30:00+24:00', 3, 'is not a timestamp'],
  ['t:2024-1-1', 3, 'is not a timestamp'],
  ['t:170406720', 3, 'is not a timestamp'],
  ['t:2024-01-01..', 3, 'is not a timestamp'],
  ['t:2024-01-01..now', 3, 'is not a timestamp'],
  ['t:today..today', 3, 'is not a timestamp'],
  ['t:2024-01-01..2024-01-02T00:00:00Z', 3, 'is not a timestamp'],
  ['t:2024-01-01T00:00:00..1704067200', 3, 'is not a timestamp'],
  ['t:2024-02-{28..31}', 3, 'is not a timestamp'],
  ['t:2024-02-{1..9}', 3, 'is not a timestamp'],
  ['t:2024-02-0{1..9}', 3, 'is not a timestamp'],
  ['t:2024-02-{1..09}', 3, 'is not a timestamp'],
  ['t:>2024-02-{01..09}', 3, 'is not a timestamp'],
  ['t:{1704067200..1704067201}', 3, 'is not a timestamp'],
  ['t:2024-01-01T10:30:00.{1..1234567}', 3, 'is not a timestamp'],
  ['t:last@5min', 3, 'is not a timestamp'],
  ['t:last@12345m', 3, 'is not a timestamp'],
  ['t:last@-1m', 3, 'is not a timestamp'],
  ['t:last@', 3, 'is not a timestamp'],
  ['t:last@M', 3, 'is not a timestamp'],
  ['t:this@toString', 3, 'is not a timestamp'],
  ['t:this@', 3, 'is not a timestamp'],
  ['~"(?i)(?s"', 2, 'invalid regular expression'],
  ['~"(?k)a"', 2, 'invalid regular expression'],
  ['~"[(?i-a)]"', 2, 'invalid regular expression'],
  ['~"["', 2, "invalid regular expression: missing closing ] at '['"],
  ['m.a:~"(?<=a)b"', 6, 'invalid regular expression'],
  ['m.a:@>~"a{1001}"', 8, 'invalid regular expression'],
  ['~"(((a{30}){30}){30})"', 2, 'invalid regular expression'],
];

describe('text that is no LQL is refused', () => {
  test.each(UNREADABLE)('%j at column %i', (lql, column, message) => {
    const refusal = refusalOf(() => parseLql(lql));
    expect(refusal).toEqual({
      reason: 'syntax',
      line: 1,
      column,
      message: expect.stringContaining(message),
    });
    expect(refusal.message).toMatch(new RegExp(`\\(line 1, column ${column}\\)$`));
  });

  test('with line and column of a text of several lines', () => {
    expect(refusalOf(() => parseLql('a "x\r\ny"\r\n  m.a:'))).toMatchObject({ line: 3, column: 7 });
  });

  test.each([
    ['a tab', '\t'],
    ['a character of two UTF-16 units', '"😀" '],
    ['a line that ends with LF', 'a\n'],
    ['a line that ends with CR LF', 'a\r\n  '],
  ])('at the same character after %s', (_, before) => {
    const lines = before.split('\n');
    const shift = [...(lines.at(-1) ?? '')].length;
    for (const [lql, column] of UNREADABLE) {
      expect(refusalOf(() => parseLql(before + lql))).toMatchObject({
        line: lines.length,
        column: column + shift,
      });
    }
  });

  test.each(
    UNREADABLE.flatMap(([lql]) => {
      const { column = 0, message } = refusalOf(() => parseLql(lql));
      const [, quoted] =
        /^(?:cannot read |bad value |bad clause |unknown \w+ )?'([^']+)'(?! must)/.exec(message) ?? [];
      return quoted === undefined ? [] : [[lql, quoted, column] as const];
    }),
  )('at the first character of what the message quotes: %s', (lql, quoted, column) => {
    const written = [...lql]
      .slice(column - 1)
      .join('')
      .replace(/\s+/g, ' ');
    expect([written, written.replace(/^["(]/, '')].some((text) => text.startsWith(quoted))).toBe(true);
  });

  test('with a part of it only where it is long', () => {
    expect(refusalOf(() => parseLql(`m.a:${'é'.repeat(5000)}`)).message.length).toBeLessThan(200);
    expect(refusalOf(() => parseLql(`~${'('.repeat(5000)}`)).message.length).toBeLessThan(250);
  });
});

describe('what is too much is refused', () => {
  test.each<[string, string, number, string]>([
    ['101 clauses', Array(101).fill('a').join(' '), 201, 'more than 100 clauses'],
    ['51 columns', Array(51).fill('s:*').join(' '), 201, 'more than 50 s: clauses'],
    ['17 KiB', 'é'.repeat(8200), 8193, 'more than 16 KiB'],
    ['17 KiB with a character across the limit', `a${'😀'.repeat(4200)}`, 4097, 'more than 16 KiB'],
    [
      '4 KiB of regular expressions',
      `~"(${'a'.repeat(3998)})" m.a:~"(${'a'.repeat(95)})"`,
      4010,
      'more than 4096',
    ],
    ['regular expressions that grow', '~"[^a]{999}" m.a:~"(.{1,40}){20}" ~".{900}"', 36, 'too large'],
    ['a regular expression beyond RE2', String.raw`a ~"(?:\\pL{500}){2}"`, 4, 'too large'],
    ['two sources', 'f:a f:a', 5, 'only one f: clause'],
    ['two aggregates', 'c:count(*) c:group_by(t::m) c:avg(m.a)', 29, 'only one aggregate'],
    ['two periods', 'c:group_by(t::m) c:group_by(t::m)', 18, 'only one c:group_by(…)'],
  ])('%s', (_, lql, column, message) => {
    expect(refusalOf(() => parseLql(lql))).toEqual({
      reason: 'unsupported',
      line: 1,
      column,
      message: expect.stringContaining(message),
    });
  });

  test('but syntax is looked at first', () => {
    expect(refusalOf(() => parseLql('f:a f:b m.a:')).reason).toBe('syntax');
    expect(refusalOf(() => parseLql(`${'a '.repeat(101)} -`)).reason).toBe('syntax');
  });

  test('and not what is just as much as may be', () => {
    expect(parseLql(`${'s:id '.repeat(50)}${'a '.repeat(50)}`).clauses).toHaveLength(100);
    expect(parseLql(`"${'é'.repeat(8191)}"`).clauses).toHaveLength(1);
  });
});
