import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { entry, idsOf, liveServices } from './support/live-services.ts';

const { start, stopAll, remove } = liveServices();

afterEach(stopAll);
afterAll(remove);

/** An entry as it was sent. */
interface Sent {
  readonly id: string;
  readonly second: number;
  readonly levels: readonly string[];
}

/** Batches with newer, older and equally old entries, some of which have a record twice. */
const BATCHES: readonly (readonly Sent[])[] = [
  [10, 11, 12],
  [12, 12, 13],
  [1, 2, 30],
  [30, 31, 31],
  [5, 31, 32],
  [32, 32, 33],
  [40],
  [33, 33, 34],
  [41, 42, 43],
  [43, 3, 44],
  [44],
].map((seconds, batch) =>
  seconds.map((second, index) => ({
    id: `${String(batch).padStart(2, '0')}-${index}`,
    second,
    levels: [['x'], ['x', 'y'], [], ['y']][(batch + 2 * index) % 4] ?? [],
  })),
);

const line = ({ id, second, levels }: Sent) =>
  entry(id, second, { event_message: levels.join(), metadata: levels.map((level) => ({ level })) });

const newestFirst = (sent: readonly Sent[]) =>
  sent.toSorted((a, b) => b.second - a.second || (a.id < b.id ? -1 : 1));

/** Queries for the newest rows, and the ids that they answer, of all rows. */
const QUERIES: readonly (readonly [string, string, (sent: readonly Sent[]) => readonly string[]])[] = [
  ['entries', 'SELECT id FROM logs.app_logs', (sent) => sent.map(({ id }) => id)],
  [
    'entries with a message',
    "SELECT id, metadata FROM logs.app_logs WHERE event_message = 'x'",
    (sent) => sent.flatMap(({ id, levels }) => (levels.join() === 'x' ? [id] : [])),
  ],
  [
    'elements of a record',
    'SELECT id FROM logs.app_logs, UNNEST(metadata) AS m WHERE m.level = "y"',
    (sent) => sent.flatMap(({ id, levels }) => levels.filter((level) => level === 'y').map(() => id)),
  ],
  [
    'entries with and without a record',
    'SELECT id FROM (SELECT t.id, t.timestamp FROM logs.app_logs AS t LEFT JOIN UNNEST(metadata) AS m)',
    (sent) => sent.flatMap(({ id, levels }) => (levels.length === 0 ? [id] : levels.map(() => id))),
  ],
];
const LIMITS = [[1], [2], [4], [7], [40], [2, 3]] as const;

describe('the newest rows of a source, while entries arrive late, and files become segments', () => {
  it.each([
    ['that was loaded', [0, 20]],
    ['that had no entries', []],
  ])('are those of all parts of one %s', async (_, seconds) => {
    const loaded = seconds.map((second): Sent => ({ id: `loaded-${second}`, second, levels: ['x', 'y'] }));
    const { live, ask, askIsolated } = await start(loaded.map(line), {
      limits: { sealEntries: 4, mergeCount: 3, mostWaiting: 100 },
    });
    const sent = [...loaded];
    for (const [index, batch] of BATCHES.entries()) {
      await live.append('app_logs', batch.map(line));
      sent.push(...batch);
      // Where it is not waited for, entries are in some files of records.
      if (index % 3 === 2) await live.settle();
      const all = newestFirst(sent);
      for (const [name, sql, answer] of QUERIES) {
        for (const [limit, offset = 0] of LIMITS) {
          const query = `${sql} ORDER BY timestamp DESC, id LIMIT ${limit} OFFSET ${offset}`;
          const expected = answer(all).slice(offset, offset + limit);
          expect([index, name, limit, idsOf(await ask(query))]).toEqual([index, name, limit, expected]);
          if (index % 4 === 3) expect(idsOf(await askIsolated(query))).toEqual(expected);
        }
      }
    }
  });

  it('are read from no more parts than have them', async () => {
    const seconds = Array.from({ length: 20 }, (_, second) => second);
    const { live, run } = await start(
      seconds.map((second) => entry(`loaded-${second}`, second)),
      { limits: { sealEntries: 4, mergeCount: 100 } },
    );
    for (const second of [30, 35, 40, 45]) {
      await live.append(
        'app_logs',
        seconds.slice(0, 5).map((more) => entry(`s${second + more}`, second + more)),
      );
      await live.settle();
    }
    const scanned = async (limit: number) => {
      const sql = `SELECT id, metadata FROM logs.app_logs ORDER BY timestamp DESC LIMIT ${limit}`;
      const { rows, rowsScanned } = await run(sql, { countsRows: true });
      expect(rows).toHaveLength(limit);
      return rowsScanned ?? Number.NaN;
    };
    const [few, many] = [await scanned(3), await scanned(30)];
    // The rows are looked for, and then read.
    expect(few).toBeLessThanOrEqual(2 * 10);
    expect(many).toBeGreaterThan(40);
  });

  it('leave out those that are too old to be seen', async () => {
    const nowMicros = BigInt(Date.UTC(2026, 0, 1)) * 1000n;
    const { live, ask } = await start([entry('loaded', 1), entry('seen', 8)], {
      limits: { sealEntries: 2, mergeCount: 10 },
      retentionMicros: 1_000_000n,
      nowMicros: () => nowMicros + 6_000_000n,
    });
    for (const second of [9, 4, 10, 3]) {
      await live.append('app_logs', [entry(`s${second}`, second), entry(`t${second}`, second)]);
      await live.settle();
    }
    const newest = (limit: number) =>
      ask(`SELECT id FROM logs.app_logs ORDER BY timestamp DESC, id LIMIT ${limit}`);
    expect(idsOf(await newest(3))).toEqual(['s10', 't10', 's9']);
    expect(idsOf(await newest(9))).toEqual(['s10', 't10', 's9', 't9', 'seen']);
  });
});
