import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { entry, idsOf, liveServices } from './support/live-services.ts';

const { start, stopAll, remove } = liveServices();

afterEach(stopAll);
afterAll(remove);

const COUNT = 'SELECT COUNT(*) AS n FROM logs.app_logs';
const NEWEST = 'SELECT id FROM logs.app_logs ORDER BY timestamp DESC LIMIT 3';
const ALL = 'SELECT id FROM logs.app_logs ORDER BY timestamp DESC';

describe('queries while entries arrive, and files become segments', () => {
  it('see all that was taken before they began, in the service and in processes of queries', async () => {
    const { live, ask, askIsolated } = await start([entry('first', 1)], {
      limits: { sealEntries: 3, mergeCount: 2, mostWaiting: 100 },
    });
    let taken = 1;
    let isDone = false;
    const write = async () => {
      for (let index = 0; index < 40; index += 1) {
        await live.append('app_logs', [
          entry(`a${index}`, 1 + index),
          entry(`b${index}`, 1 + index, { metadata: [{ level: 'x' }, { level: 'y' }] }),
        ]);
        taken += 2;
      }
      isDone = true;
    };
    const read = async (one: (sql: string) => Promise<readonly string[]>) => {
      do {
        const before = taken;
        const [row = '{}'] = await one(COUNT);
        const { n } = JSON.parse(row) as { n: number };
        expect(n).toBeGreaterThanOrEqual(before);
        // A batch has two entries, and is seen as a whole.
        expect(n % 2).toBe(1);
        expect((await one(NEWEST)).length).toBeGreaterThanOrEqual(Math.min(3, n));
      } while (!isDone);
    };
    await Promise.all([write(), read(ask), read(ask), read(askIsolated)]);
    await live.settle();
    expect(await ask(COUNT)).toEqual(['{"n":81}']);
    expect(await askIsolated(COUNT)).toEqual(['{"n":81}']);
  });

  it('see entries that the values so far ruled out', async () => {
    const { live, ask, askIsolated, warehouse } = await start([entry('a', 1)]);
    const askFor = async (text: string) => {
      const sql = 'SELECT id FROM logs.app_logs WHERE id > @text ORDER BY id';
      const parameters = new Map([['text', { type: 'STRING' as const, value: text }]]);
      const options = { maxRows: 10, deadlineMs: 600_000, nowMicros: 0n };
      return (await warehouse.run({ sql, parameters }, options)).rows;
    };
    const ways = [ask, askIsolated, () => askFor('m')];
    const later = "SELECT id FROM logs.app_logs WHERE id > 'm' ORDER BY id";
    await live.append('app_logs', [entry('b', 2)]);
    for (const one of ways) expect(idsOf(await one(later))).toEqual([]);
    await live.append('app_logs', [entry('x', 3)]);
    for (const one of ways) expect(idsOf(await one(later))).toEqual(['x']);
    await live.append('app_logs', [entry('y', 4)]);
    for (const one of ways) expect(idsOf(await one(later))).toEqual(['x', 'y']);
  });

  it.each([
    ['entries as they are', 'SELECT id, timestamp, event_message, metadata FROM logs.app_logs', 1],
    ['no column', 'SELECT 1 AS one FROM logs.app_logs', 1],
    ['a field of a record', 'SELECT m.level FROM logs.app_logs, UNNEST(metadata) AS m', 1],
    [
      'both',
      'SELECT a.id, b.level FROM (SELECT id FROM logs.app_logs) AS a JOIN (SELECT id, m.level FROM logs.app_logs, UNNEST(metadata) AS m) AS b ON a.id = b.id',
      1,
    ],
    [
      'both, the record first',
      'SELECT level FROM (SELECT m.level FROM logs.app_logs, UNNEST(metadata) AS m UNION ALL SELECT event_message AS level FROM logs.app_logs)',
      2,
    ],
  ])('see entries that arrive between them, in tables that have %s', async (_, sql, times) => {
    const { live, ask, askIsolated } = await start([]);
    const append = (second: number) =>
      live.append('app_logs', [entry(`n${second}`, second, { metadata: [{ level: 'x' }] })]);
    const others = [
      'SELECT id FROM logs.app_logs',
      'SELECT id FROM logs.app_logs, UNNEST(metadata) AS m WHERE m.level = "x"',
    ];
    for (let second = 1; second <= 6; second += 2) {
      await append(second);
      expect(await ask(sql)).toHaveLength(second * times);
      await append(second + 1);
      // What one query has filled is not all that another one needs.
      for (const other of others) expect(await ask(other)).toHaveLength(second + 1);
      expect(await ask(sql)).toHaveLength((second + 1) * times);
    }
    expect(await askIsolated(sql)).toHaveLength(6 * times);
  });

  it('go on with their next page after the parts of the first are gone', async () => {
    const { live, run, warehouse } = await start([entry('a', 1)], {
      limits: { sealEntries: 2, mergeCount: 2 },
    });
    const append = (from: number) =>
      live.append('app_logs', [entry(`n${from}`, from), entry(`m${from}`, from)]);
    for (const second of [10, 20, 30]) await append(second);
    const ids: string[] = [];
    let page = await run(ALL, { maxRows: 2 });
    for (let second = 40; ; second += 1) {
      ids.push(...idsOf(page.rows));
      if (page.pageToken === undefined) break;
      await append(second);
      await live.settle();
      // Another query has the reader go on to the parts that there are now.
      await run(COUNT);
      const next = await warehouse.nextPage?.(page.pageToken, { maxRows: 2, deadlineMs: 600_000 });
      if (next === undefined) throw new TypeError('the warehouse has no pages');
      page = next;
    }
    expect(ids.toSorted()).toEqual(['a', 'm10', 'm20', 'm30', 'n10', 'n20', 'n30']);
  });
});
