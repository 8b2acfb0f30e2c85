import { beforeEach, describe, expect, test } from '@jest/globals';
import { makeResultCache } from '../../../shared/cache/result-cache.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { makeObtainResult } from '../../../shared/results/obtain-result.ts';
import type { Warehouse } from '../../../shared/warehouse/warehouse.ts';
import { memoryAskedSets } from '../../../shared/warming/memory-asked-sets.ts';
import { MAX_SETS, makeWarmer, type WarmingLimits } from '../../../shared/warming/warmer.ts';
import { memoryLocks } from '../../../shared/warming/warming-locks.ts';
import { runWarmingTimer } from '../../../shared/warming/warming-timer.ts';
import { openAdmission } from '../admission/support/open-admission.ts';
import { ENDPOINTS } from '../http/support/test-service.ts';

const USAGE = warmedEndpoint();
const LIMITS: WarmingLimits = {
  windowSeconds: 3600,
  concurrency: 2,
  deadlineMs: 60_000,
  maxBytes: 1_000_000,
};
const signal = new AbortController().signal;

function warmedEndpoint(): Endpoint {
  const endpoint = ENDPOINTS.find(({ warmEverySeconds }) => warmEverySeconds !== null);
  if (endpoint === undefined) throw new Error('there is no endpoint to warm');
  return endpoint;
}

/** A warehouse that answers what the project's name says, and a clock that the test moves. */
function openWorld(limits: Partial<WarmingLimits> = {}) {
  const time = { ms: 0 };
  const ran: string[] = [];
  const warnings: string[] = [];
  const gate: { wait: Promise<void> } = { wait: Promise.resolve() };
  const clock = { monotonicMs: () => time.ms, wallMs: () => time.ms, sleep: async () => {} };
  const warehouse: Warehouse = {
    tables: new Map(),
    describe: async () => [],
    async run({ parameters }, { onUsage }) {
      const project = String(parameters.get('project')?.value);
      ran.push(project);
      await gate.wait;
      const usage = { bytesProcessed: 1_000, bytesBilled: 600_000 };
      onUsage?.(usage);
      if (project.startsWith('slow')) time.ms += 40_000;
      if (project === 'broken') throw new ServiceError('deadline_exceeded', 'It took too long.');
      return {
        columns: [],
        rows: [`{"project":"${project}","ms":${time.ms}}`],
        truncated: false,
        ...usage,
      };
    },
    ping: async () => {},
    close: async () => {},
  };
  const cache = makeResultCache({ maxBytes: 1_000_000, shared: null, clock });
  const obtain = makeObtainResult({
    warehouse,
    cache,
    nowMicros: () => 0n,
    monotonicMs: () => clock.monotonicMs(),
    deadlineMs: 1000,
    sqlDeadlineMs: 1000,
    byteCaps: { consumerMaxBytesBilled: 1_073_741_824, storedMaxBytesBilled: 107_374_182_400 },
    admission: openAdmission(),
  });
  const asked = memoryAskedSets(clock, 100);
  const warm = makeWarmer({
    obtain,
    redacted: async (endpoint) => endpoint,
    asked,
    locks: memoryLocks(),
    clock,
    limits: { ...LIMITS, ...limits },
    warn: (message, fields) => void warnings.push(`${message} ${String(fields?.reason)}`),
  });
  const ask = (project: string, times = 1, token = 'token') => {
    for (let time = 0; time < times; time += 1) {
      asked.record(
        { endpointId: USAGE.id, parameters: { project, interval: 'daily' }, isRedacted: false },
        token,
      );
    }
  };
  return { time, ran, warnings, gate, cache, warm, ask };
}

let world: ReturnType<typeof openWorld>;
beforeEach(() => {
  world = openWorld();
});

