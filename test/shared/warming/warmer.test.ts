import { beforeEach, describe, expect, test } from '@jest/globals';
import { makeResultCache } from '../../../shared/cache/result-cache.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { makeEstimateResult } from '../../../shared/results/estimate-result.ts';
import { makeObtainResult } from '../../../shared/results/obtain-result.ts';
import type { Warehouse } from '../../../shared/warehouse/warehouse.ts';
import { memoryDemandLog } from '../../../shared/warming/memory-demand-log.ts';
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
  maxBytes: Number.MAX_SAFE_INTEGER,
};

const MIB = 1024 * 1024;
/** What most queries are estimated to read, and do. */
const BILLED_BYTES = 40 * MIB;
/** What those of projects named large are estimated to. They read as much as the others all the same. */
const LARGE_BYTES = 300 * MIB;
/** Each query bills at least so much for its one table, and may bill so much beside what it reads. */
const TABLE_BYTES = 10 * MIB;
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
  let capped = 0;
  let mostCapped = 0;
  const warnings: string[] = [];
  const gate: { wait: Promise<void> } = { wait: Promise.resolve() };
  const clock = { monotonicMs: () => time.ms, wallMs: () => time.ms, sleep: async () => {} };
  const warehouse: Warehouse = {
    tables: new Map(),
    prepare: async () => ({ columns: [] }),
    async run({ parameters }, { maxBytesBilled, onUsage }) {
      const project = String(parameters.get('project')?.value);
      ran.push(project);
      capped += maxBytesBilled ?? 0;
      mostCapped = Math.max(mostCapped, capped);
      await gate.wait;
      capped -= maxBytesBilled ?? 0;
      const usage = { bytesProcessed: 1_000, bytesBilled: BILLED_BYTES };
      if (project !== 'broken') onUsage?.(usage);
      if (project.startsWith('slow')) time.ms += 40_000;
      if (project === 'broken') throw new ServiceError('deadline_exceeded', 'It took too long.');
      return {
        columns: [],
        rows: [`{"project":"${project}","ms":${time.ms}}`],
        truncated: false,
        ...usage,
      };
    },
    async estimate({ parameters }) {
      const project = String(parameters.get('project')?.value);
      if (project === 'unknown') throw new ServiceError('unavailable', 'The warehouse failed.');
      const bytes = project.startsWith('large') ? LARGE_BYTES : BILLED_BYTES;
      return { bytes, bytesBilled: bytes, isRefused: false };
    },
    ping: async () => {},
    close: async () => {},
  };
  const cache = makeResultCache({ maxBytes: 1_000_000, shared: null, clock });
  const running = {
    warehouse,
    cache,
    nowMicros: () => 0n,
    monotonicMs: () => clock.monotonicMs(),
    deadlineMs: 1000,
    sqlDeadlineMs: 1000,
    byteCaps: { consumerMaxBytesBilled: 1_073_741_824, storedMaxBytesBilled: 107_374_182_400 },
    admission: openAdmission(),
  };
  const demand = memoryDemandLog(clock, 100);
  const warm = makeWarmer({
    obtain: makeObtainResult(running),
    estimate: makeEstimateResult(running),
    redacted: async (endpoint) => endpoint,
    demand,
    locks: memoryLocks(),
    clock,
    limits: { ...LIMITS, ...limits },
    warn: (message, fields) => void warnings.push(`${message} ${String(fields?.reason)}`),
  });
  const ask = (project: string, times = 1, token = 'token') => {
    for (let time = 0; time < times; time += 1) {
      demand.record(
        { endpointId: USAGE.id, parameters: { project, interval: 'daily' }, isRedacted: false },
        token,
      );
    }
  };
  return {
    time,
    ran,
    warnings,
    gate,
    cache,
    warm,
    ask,
    /** The caps of queries that ran at the same time, in sum, at most. */
    get mostCapped() {
      return mostCapped;
    },
  };
}

let world: ReturnType<typeof openWorld>;
beforeEach(() => {
  world = openWorld();
});

