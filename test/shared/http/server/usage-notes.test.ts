import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import type { QueryUsage, RunOptions } from '../../../../shared/warehouse/warehouse.ts';
import { type Host, serve } from '../support/hosts.ts';
import { type Answer, call } from '../support/http-client.ts';
import { makeTestService, rowsOf, type TestService, TOKEN } from '../support/test-service.ts';

const MIB = 1024 ** 2;
const LOGS = '/api/endpoints/query/logs.all?project=demo';
const USAGE = '/api/endpoints/query/usage.api-counts?project=demo&interval=hourly';

const time = { nowMs: 0 };
const clock = { monotonicMs: () => time.nowMs, wallMs: () => time.nowMs, sleep: async () => {} };
/** What the warehouse does with the next query. */
const world: { run: (options: RunOptions) => Promise<QueryUsage> } = { run: async () => NOTHING };
const NOTHING: QueryUsage = { bytesProcessed: null, bytesBilled: null };

let service: TestService;
let host: Host;
beforeAll(async () => {
  service = makeTestService({
    clock,
    run: async (_, options) => ({ ...rowsOf('{"id":"a"}'), ...(await world.run(options)) }),
  });
  host = await serve(makeQueryHandler(service));
});
afterAll(() => host.close());
beforeEach(() => {
  // Whatever was kept is too old by now.
  time.nowMs += 10_000_000;
});

const send = (path: string): Promise<Answer> => call(host.port, path, { headers: { 'x-api-key': TOKEN } });

/** The log lines that the work leads to, as far as they say what was billed. */
async function linesOf(work: () => Promise<unknown>): Promise<readonly Record<string, unknown>[]> {
  const before = service.lines.length;
  await work();
  await setImmediate();
  return service.lines.slice(before).map((line) => JSON.parse(line));
}

/** Tells what the query took, and gives it. */
function taking(usage: QueryUsage): (options: RunOptions) => Promise<QueryUsage> {
  return async ({ onUsage }) => {
    onUsage?.(usage);
    return usage;
  };
}

describe('the line of a request', () => {
  test('has what its query billed beside what it read', async () => {
    world.run = taking({ bytesProcessed: 1000, bytesBilled: 10 * MIB });
    expect(await linesOf(() => send(LOGS))).toEqual([
      expect.objectContaining({ endpoint: 'logs.all', bytesBilled: 10 * MIB, bytesProcessed: 1000 }),
    ]);
  });

  test('has nothing of it where no usage is counted', async () => {
    world.run = taking(NOTHING);
    const [line] = await linesOf(() => send(LOGS));
    expect(Object.keys(line ?? {}).filter((name) => name.startsWith('bytes'))).toEqual([]);
  });

  test('has all that several jobs of one query took together', async () => {
    world.run = async ({ onUsage }) => {
      for (const bytesProcessed of [1, 2]) onUsage?.({ bytesProcessed, bytesBilled: 10 * MIB });
      return { bytesProcessed: 3, bytesBilled: 20 * MIB };
    };
    expect(await linesOf(() => send(LOGS))).toEqual([
      expect.objectContaining({ bytesBilled: 20 * MIB, bytesProcessed: 3 }),
    ]);
  });

  test('has what a query billed that then failed', async () => {
    world.run = async ({ onUsage }) => {
      onUsage?.({ bytesProcessed: 1000, bytesBilled: 10 * MIB });
      throw new ServiceError('deadline_exceeded', 'It took too long.');
    };
    expect(await linesOf(() => send(LOGS))).toEqual([
      expect.objectContaining({ severity: 'ERROR', bytesBilled: 10 * MIB }),
    ]);
  });

  test('of those who share one query has it once', async () => {
    world.run = taking({ bytesProcessed: 1000, bytesBilled: 10 * MIB });
    const lines = await linesOf(() => Promise.all([send(USAGE), send(USAGE), send(USAGE)]));
    expect(lines).toHaveLength(3);
    expect(lines.filter(({ bytesBilled }) => bytesBilled !== undefined)).toHaveLength(1);
  });

  test('of a kept answer has nothing of it, and the answer has what it billed when it was made', async () => {
    world.run = taking({ bytesProcessed: 1000, bytesBilled: 10 * MIB });
    await send(USAGE);
    const kept: Answer[] = [];
    const [line] = await linesOf(async () => void kept.push(await send(`${USAGE}&meta=true`)));
    expect(line).toMatchObject({ cache: 'HIT' });
    expect(line).not.toHaveProperty('bytesBilled');
    expect(kept[0]?.headers).toMatchObject({
      'x-bytes-billed': String(10 * MIB),
      'x-bytes-processed': '1000',
    });
    expect(kept[0]?.json()).toMatchObject({ meta: { bytesBilled: 10 * MIB, bytesProcessed: 1000 } });
  });
});

test('what is counted after the answer has a separate line that counts as no request', async () => {
  const later: NonNullable<RunOptions['onUsage']>[] = [];
  world.run = async ({ onUsage }) => {
    if (onUsage !== undefined) later.push(onUsage);
    throw new ServiceError('deadline_exceeded', 'It took too long.');
  };
  const [line] = await linesOf(() => send(LOGS));
  expect(line).not.toHaveProperty('bytesBilled');
  const late = await linesOf(async () => {
    for (const onUsage of later) onUsage({ bytesProcessed: null, bytesBilled: 50 * MIB });
  });
  expect(late).toEqual([
    {
      severity: 'INFO',
      message: 'A query was counted after its answer',
      time: expect.any(String),
      requestId: line?.requestId,
      endpoint: 'logs.all',
      token: 'suite',
      bytesBilled: 50 * MIB,
    },
  ]);
});
