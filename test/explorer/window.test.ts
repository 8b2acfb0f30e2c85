import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatLocation, parseLocation } from '../../explorer/state/location.js';
import { formatMicros, isoMicros, parseInput, toMicros } from '../../explorer/time/format-time.js';
import { between, formatSpan, parseSpan, widerWindows, windowBounds } from '../../explorer/time/window.js';

const NOW_MS = Date.UTC(2026, 0, 31, 12);

describe('a window as the endpoint’s bounds', () => {
  test.each([
    ['the last hour has no end', { kind: 'last', seconds: 3600 }, ['2026-01-31T10:59:59.999999Z', undefined]],
    ['all time has none', { kind: 'all' }, [undefined, undefined]],
    [
      'between two instants holds the first and not the second',
      { kind: 'between', startMs: NOW_MS, endMs: NOW_MS + 1000 },
      ['2026-01-31T11:59:59.999999Z', '2026-01-31T12:00:00.999999Z'],
    ],
  ] as const)('%s', (_, window, [start, end]) => {
    const bounds = windowBounds(window, NOW_MS);
    expect([bounds.iso_timestamp_start, bounds.iso_timestamp_end]).toEqual([start, end]);
  });

  test.each([
    [1, 1],
    [2, 1],
    [Number.NaN, 1],
    [0, Number.NaN],
    [-1, 1],
    [0, 1e18],
  ])('is null from %d to %d', (startMs, endMs) => {
    expect(between(startMs, endMs)).toBeNull();
  });
});

test('spans are written as they are read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999 }), (seconds) => {
      expect(parseSpan(formatSpan(seconds))).toBe(seconds);
    }),
  );
  for (const text of ['', '0m', '-5m', '1.5h', '5', 'm', '5min', '9999999d'])
    expect(parseSpan(text)).toBeNull();
});

test('only windows that hold more are proposed', () => {
  const names = (window: Parameters<typeof widerWindows>[0]) => widerWindows(window).map(([name]) => name);
  expect(names({ kind: 'last', seconds: 60 })).toEqual(['Last 24 hours', 'Last 7 days', 'All time']);
  expect(names({ kind: 'last', seconds: 604_800 })).toEqual(['All time']);
  expect(names({ kind: 'all' })).toEqual([]);
});

describe('instants', () => {
  test.each([
    [0n, '1970-01-01T00:00:00.000000Z'],
    [-1n, '1969-12-31T23:59:59.999999Z'],
    [1_795_287_684_722_281n, '2026-11-21T19:01:24.722281Z'],
  ])('%d µs are %s', (micros, text) => expect(isoMicros(micros)).toBe(text));

  test.each([
    ['12', 12n],
    ['9223372036854775', 9_223_372_036_854_775n],
    [1.5, null],
    ['now', null],
    [null, null],
  ])('%p is read as %p', (value, micros) => expect(toMicros(value)).toBe(micros));

  test('are cut to milliseconds, not rounded up', () => {
    expect(formatMicros(1_999_999n, 'utc')).toBe('1970-01-01 00:00:01.999');
    expect(formatMicros(-1n, 'utc')).toBe('1969-12-31 23:59:59.999');
  });
});

describe('the address', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => value.isWellFormed());
  const window = fc.oneof(
    fc.record({ kind: fc.constant('last' as const), seconds: fc.integer({ min: 1, max: 999_999 }) }),
    fc.constant({ kind: 'all' as const }),
    fc
      .tuple(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 1e9 }))
      .map(([startMs, length]) => ({ kind: 'between' as const, startMs, endMs: startMs + length })),
  );

  test('says all of a question, whatever is in it', () => {
    const name = fc.stringMatching(/^[a-z_]{1,9}$/).filter((one) => one !== '__proto__');
    fc.assert(
      fc.property(
        fc.record({
          endpoint: text,
          parameters: fc.dictionary(name, text),
          window,
          language: fc.constantFrom('sql' as const, 'lql' as const),
          query: text,
        }),
        (question) => {
          const parsed = parseLocation(formatLocation(question));
          expect(parsed).toEqual({ ...question, parameters: { ...question.parameters } });
        },
      ),
    );
  });

  test.each(['', '#', '#last=x', '#last=', '#from=2026&to=2025', '#%', '#p.__proto__=1'])(
    'that is malformed (%s) has the usual window',
    (hash) => {
      expect(parseLocation(hash).window).toEqual({ kind: 'last', seconds: 3600 });
    },
  );
});

describe('a written time', () => {
  test.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31 14:05', '2026-01-31T14:05:00.000Z'],
    ['2026-01-31T14:05:06.5', '2026-01-31T14:05:06.500Z'],
    [' 2026-01-31 14:05:06 +02:00', '2026-01-31T12:05:06.000Z'],
    ['2026-01-31T14:05:06z', '2026-01-31T14:05:06.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(new Date(parseInput(text, 'utc')).toISOString()).toBe(iso);
  });

  test.each(['', 'now', '31.01.2026', '2026-13-01', '2026-01-31 25:00', '2:05 PM'])('%p is none', (text) => {
    expect(parseInput(text, 'utc')).toBeNaN();
  });
});
