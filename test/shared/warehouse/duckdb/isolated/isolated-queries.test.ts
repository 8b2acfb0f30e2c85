import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ServiceError } from '../../../../../shared/errors/service-error.ts';
import { nextPage } from '../../contract/paging.ts';
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

  test('has the functions that DuckDB lacks, and ends while it computes them', async () => {
    const service = await open();
    const { rows } = await service.ask("SELECT LEFT(TO_HEX(SHA512('abc')), 8) AS d, TO_BASE32(b'foo') AS b");
    expect(rows).toEqual(['{"d":"ddaf35a1","b":"MZXW6==="}']);
    const endless = `SELECT COUNT(DISTINCT SHA512(CAST(a * b AS STRING))) AS n
      FROM UNNEST(GENERATE_ARRAY(1, 50000)) AS a, UNNEST(GENERATE_ARRAY(1, 50000)) AS b`;
    const error = await failure(service.ask(endless, { deadlineMs: 1_000 }));
    expect(error?.kind).toBe('deadline_exceeded');
    expect((await service.ask(COUNT)).rows).toEqual(['{"n":3}']);
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
    expect(service.warnings).toEqual(["a process with a consumer's query was ended by SIGKILL."]);
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

/** Resolves when a condition holds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await setImmediate();
}

describe('a query that cannot be interrupted', () => {
  /** Stops the one process there is in its tracks, as an expression does that looks at no interruption. */
  const stop = (service: OpenService) => {
    const pid = onlyPid(service);
    process.kill(pid, 'SIGSTOP');
    return pid;
  };

  test('ends with its process when its caller goes away, and the next one has a new process', async () => {
    const service = await open({ concurrency: 1, graceMs: 50 });
    await service.ask(COUNT);
    const abort = new AbortController();
    const gone = failure(service.ask(ENDLESS, { signal: abort.signal, owner: 'attacker' }));
    const pid = stop(service);
    const next = service.ask(COUNT, { owner: 'caller' });
    abort.abort();
    expect(await gone).toMatchObject({ message: expect.stringMatching(/caller went away/) });
    expect((await next).rows).toEqual(['{"n":3}']);
    expect(onlyPid(service)).not.toBe(pid);
    expect(service.warnings).toEqual([]);
  });

  test('ends with its process at its deadline', async () => {
    const service = await open({ concurrency: 1, graceMs: 50 });
    await service.ask(COUNT);
    const slow = failure(service.ask(ENDLESS, { deadlineMs: 200 }));
    stop(service);
    expect(await slow).toMatchObject({ kind: 'deadline_exceeded', message: expect.stringMatching(/200 ms/) });
    expect((await service.ask(COUNT)).rows).toEqual(['{"n":3}']);
  });

  test('takes nothing from those beside it: neither their rows, nor their processes, nor their pages', async () => {
    const service = await open({ graceMs: 50 });
    await service.ask(COUNT, { owner: 'attacker' });
    const abort = new AbortController();
    const gone = failure(service.ask(ENDLESS, { signal: abort.signal, owner: 'attacker' }));
    const stopped = stop(service);
    const page = await service.ask('SELECT x FROM UNNEST(GENERATE_ARRAY(1, 2600)) AS x', { owner: 'caller' });
    const [kept] = service.isolated.pids().filter((pid) => pid !== stopped);
    const beside = service.ask(SLOW, { owner: 'caller' });
    abort.abort();
    await gone;
    expect((await beside).rows).toEqual(['{"n":12500000}']);
    expect(service.isolated.pids()).toContain(kept);
    expect(service.isolated.pids()).not.toContain(stopped);
    const next = await nextPage(service.warehouse, page.pageToken);
    expect(next.rows[0]).toBe('{"x":1001}');
  });

  test('is charged what it took, and the start of the process that replaces the previous one', async () => {
    const service = await open({ concurrency: 1, graceMs: 50 });
    let cpuMs = 0;
    const onCpu = (ms: number) => {
      cpuMs += ms;
    };
    await service.ask(COUNT);
    const abort = new AbortController();
    const gone = failure(service.ask('SELECT 1', { signal: abort.signal, onCpu }));
    stop(service);
    abort.abort();
    await gone;
    expect(cpuMs).toBeGreaterThan(0);
  });
});

describe('query processes', () => {
  test('count the CPU time of a query while it runs', async () => {
    const service = await open();
    const abort = new AbortController();
    let cpuMs = 0;
    const endless = failure(
      service.ask(ENDLESS, {
        signal: abort.signal,
        onCpu: (ms) => {
          cpuMs += ms;
          if (cpuMs > 300) abort.abort();
        },
      }),
    );
    expect(await endless).toMatchObject({ message: expect.stringMatching(/caller went away/) });
    expect(cpuMs).toBeGreaterThan(300);
  });

  test('stand by for the next caller once there was one, and go when no caller comes', async () => {
    const service = await open({ spares: 1, idleMs: 2_000 });
    await service.ask(COUNT);
    await until(() => service.isolated.pids().length === 2);
    await until(() => service.isolated.pids().length === 0);
    expect((await service.ask(COUNT)).rows).toEqual(['{"n":3}']);
  });

  test('are not shared by owners while there is room', async () => {
    const service = await open({ concurrency: 2 });
    await service.ask(COUNT, { owner: 'one' });
    const [first] = service.isolated.pids();
    await service.ask(COUNT, { owner: 'other' });
    expect(service.isolated.pids()).toHaveLength(2);
    await service.ask(COUNT, { owner: 'third' });
    await service.ask(COUNT, { owner: 'other' });
    expect(service.isolated.pids()).toHaveLength(2);
    expect(service.isolated.pids()).toContain(first);
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
