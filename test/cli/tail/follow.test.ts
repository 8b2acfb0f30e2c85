import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Entry, inOrder } from '../../../cli/tail/entry.ts';
import { type FollowOptions, follow } from '../../../cli/tail/follow.ts';

/** When an entry can be read, and its own time; both in ms since the test's beginning. */
interface Written {
  readonly visibleMs: number;
  readonly timeMs: number;
}

const BEGIN_MS = 1_770_000_000_000;
const INTERVAL_MS = 1000;

interface Simulation {
  readonly written: readonly Written[];
  readonly maxRows: number;
  readonly lines: number;
  readonly rounds: number;
  /** The requests, counted from 1, that fail. */
  readonly failing?: ReadonlySet<number>;
}

/** Follows a log that grows while it is read: every request takes 100 ms, a round comes each second. */
async function simulate({ written, maxRows, lines, rounds, failing = new Set() }: Simulation) {
  const clock = { ms: 0, requests: 0, sleeps: 0 };
  const entries = written.map(({ visibleMs, timeMs }, index): Entry & { visibleMs: number } => {
    const key = `e${String(index).padStart(4, '0')}`;
    return { key, micros: (BEGIN_MS + timeMs) * 1000, json: key, row: {}, visibleMs };
  });
  const emitted: string[] = [];
  const gaps: number[] = [];
  const stop = new AbortController();
  const first = { ms: Number.NaN, entries: [] as readonly Entry[], roundEndMs: Number.POSITIVE_INFINITY };
  const options: FollowOptions = {
    lines,
    intervalMs: INTERVAL_MS,
    lateMs: 10_000,
    signal: stop.signal,
    fetchWindow: async ({ startMicros, endMicros }) => {
      clock.ms += 100;
      clock.requests += 1;
      if (failing.has(clock.requests)) throw new Error('for the moment');
      const found = entries
        .filter(({ visibleMs, micros }) => {
          if (visibleMs > clock.ms) return false;
          return micros > (startMicros ?? 0) && micros <= (endMicros ?? Number.MAX_SAFE_INTEGER);
        })
        .sort((a, b) => b.micros - a.micros || (a.key < b.key ? 1 : -1))
        .slice(0, maxRows);
      if (Number.isNaN(first.ms)) Object.assign(first, { ms: clock.ms, entries: found });
      // The Date header has whole seconds.
      const nowMicros = Math.floor((BEGIN_MS + clock.ms) / 1000) * 1_000_000;
      return { entries: found, isFull: found.length === maxRows, nowMicros };
    },
    retryDelayMs: () => 500,
    emit: (batch) => emitted.push(...batch.map(({ key }) => key)),
    onGap: (micros) => gaps.push(micros),
    sleep: async (ms) => {
      if (ms === INTERVAL_MS) first.roundEndMs = Math.min(first.roundEndMs, clock.ms);
      clock.ms += ms;
      clock.sleeps += 1;
      if (clock.sleeps > rounds) stop.abort();
    },
  };
  await follow(options);
  const oldest = first.entries.length === maxRows ? first.entries.at(-1) : undefined;
  // What the first round finds before all of a full first answer may be what that had no room for.
  const mayBeOld = (entry: (typeof entries)[number]) =>
    oldest !== undefined && entry.visibleMs <= first.roundEndMs && inOrder(entry, oldest) < 0;
  const later = entries.filter(
    (entry) => entry.visibleMs > first.ms && entry.visibleMs <= clock.ms - 1500 && !mayBeOld(entry),
  );
  return { emitted, gaps, later: later.map(({ key }) => key), entries };
}

const writtenLog = fc.array(
  fc
    .record({
      visibleMs: fc.integer({ min: -30_000, max: 20_000 }),
      lateMs: fc.integer({ min: 0, max: 8_000 }),
    })
    .map(
      // Whole tenths of a second, so that many share an instant.
      ({ visibleMs, lateMs }): Written => ({
        visibleMs,
        timeMs: Math.floor((visibleMs - lateMs) / 100) * 100,
      }),
    ),
  { maxLength: 60 },
);

describe('following a log', () => {
  test('shows every new entry once, however late, however many share an instant', async () => {
    await fc.assert(
      fc.asyncProperty(
        writtenLog,
        fc.integer({ min: 0, max: 5 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 }),
        async (written, lines, failing) => {
          const { emitted, later, gaps } = await simulate({
            written,
            lines,
            failing: new Set(failing),
            maxRows: 61,
            rounds: 25,
          });
          expect(new Set(emitted).size).toBe(emitted.length);
          expect(later.filter((key) => !emitted.includes(key))).toEqual([]);
          expect(gaps).toEqual([]);
        },
      ),
    );
  });

  test('reads on where an answer is full, and reports an instant that has too many entries', async () => {
    await fc.assert(
      fc.asyncProperty(writtenLog, fc.integer({ min: 1, max: 6 }), async (written, maxRows) => {
        const { emitted, later, gaps, entries } = await simulate({ written, maxRows, lines: 0, rounds: 25 });
        expect(new Set(emitted).size).toBe(emitted.length);
        const missed = later.filter((key) => !emitted.includes(key));
        const unexplained = missed.filter(
          (key) => !gaps.includes(entries.find((entry) => entry.key === key)?.micros ?? 0),
        );
        expect(unexplained).toEqual([]);
      }),
    );
  });

  test('begins with the newest entries, oldest first', async () => {
    const written = [5, 1, 3, 2, 4].map((n) => ({ visibleMs: -1000, timeMs: -100_000 + n * 1000 }));
    const { emitted } = await simulate({ written, maxRows: 100, lines: 3, rounds: 1 });
    expect(emitted).toEqual(['e0002', 'e0004', 'e0000']);
    expect((await simulate({ written, maxRows: 100, lines: 0, rounds: 1 })).emitted).toEqual([]);
  });

  test('does not take for new what the first answer had no room for', async () => {
    const written = Array.from({ length: 10 }, (_, n) => ({ visibleMs: -1000, timeMs: -5000 + n * 100 }));
    const { emitted } = await simulate({ written, maxRows: 4, lines: 2, rounds: 3 });
    expect(emitted).toEqual(['e0008', 'e0009']);
  });

  test('shows what writers send whose clocks are behind', async () => {
    const behindMs = 1_800_000;
    const written = Array.from({ length: 20 }, (_, n) => ({
      visibleMs: n * 700,
      timeMs: n * 700 - behindMs,
    }));
    const { emitted, later } = await simulate({ written, maxRows: 100, lines: 1, rounds: 20 });
    expect(later.filter((key) => !emitted.includes(key))).toEqual([]);
    expect(new Set(emitted).size).toBe(emitted.length);
  });

  test('ends with an error that does not pass', async () => {
    const failed = follow({
      lines: 1,
      intervalMs: 1,
      lateMs: 1,
      signal: new AbortController().signal,
      fetchWindow: () => Promise.reject(new Error('refused')),
      retryDelayMs: () => null,
      emit: () => {},
      onGap: () => {},
      sleep: async () => {},
    });
    await expect(failed).rejects.toThrow('refused');
  });
});
