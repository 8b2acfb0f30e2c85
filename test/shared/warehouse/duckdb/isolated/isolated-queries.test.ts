import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServiceError } from '../../../../../shared/errors/service-error.ts';
import { ENDLESS, isAlive, type OpenService, openService } from './open-isolated.ts';

const COUNT = 'SELECT COUNT(*) AS n FROM logs.edge_logs';
const SLOW = `SELECT COUNT(*) AS n FROM UNNEST(GENERATE_ARRAY(1, 5000)) AS a, UNNEST(GENERATE_ARRAY(1, 5000)) AS b
  WHERE MOD(a + b, 2) = 0`;

let opened: OpenService[];

beforeEach(() => {
  opened = [];
});
afterEach(async () => {
  for (const { warehouse } of opened) await warehouse.close();
});

async function open(...args: Parameters<typeof openService>): Promise<OpenService> {
  const service = await openService(...args);
  opened.push(service);
  return service;
}

function failure(outcome: Promise<unknown>): Promise<ServiceError | null> {
  return outcome.then(
    () => null,
    (error: ServiceError) => error,
  );
}

function onlyPid({ isolated }: OpenService): number {
  const [pid, ...more] = isolated.pids();
  if (pid === undefined || more.length > 0) throw new Error(`${isolated.pids()} is not one process`);
  return pid;
}

describe('a query process', () => {
  test('is started for the first consumer and serves the next ones', async () => {
    const service = await open();
    await service.askStored(COUNT);
    expect(service.isolated.pids()).toEqual([]);
    await service.ask(COUNT);
    const pid = onlyPid(service);
    await service.ask(COUNT);
    expect(onlyPid(service)).toBe(pid);
    expect(pid).not.toBe(process.pid);
  });

  test('that is killed from outside loses no query and doubles none', async () => {
    const service = await open();
    await service.ask(COUNT);
    const pid = onlyPid(service);
    const answers = [service.ask(SLOW), service.ask(COUNT), service.ask(SLOW)];
    process.kill(pid, 'SIGKILL');
    const rows = (await Promise.all(answers)).map((answer) => answer.rows);
    expect(rows).toEqual([['{"n":12500000}'], ['{"n":3}'], ['{"n":12500000}']]);
    expect(isAlive(pid)).toBe(false);
    expect(service.warnings).toEqual(["a process with 3 consumers' queries was ended by SIGKILL."]);
    expect((await service.ask(COUNT)).rows).toEqual(['{"n":3}']);
  });

  test('is gone when the warehouse is closed, with its files, and what it ran is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'isolated-'));
    const service = await open({}, { databaseFile: null, temporaryParent: folder });
    await service.ask(COUNT);
    const pid = onlyPid(service);
    const refused = failure(service.ask(ENDLESS));
    await service.warehouse.close();
    expect(isAlive(pid)).toBe(false);
    expect(await refused).toMatchObject({ kind: 'unavailable' });
    expect(await failure(service.ask(COUNT))).toMatchObject({ kind: 'unavailable' });
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  test('that cannot start refuses what waits for it, and nothing else', async () => {
    const service = await open({ databasePath: '/nowhere/logs.db' });
    expect(await failure(service.ask(COUNT))).toMatchObject({
      kind: 'unavailable',
      message: 'The warehouse failed; try again.',
      cause: expect.anything(),
    });
    expect((await service.askStored(COUNT)).rows).toEqual(['{"n":3}']);
  });

  test('serves one service only, and two services do not disturb each other', async () => {
    const [first, second] = [await open(), await open()];
    const counts = await Promise.all([first.ask(COUNT), second.ask(COUNT)]);
    expect(counts.map(({ rows }) => rows)).toEqual([['{"n":3}'], ['{"n":3}']]);
    expect(onlyPid(first)).not.toBe(onlyPid(second));
    await first.warehouse.close();
    expect((await second.ask(COUNT)).rows).toEqual(['{"n":3}']);
  });
});

describe('a query that is refused', () => {
  test.each([
    ['a name that is not there', 'SELECT nope\nFROM logs.edge_logs'],
    ['a value that does not fit', 'SELECT CAST(id AS INT64) FROM logs.edge_logs'],
    ['no query at all', 'SELECT FROM'],
    ['an answer too long', "SELECT REPEAT('x', 900000) FROM UNNEST(GENERATE_ARRAY(1, 100)) AS a"],
  ])('says the same as in the service itself: %s', async (_name, sql) => {
    const service = await open({ memoryLimitMiB: 512, maxResidentMiB: 1024 });
    const here = await failure(service.askStored(sql));
    const there = await failure(service.ask(sql));
    const { kind, message, details, headers } = here as ServiceError;
    expect(there).toMatchObject({ name: 'ServiceError', kind, message, details, headers });
    expect(there?.cause === undefined).toBe(here?.cause === undefined);
  });
});

describe('queries that wait', () => {
  test('are refused beyond the limit, with when to come back', async () => {
    const service = await open({ concurrency: 1, queueLimit: 1 });
    const abort = new AbortController();
    const waiting = [1, 2].map(() => failure(service.ask(ENDLESS, { signal: abort.signal })));
    expect(await failure(service.ask(COUNT))).toMatchObject({
      kind: 'resource_exhausted',
      message: 'Too many queries are waiting; try again in a moment.',
      headers: { 'Retry-After': '1' },
    });
    abort.abort();
    const gone = { kind: 'deadline_exceeded', message: expect.stringMatching(/caller went away/) };
    expect(await Promise.all(waiting)).toEqual([
      expect.objectContaining(gone),
      expect.objectContaining(gone),
    ]);
  });

  test('run out of their time while they wait', async () => {
    const service = await open({ concurrency: 1 });
    await service.ask(COUNT);
    const abort = new AbortController();
    const first = failure(service.ask(ENDLESS, { signal: abort.signal }));
    expect(await failure(service.ask(COUNT, { deadlineMs: 100 }))).toMatchObject({
      kind: 'deadline_exceeded',
      message: expect.stringMatching(/100 ms/),
    });
    abort.abort();
    await first;
  });

  test('go on when the caller of the one before them goes away, in the same process', async () => {
    const service = await open({ concurrency: 1 });
    await service.ask(COUNT);
    const pid = onlyPid(service);
    const abort = new AbortController();
    const first = failure(service.ask(ENDLESS, { signal: abort.signal }));
    const second = service.ask(COUNT);
    abort.abort();
    expect(await first).toMatchObject({ kind: 'deadline_exceeded' });
    expect((await second).rows).toEqual(['{"n":3}']);
    expect(onlyPid(service)).toBe(pid);
  });

  test('are not begun for a caller who has gone already', async () => {
    const service = await open();
    const error = await failure(service.ask(COUNT, { signal: AbortSignal.abort() }));
    expect(error?.message).toMatch(/caller went away/);
    expect(service.isolated.pids()).toEqual([]);
  });
});