describe('a round of warming', () => {
  test('does nothing where nobody asked', async () => {
    expect(await world.warm(USAGE, signal)).toEqual({
      refreshed: 0,
      skipped: 0,
      failed: 0,
      left: 0,
      bytesBilled: 0,
    });
    expect(world.ran).toEqual([]);
  });

  test('refreshes what was asked for, what waits longest first, however often the others are asked for', async () => {
    world = openWorld({ concurrency: 1, maxBytes: 10_000_000 });
    world.ask('rare');
    world.ask('common', 3);
    expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 2, skipped: 0, failed: 0, left: 0 });
    expect(world.ran).toEqual(['rare', 'common']);
  });

  test('begins with what the round before has left, so that each set has its turn', async () => {
    world = openWorld({ concurrency: 1, deadlineMs: 40_000 });
    for (const project of ['slow', 'slow 2', 'slow 3']) world.ask(project);
    for (const left of [2, 2, 2])
      expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 1, left });
    expect(world.ran).toEqual(['slow', 'slow 2', 'slow 3']);
  });

  test('refreshes as many sets as a round can, and says how many are left', async () => {
    world = openWorld({ maxBytes: Number.MAX_SAFE_INTEGER });
    for (let number = 0; number < MAX_SETS + 20; number += 1) world.ask(`p${number}`, 1, `token ${number}`);
    expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: MAX_SETS, left: 20 });
    expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: MAX_SETS, left: 20 });
    expect(world.ran.slice(MAX_SETS, MAX_SETS + 21)).toEqual([
      ...Array.from({ length: 20 }, (_, number) => `p${MAX_SETS + number}`),
      'p0',
    ]);
  });

  test('leaves what nobody asked for in the last hour to go cold', async () => {
    world.ask('old');
    world.time.ms = 3_600_000;
    world.ask('new');
    expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 1 });
    expect(world.ran).toEqual(['new']);
  });

  test('goes on past a set that fails, and says why in the log', async () => {
    world.ask('broken');
    world.ask('good');
    expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 1, skipped: 0, failed: 1 });
    expect(world.warnings).toEqual(['A result could not be warmed deadline_exceeded']);
  });

  test('begins nothing after its deadline', async () => {
    world = openWorld({ concurrency: 1, deadlineMs: 40_000 });
    world.ask('slow');
    world.ask('late');
    expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 1, skipped: 0, failed: 0, left: 1 });
  });

  test('begins nothing when its bytes are used up', async () => {
    world = openWorld({ concurrency: 1 });
    for (const project of ['a', 'b', 'c', 'd']) world.ask(project);
    expect(await world.warm(USAGE, signal)).toEqual({
      refreshed: 2,
      skipped: 0,
      failed: 0,
      left: 2,
      bytesBilled: 1_200_000,
    });
  });

  test('counts what failed queries billed, and tells of every query', async () => {
    world = openWorld({ concurrency: 1 });
    for (const project of ['broken', 'b', 'c', 'd']) world.ask(project, project === 'broken' ? 3 : 1);
    const told: (number | null)[] = [];
    const report = await world.warm(USAGE, signal, ({ bytesBilled }) => void told.push(bytesBilled));
    expect(report).toEqual({ refreshed: 1, skipped: 2, failed: 1, bytesBilled: 1_200_000 });
    expect(told).toEqual([600_000, 600_000]);
  });

  test('does the work once when two of them overlap', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.gate.wait = promise;
    world.ask('demo');
    const rounds = [world.warm(USAGE, signal), world.warm(USAGE, signal)];
    resolve();
    expect(await Promise.all(rounds)).toEqual([
      { refreshed: 1, skipped: 0, failed: 0, left: 0, bytesBilled: 600_000 },
      { refreshed: 0, skipped: 1, failed: 0, left: 0, bytesBilled: 0 },
    ]);
    expect(world.ran).toEqual(['demo']);
    await world.warm(USAGE, signal);
    expect(world.ran).toEqual(['demo', 'demo']);
  });

  test('fails a set whose parameters the endpoint takes no more', async () => {
    world.ask('[unfinished');
    expect(await world.warm(USAGE, signal)).toMatchObject({ failed: 1 });
    expect(world.ran).toEqual([]);
  });
});

describe('the timer', () => {
  test('warms each endpoint that has warming, as often as it says, until it is stopped', async () => {
    const slept: number[] = [];
    const rounds: string[] = [];
    const stop = new AbortController();
    const calls: string[] = [];
    await runWarmingTimer({
      endpoints: ENDPOINTS,
      warm: async ({ name }) => {
        calls.push(name);
        rounds.push(name);
        if (calls.length === 2) throw new Error('once');
        if (calls.length === 3) stop.abort();
        return { refreshed: 1, skipped: 0, failed: 0, left: 0, bytesBilled: 0 };
      },
      clock: {
        monotonicMs: () => 0,
        wallMs: () => 0,
        sleep: async (ms) => {
          slept.push(ms);
        },
      },
      signal: stop.signal,
      onRound: () => void rounds.push('told'),
      onFailure: () => void rounds.push('failed'),
    });
    expect(slept).toEqual([300_000, 300_000, 300_000]);
    expect(rounds).toEqual([
      'usage.api-counts',
      'told',
      'usage.api-counts',
      'failed',
      'usage.api-counts',
      'told',
    ]);
  });
});
