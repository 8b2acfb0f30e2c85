import { describe, expect, test } from '@jest/globals';
import { DEMO_SOURCES, demoEntries, newDemoEntries } from '../../../shared/demo-logs/demo-entries.ts';
import { moveDemo } from '../../../shared/demo-logs/move-demo.ts';

const NOON = BigInt(Date.parse('2026-01-31T12:00:00Z')) * 1000n;
const MINUTE = 60_000_000n;

describe('newDemoEntries', () => {
  test.each(DEMO_SOURCES)('has what demoEntries has after a moment (%s)', (source) => {
    const known = new Set(demoEntries(source, NOON));
    const added = [...demoEntries(source, NOON + 5n * MINUTE)].filter((line) => !known.has(line));
    const entries = [...newDemoEntries(source, NOON, NOON + 5n * MINUTE)];
    expect(entries.map(({ line }) => line)).toEqual(added);
    expect(entries.length).toBeGreaterThan(0);
    for (const { micros, line } of entries) {
      expect(JSON.parse(line).timestamp.slice(0, 23)).toBe(
        new Date(Number(micros / 1000n)).toISOString().slice(0, 23),
      );
    }
  });
});

describe('moveDemo', () => {
  test('adds each entry when its time has come, once and in order', async () => {
    const taken: string[] = [];
    const stop = new AbortController();
    let now = NOON;
    await moveDemo({
      sink: {
        append: async (_, lines) => {
          for (const line of lines) {
            const at = BigInt(Date.parse(JSON.parse(line).timestamp)) * 1000n;
            expect(at).toBeLessThanOrEqual(now);
            expect(at).toBeGreaterThan(now - 2_000_000n);
            taken.push(line);
          }
          return { taken: lines.length, duplicates: 0 };
        },
      },
      sources: ['edge_logs', 'other_logs'],
      since: NOON,
      nowMicros: () => {
        now += 1_000_000n;
        if (now >= NOON + 3n * MINUTE) stop.abort();
        return now;
      },
      signal: stop.signal,
      onFailure: (error) => {
        throw error;
      },
      intervalMs: 0,
    });
    const expected = [...newDemoEntries('edge_logs', NOON, NOON + 3n * MINUTE)].map(({ line }) => line);
    expect(taken).toEqual(expected);
  });

  test('stands still and says why when entries cannot be added', async () => {
    const failures: unknown[] = [];
    const failure = new Error('full');
    await moveDemo({
      sink: { append: () => Promise.reject(failure) },
      sources: DEMO_SOURCES,
      since: NOON,
      nowMicros: () => NOON + MINUTE,
      signal: new AbortController().signal,
      onFailure: (error) => failures.push(error),
    });
    expect(failures).toEqual([failure]);
  });
});
