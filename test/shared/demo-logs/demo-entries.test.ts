import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEMO_PROJECTS, DEMO_SOURCES, demoEntries } from '../../../shared/demo-logs/demo-entries.ts';
import { microsOf, readEntries } from './read-entries.ts';

const HOUR_MICROS = 3_600_000_000n;
const NOWS = [
  '2026-03-05T14:37:12.345678Z',
  '2026-01-01T00:00:00.000000Z',
  '2024-02-29T23:59:59.999999Z',
] as const;

/** Instants from 1970's first weeks to 2199, the edges of years and hours among them. */
const instants = fc.oneof(
  fc.bigInt({ min: 1_000_000_000_000n, max: 7_258_118_399_999_999n }),
  fc
    .tuple(fc.integer({ min: 1971, max: 2199 }), fc.bigInt({ min: -2_000_000n, max: 2_000_000n }))
    .map(([year, micros]) => BigInt(Date.UTC(year, 0, 1)) * 1000n + micros),
);

const linesOf = (source: string, now: bigint): string[] => [...demoEntries(source, now)];
const timesOf = (source: string, now: bigint): bigint[] =>
  linesOf(source, now).map((line) => microsOf((JSON.parse(line) as { timestamp: string }).timestamp));

describe('demoEntries', () => {
  test.each(DEMO_SOURCES)('gives the same bytes of %s for the same now', (source) => {
    const now = microsOf(NOWS[0]);
    const first = linesOf(source, now).join('\n');
    const second = linesOf(source, now).join('\n');
    expect(first === second).toBe(true);
  });

  test.each(DEMO_SOURCES)(
    'keeps %s as it is when now moves: entries come at the end, ageing ones drop out',
    (source) => {
      const now = microsOf(NOWS[0]);
      for (const later of [now + 1n, now + 1_000_000n, now + HOUR_MICROS, now + 30n * HOUR_MICROS]) {
        const before = new Set(linesOf(source, now));
        const after = linesOf(source, later);
        const added = after.filter((line) => !before.has(line));
        const times = added.map((line) => microsOf((JSON.parse(line) as { timestamp: string }).timestamp));
        expect(times.filter((time) => time <= now)).toEqual([]);
      }
    },
  );

  test.each(DEMO_SOURCES)('loses hardly anything of %s in a second', (source) => {
    const now = microsOf(NOWS[0]);
    const after = new Set(linesOf(source, now + 1_000_000n));
    expect(linesOf(source, now).filter((line) => !after.has(line)).length).toBeLessThan(20);
  });

  test('gives ascending times within the 8 days up to now, at any instant', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...DEMO_SOURCES), (now, source) => {
        const times = timesOf(source, now);
        expect(times.findIndex((time, i) => i > 0 && time < (times[i - 1] ?? 0n))).toBe(-1);
        expect(times.at(-1)).toBeLessThanOrEqual(now);
        expect(times.at(-1)).toBeGreaterThan(now - 240_000_000n);
        expect(times.at(0)).toBeGreaterThan(now - 193n * HOUR_MICROS);
        expect(times.at(0)).toBeLessThan(now - 168n * HOUR_MICROS);
      }),
      { numRuns: 30 },
    );
  });

  test('reaches up to some seconds before now', () => {
    fc.assert(
      fc.property(instants, (now) => {
        expect(timesOf('edge_logs', now).at(-1)).toBeGreaterThan(now - 13_000_000n);
      }),
      { numRuns: 6 },
    );
  });

  test.each(NOWS)('has unique UUIDs over all sources at %s, about 20,000 of them', (now) => {
    const ids = DEMO_SOURCES.flatMap((source) => readEntries(source, now).map((entry) => entry.id));
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(ids.filter((id) => !uuid.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(15_000);
    expect(ids.length).toBeLessThan(25_000);
  });

  test('gives lines of JSON without line breaks', () => {
    const lines = DEMO_SOURCES.flatMap((source) => linesOf(source, microsOf(NOWS[0])));
    expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
  });

  test.each(NOWS)(
    'has both projects in every source in the last hour and on each of the last 7 days, at %s',
    (now) => {
      for (const source of DEMO_SOURCES) {
        const entries = readEntries(source, now).map(({ project, timestamp }) => ({
          project,
          age: microsOf(now) - microsOf(timestamp),
        }));
        for (const project of DEMO_PROJECTS) {
          const own = entries.filter((entry) => entry.project === project);
          expect(own.filter(({ age }) => age < HOUR_MICROS).length).toBeGreaterThan(20);
          for (let day = 0n; day < 7n; day++) {
            const ofDay = own.filter(
              ({ age }) => age >= day * 24n * HOUR_MICROS && age < (day + 1n) * 24n * HOUR_MICROS,
            );
            expect(ofDay.length).toBeGreaterThan(0);
          }
        }
      }
    },
  );

  test('has several edge requests in every one of the last 60 minutes', () => {
    const now = microsOf(NOWS[0]);
    for (const project of DEMO_PROJECTS) {
      const ages = readEntries('edge_logs', NOWS[0])
        .filter((entry) => entry.project === project)
        .map((entry) => Number((now - microsOf(entry.timestamp)) / 60_000_000n));
      for (let minute = 0; minute < 60; minute++) {
        expect(ages.filter((age) => age === minute).length).toBeGreaterThan(3);
      }
    }
  });
});