describe('a round of warming', () => {
  test('does nothing where no caller asked', async () => {
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
    world = openWorld({ concurrency: 1 });
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
    for (let number = 0; number < MAX_SETS + 20; number += 1) world.ask(`p${number}`, 1, `token ${number}`);
    expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: MAX_SETS, left: 20 });
    expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: MAX_SETS, left: 20 });
    expect(world.ran.slice(MAX_SETS, MAX_SETS + 21)).toEqual([
      ...Array.from({ length: 20 }, (_, number) => `p${MAX_SETS + number}`),
      'p0',
    ]);
  });

  test('leaves what no caller asked for in the last hour to go cold', async () => {
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

  describe('that may bill a number of bytes', () => {
    const one = BILLED_BYTES + TABLE_BYTES;

    test('begins no query that it may not pay for, whatever runs at the same time', async () => {
      world = openWorld({ concurrency: 4, maxBytes: 2 * one });
      const { promise, resolve } = Promise.withResolvers<void>();
      world.gate.wait = promise;
      for (const project of ['a', 'b', 'c', 'd']) world.ask(project);
      const warming = world.warm(USAGE, signal);
      await new Promise((later) => setImmediate(later));
      expect(world.ran).toEqual(['a', 'b']);
      resolve();
      expect(await warming).toEqual({
        refreshed: 2,
        skipped: 0,
        failed: 0,
        left: 2,
        bytesBilled: 2 * BILLED_BYTES,
      });
    });

    test('uses what queries have billed less than was reserved for them', async () => {
      world = openWorld({ concurrency: 4, maxBytes: LARGE_BYTES + 2 * one });
      for (const project of ['large 1', 'large 2', 'a']) world.ask(project);
      expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 3, left: 0 });
    });

    test('never has more reserved than it may bill', async () => {
      const limit = LARGE_BYTES + 3 * one;
      world = openWorld({ concurrency: 8, maxBytes: limit });
      for (let number = 0; number < 30; number += 1)
        world.ask(number % 3 === 0 ? `large ${number}` : `${number}`);
      const { bytesBilled } = await world.warm(USAGE, signal);
      expect(bytesBilled).toBeLessThanOrEqual(limit);
      expect(world.mostCapped).toBeLessThanOrEqual(limit);
      expect(world.mostCapped).toBeGreaterThanOrEqual(LARGE_BYTES);
    });

    test('leaves a large one to the head of the next round, which pays for it before all others', async () => {
      world = openWorld({ concurrency: 2, maxBytes: LARGE_BYTES + one });
      for (const project of ['a', 'b', 'c', 'large']) world.ask(project);
      expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 3, left: 1 });
      expect(await world.warm(USAGE, signal)).toMatchObject({ left: 0 });
      expect(world.ran.slice(0, 4)).toEqual(['a', 'b', 'c', 'large']);
    });

    test('refuses what no round may pay for, each time again, and continues with the others', async () => {
      world = openWorld({ maxBytes: 4 * one });
      for (const project of ['large', 'a']) world.ask(project);
      for (const failed of [1, 1]) {
        expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 1, failed, left: 0 });
      }
      expect(world.ran).toEqual(['a', 'a']);
      expect(new Set(world.warnings)).toEqual(
        new Set(['A result was not warmed: it would bill more than a round may undefined']),
      );
    });

    test('counts what it reserved for a query that failed', async () => {
      world = openWorld({ concurrency: 1, maxBytes: 2 * one });
      for (const project of ['broken', 'a', 'b']) world.ask(project);
      expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 1, failed: 1, left: 1 });
    });

    test('fails a set that cannot be estimated, and no other', async () => {
      for (const project of ['unknown', 'a']) world.ask(project);
      expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 1, failed: 1, left: 0 });
    });

    test('begins nothing with a budget of zero', async () => {
      world = openWorld({ maxBytes: 0 });
      world.ask('a');
      expect(await world.warm(USAGE, signal)).toMatchObject({ refreshed: 0, failed: 1 });
      expect(world.ran).toEqual([]);
    });
  });

  test('does the work once when two of them overlap', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    world.gate.wait = promise;
    world.ask('demo');
    const rounds = [world.warm(USAGE, signal), world.warm(USAGE, signal)];
    resolve();
    expect(await Promise.all(rounds)).toEqual([
      { refreshed: 1, skipped: 0, failed: 0, left: 0, bytesBilled: BILLED_BYTES },
      { refreshed: 0, skipped: 1, failed: 0, left: 0, bytesBilled: 0 },
    ]);
    expect(world.ran).toEqual(['demo']);
    await world.warm(USAGE, signal);
    expect(world.ran).toEqual(['demo', 'demo']);
  });

  test('fails a set whose parameters the endpoint no longer takes', async () => {
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
