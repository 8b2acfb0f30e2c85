import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { entry, IDS, idsOf, liveServices } from './support/live-services.ts';

const { start, stop, stopAll, remove } = liveServices();

afterEach(stopAll);
afterAll(remove);

const MICROS_PER_SECOND = 1_000_000n;
const START = BigInt(Date.UTC(2026, 0, 1)) * 1_000n;

describe('entries that are too old', () => {
  it('are not shown, whether they were loaded or arrived, and are not kept by merges', async () => {
    const options = {
      retentionMicros: 30n * MICROS_PER_SECOND,
      nowMicros: () => START + 50n * MICROS_PER_SECOND,
      limits: { sealEntries: 1, mergeCount: 2 },
    };
    const service = await start([entry('old', 10), entry('young', 30)], options);
    expect(idsOf(await service.ask(IDS))).toEqual(['young']);
    await service.live.append('app_logs', [entry('late', 5)]);
    await service.live.append('app_logs', [entry('new', 40)]);
    await service.live.append('app_logs', [entry('newer', 45)]);
    await service.live.append('app_logs', [entry('newest', 46)]);
    const young = ['newest', 'newer', 'new', 'young'];
    expect(idsOf(await service.ask(IDS))).toEqual(young);
    expect(idsOf(await service.askIsolated(IDS))).toEqual(young);
    await service.live.settle();
    expect(idsOf(await service.ask(IDS))).toEqual(young);
    await stop(service);
    // Without the limit, what merges left is all that there is.
    const unlimited = await start([], { databaseFile: service.databaseFile });
    expect(idsOf(await unlimited.ask(IDS))).toEqual(['newest', 'newer', 'new']);
  });
});

describe('a folder that cannot be written', () => {
  it('is reported, takes nothing, and is written once it can be', async () => {
    const { live, ask, databaseFile } = await start([entry('a', 1)]);
    writeFileSync(`${databaseFile}.live`, 'a file in the place of the folder');
    await expect(live.append('app_logs', [entry('b', 2)])).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('the entries were not stored'),
    });
    expect(idsOf(await ask(IDS))).toEqual(['a']);
    rmSync(`${databaseFile}.live`);
    expect(await live.append('app_logs', [entry('b', 2)])).toEqual({ taken: 1, duplicates: 0 });
    expect(idsOf(await ask(IDS))).toEqual(['b', 'a']);
  });

  it('leaves entries in their file of records while they cannot become a segment', async () => {
    const service = await start([], { limits: { sealEntries: 1, mostWaiting: 3 } });
    const { live, ask, databaseFile, warnings } = service;
    await live.append('app_logs', [entry('a', 1)]);
    // The names of the next segments.
    for (let number = 2; number < 60; number += 1)
      mkdirSync(`${databaseFile}.live/segment-${number}.db/x`, { recursive: true });
    await live.append('app_logs', [entry('b', 2)]);
    await live.append('app_logs', [entry('c', 3)]);
    await live.append('app_logs', [entry('d', 4)]);
    await live.settle();
    await expect(live.append('app_logs', [entry('e', 5)])).rejects.toMatchObject({
      kind: 'resource_exhausted',
      headers: { 'Retry-After': '1' },
    });
    expect(idsOf(await ask(IDS))).toEqual(['d', 'c', 'b', 'a']);
    expect(warnings.join()).toContain('could not be put into a segment');
    for (let number = 2; number < 60; number += 1) {
      rmdirSync(`${databaseFile}.live/segment-${number}.db/x`);
      rmdirSync(`${databaseFile}.live/segment-${number}.db`);
    }
    await live.settle();
    expect(await live.append('app_logs', [entry('e', 5)])).toEqual({ taken: 1, duplicates: 0 });
    await live.settle();
    expect(idsOf(await ask(IDS))).toEqual(['e', 'd', 'c', 'b', 'a']);
  });
});

/** The processes that this one has started to write segments. */
function segmentProcesses(): readonly number[] {
  const tasks = readdirSync('/proc/self/task');
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '),
  );
  const isOne = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('segment-process');
    } catch {
      // It has ended meanwhile.
      return false;
    }
  };
  return children.filter((pid) => pid !== '' && isOne(pid)).map(Number);
}

describe('the process that writes segments', () => {
  it('is another one after it was killed, with a segment half-written or not', async () => {
    const { live, ask, databaseFile } = await start([], { limits: { sealEntries: 2_000, mergeCount: 100 } });
    const entries = Array.from({ length: 10_000 }, (_, index) => entry(`n${index}`, index % 60));
    let killed = 0;
    for (let from = 0; from < entries.length; from += 2_000) {
      await live.append('app_logs', entries.slice(from, from + 2_000));
      for (const pid of segmentProcesses()) if (process.kill(pid, 'SIGKILL')) killed += 1;
    }
    expect(killed).toBeGreaterThan(0);
    await live.append('app_logs', [entry('last', 1)]);
    await live.settle();
    await live.settle();
    expect(await ask('SELECT COUNT(DISTINCT id) AS n FROM logs.app_logs')).toEqual(['{"n":10001}']);
    const names = readdirSync(`${databaseFile}.live`);
    expect(names.filter((name) => name.startsWith('segment')).length).toBe(5);
    expect(names.filter((name) => name.includes('.tmp'))).toEqual([]);
  });
});

describe('files that are not needed any more', () => {
  it('stay while a result is read from them, and go then', async () => {
    const entries = Array.from({ length: 3_000 }, (_, index) => entry(`n${index}`, index % 60));
    const { live, warehouse, run, databaseFile } = await start([], {
      limits: { sealEntries: 500, mergeCount: 2 },
    });
    for (let from = 0; from < 2_000; from += 500)
      await live.append('app_logs', entries.slice(from, from + 500));
    const first = await run('SELECT id, event_message FROM logs.app_logs', { maxRows: 600 });
    expect(first.pageToken).toBeDefined();
    for (let from = 2_000; from < 3_000; from += 500)
      await live.append('app_logs', entries.slice(from, from + 500));
    await live.settle();
    await run('SELECT COUNT(*) AS n FROM logs.app_logs');
    const read = new Set(idsOf(first.rows));
    let { pageToken } = first;
    while (pageToken !== undefined) {
      const page = await warehouse.nextPage?.(pageToken, { maxRows: 1_000, deadlineMs: 600_000 });
      for (const id of idsOf(page?.rows ?? [])) read.add(id);
      pageToken = page?.pageToken;
    }
    const missing = [...entries.slice(0, 2_000).keys()].filter((index) => !read.has(`n${index}`));
    expect({ read: read.size, missing: missing.length }).toEqual({ read: 2_000, missing: 0 });
    const files = readdirSync(`${databaseFile}.live`).filter((name) => /^(segment|records)/.test(name));
    expect(files.length).toBeLessThanOrEqual(4);
  });
});
