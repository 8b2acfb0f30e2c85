import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makePartStore } from '../../../../shared/cache/part-store.ts';
import { makeResultCache } from '../../../../shared/cache/result-cache.ts';
import { makeStoreLevel } from '../../../../shared/cache/store-level.ts';
import { systemRandom } from '../../../../shared/concurrency/random.ts';
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { makeEstimateResult } from '../../../../shared/results/estimate-result.ts';
import { makeObtainResult } from '../../../../shared/results/obtain-result.ts';
import { makeSealedQueries } from '../../../../shared/results/sealed/sealed-queries.ts';
import type { QueryParameter } from '../../../../shared/sql/types/query-parameter.ts';
import type { RunOptions, Warehouse } from '../../../../shared/warehouse/warehouse.ts';
import { memoryDemandLog } from '../../../../shared/warming/memory-demand-log.ts';
import { makeWarmer } from '../../../../shared/warming/warmer.ts';
import { memoryLocks } from '../../../../shared/warming/warming-locks.ts';
import { openAdmission } from '../../admission/support/open-admission.ts';
import { manualClock } from '../../cache/support/manual-clock.ts';
import { type MemoryCacheStore, memoryCacheStore } from '../../cache/support/memory-cache-store.ts';
import {
  arrivingWarehouse,
  COUNTS,
  ENTRIES,
  EVERYTHING,
  HOUR,
  LINES,
  OPTIONS,
  START,
} from './support/arriving-entries.ts';
import { openDuckDb } from './support/open-duckdb.ts';

const MINUTE = 60_000_000n;
const SECOND = 1_000_000n;

let inner: Warehouse;
beforeAll(async () => {
  inner = await openDuckDb(LINES);
});
afterAll(() => inner.close());

/** Instances over one warehouse and one store, at twenty past an hour. */
function openWorld(changed: Partial<Warehouse> = {}) {
  const time = { micros: START };
  const live = arrivingWarehouse({ ...inner, ...changed });
  const store: MemoryCacheStore = memoryCacheStore(() => Number(time.micros / 1000n));
  const instance = ({ source = 'logs', skew = 0n, isShared = true } = {}) => {
    const clock = manualClock();
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    const shared = isShared ? makeStoreLevel({ store, clock, random: systemRandom, warn }) : null;
    const parts = makePartStore({ maxBytes: 2 ** 24, shared, clock });
    const { warehouse } = live;
    const sealed = makeSealedQueries({ warehouse, parts, source, monotonicMs: clock.monotonicMs, warn });
    const ask = async (
      given: {
        endpoint?: Endpoint;
        redaction?: string[];
        project?: string;
        options?: Partial<RunOptions>;
      } = {},
    ) => {
      const { endpoint = COUNTS, redaction = [], project = 'demo', options = {} } = given;
      const parameters = new Map<string, QueryParameter>([
        ['interval', { type: 'STRING', value: 'daily' }],
        ['project', { type: 'STRING', value: project }],
      ]);
      const query = { sql: endpoint.sql, parameters };
      const nowMicros = time.micros + skew;
      const whole = await live.warehouse.run(query, { ...OPTIONS, ...options, nowMicros });
      live.asked.length = 0;
      const byParts = await sealed.run({
        endpoint,
        query,
        options: { ...OPTIONS, ...options, nowMicros },
        redaction,
      });
      return {
        result: byParts,
        isSame: JSON.stringify(byParts.rows) === JSON.stringify(whole.rows),
        windows: windowsOf(live),
      };
    };
    return { ask, warnings, sealed, clock };
  };
  return { time, live, store, instance };
}

/** The hours that the queries since looked at, relative to the full hour before START; `whole` for one without bounds. */
function windowsOf({ asked }: ReturnType<typeof arrivingWarehouse>): readonly (string | readonly number[])[] {
  return asked.map((parameters) => {
    const bound = (name: string) => parameters.get(name)?.value;
    const [first, last] = [bound('lqe_first'), bound('lqe_last')];
    if (typeof first !== 'bigint' || typeof last !== 'bigint') return 'whole';
    return [hourOf(first), hourOf(last)];
  });
}

function hourOf(micros: bigint): number {
  return Number(micros / HOUR - START / HOUR);
}

describe('what is read of seven days', () => {
  test('is what is estimated: all of it while nothing is kept, then the edges', async () => {
    const asked: (string | readonly number[])[] = [];
    const { time, instance } = openWorld({
      estimate: async ({ parameters }) => {
        const bound = (name: string) => parameters.get(name)?.value;
        const [first, last] = [bound('lqe_first'), bound('lqe_last')];
        if (typeof first !== 'bigint' || typeof last !== 'bigint') throw new TypeError('the whole window');
        asked.push([hourOf(first), hourOf(last)]);
        return { bytes: 6, bytesBilled: 10, isRefused: false };
      },
    });
    const { ask, sealed } = instance();
    const parameters = new Map<string, QueryParameter>([
      ['interval', { type: 'STRING', value: 'daily' }],
      ['project', { type: 'STRING', value: 'demo' }],
    ]);
    const run = {
      endpoint: COUNTS,
      query: { sql: COUNTS.sql, parameters },
      options: { ...OPTIONS, nowMicros: time.micros },
      redaction: [],
    };
    expect(await sealed.estimate(run)).toBe(10);
    expect(asked.splice(0)).toEqual([[-168, 0]]);
    await ask();
    expect(await sealed.estimate(run)).toBe(20);
    expect(asked).toEqual([
      [-168, -168],
      [0, 0],
    ]);
  });

  test('is all of it once, then the hour at the start and the running one: 2 of 168', async () => {
    const { time, instance } = openWorld();
    const { ask } = instance();
    expect(await ask()).toMatchObject({ windows: [[-168, 0]], isSame: true });
    for (let minutes = 5; minutes <= 35; minutes += 5) {
      time.micros = START + BigInt(minutes) * MINUTE;
      expect(await ask()).toMatchObject({
        windows: [
          [-168, -168],
          [0, 0],
        ],
        isSame: true,
      });
    }
  });

  test('is an hour that is over as long as it takes entries in, and once more', async () => {
    const { time, instance } = openWorld();
    const { ask } = instance();
    await ask();
    // The hour ends at 1:00; with its grace and the margin of the clock it is over at 1:16.
    for (const [minutes, windows] of [
      [
        60 + 15,
        [
          [-167, -167],
          [0, 1],
        ],
      ],
      [
        60 + 16,
        [
          [-167, -167],
          [0, 1],
        ],
      ],
      [
        60 + 17,
        [
          [-167, -167],
          [1, 1],
        ],
      ],
    ] as const) {
      time.micros = START - 20n * MINUTE + BigInt(minutes) * MINUTE;
      expect(await ask()).toMatchObject({ windows, isSame: true });
    }
  });

  test('is no hour twice where the window begins with a full one', async () => {
    const { time, instance } = openWorld();
    time.micros = START - 20n * MINUTE;
    const { ask } = instance();
    await ask();
    expect(await ask()).toMatchObject({ windows: [[-1, 0]], isSame: true });
  });

  test('is what was not requested in between, in one query for hours that follow each other', async () => {
    const { time, instance } = openWorld();
    const { ask } = instance();
    await ask();
    time.micros += 10n * HOUR;
    expect(await ask()).toMatchObject({
      windows: [
        [-158, -158],
        [0, 10],
      ],
      isSame: true,
    });
    expect(await ask()).toMatchObject({
      windows: [
        [-158, -158],
        [10, 10],
      ],
      isSame: true,
    });
  });

  test('is the same after a restart and in another instance, which share what is kept', async () => {
    const { time, instance, store } = openWorld();
    await instance().ask();
    time.micros += MINUTE;
    store.calls.length = 0;
    const other = instance();
    expect(await other.ask()).toMatchObject({
      windows: [
        [-168, -168],
        [0, 0],
      ],
      isSame: true,
    });
    expect(await other.ask()).toMatchObject({
      windows: [
        [-168, -168],
        [0, 0],
      ],
      isSame: true,
    });
    expect(store.calls).toEqual(['read']);
  });

  test('is kept apart for other values, other redaction and other logs', async () => {
    const { instance } = openWorld();
    const one = instance();
    await one.ask();
    expect((await one.ask({ project: 'co/1' })).windows).toEqual([[-168, 0]]);
    expect((await one.ask({ redaction: ['email'] })).windows).toEqual([[-168, 0]]);
    expect((await instance({ source: 'other' }).ask()).windows).toEqual([[-168, 0]]);
    expect((await instance().ask()).windows).toHaveLength(2);
  });

  test('is little where sets are warmed as well, and its bytes are those of all parts', async () => {
    const { time, live, instance } = openWorld({
      run: async (query, options) => {
        const usage = { bytesProcessed: 5, bytesBilled: 7 };
        options.onUsage?.(usage);
        return { ...(await inner.run(query, options)), ...usage };
      },
    });
    const { sealed, clock } = instance();
    const demand = memoryDemandLog(clock, 100);
    const { monotonicMs } = clock;
    const running = {
      warehouse: live.warehouse,
      sealed,
      cache: makeResultCache({ maxBytes: 2 ** 20, shared: null, clock }),
      admission: openAdmission(),
      nowMicros: () => time.micros,
      monotonicMs,
      deadlineMs: 60_000,
      sqlDeadlineMs: 60_000,
      byteCaps: { consumerMaxBytesBilled: 2 ** 30, storedMaxBytesBilled: 2 ** 40 },
    };
    const obtain = makeObtainResult(running);
    const limits = { windowSeconds: 3600, concurrency: 1, deadlineMs: 60_000, maxBytes: 1000 };
    const locks = memoryLocks();
    const warm = makeWarmer({
      obtain,
      estimate: makeEstimateResult(running),
      redacted: async (one) => one,
      demand,
      locks,
      clock,
      limits,
      warn: () => {},
    });
    demand.record(
      {
        endpointId: COUNTS.id,
        parameters: { interval: 'daily', project: 'demo' },
        isRedacted: false,
      },
      'token',
    );
    const { signal } = new AbortController();
    expect(await warm(COUNTS, signal)).toMatchObject({ refreshed: 1, bytesBilled: 7 });
    live.asked.length = 0;
    expect(await warm(COUNTS, signal)).toMatchObject({ refreshed: 1, bytesBilled: 14 });
    expect(windowsOf(live)).toEqual([
      [-168, -168],
      [0, 0],
    ]);
  });
});

describe('what arrives late', () => {
  /** The last entry of the hour before START's, two hours before the window ends. */
  const late = ENTRIES.findIndex(({ micros }) => micros / HOUR === START / HOUR - 3n);

  test('within the grace counts', async () => {
    const { time, live, instance } = openWorld();
    const { ask } = instance();
    const { micros } = ENTRIES[late]!;
    live.arrived[late] = false;
    time.micros = micros - (micros % HOUR) + HOUR + 15n * MINUTE;
    expect((await ask()).isSame).toBe(true);
    live.arrived[late] = true;
    time.micros += 30n * MINUTE;
    expect((await ask()).isSame).toBe(true);
  });

  test('later is not noticed until its hour leaves the window or is cut by its start', async () => {
    const { time, live, instance } = openWorld();
    const { ask } = instance();
    live.arrived[late] = false;
    expect((await ask()).isSame).toBe(true);
    live.arrived[late] = true;
    expect((await ask()).isSame).toBe(false);
    time.micros += (168n - 4n) * HOUR;
    expect((await ask()).isSame).toBe(false);
    time.micros += HOUR;
    expect((await ask()).isSame).toBe(true);
  });
});

describe('the whole window is read', () => {
  const wholly = { windows: ['whole'], isSame: true };

  test('where the store fails, and no longer than that', async () => {
    const { store, time, instance } = openWorld();
    const { ask, clock } = instance();
    store.fault = async () => {
      throw new Error('down');
    };
    expect(await ask()).toMatchObject(wholly);
    store.fault = undefined;
    await clock.advance(5_000);
    time.micros += 5n * SECOND;
    expect(await ask()).toMatchObject({ windows: [[-168, 0]], isSame: true });
  });

  test('where what the store has is not what was kept', async () => {
    const { store, instance } = openWorld();
    const writes: string[] = [];
    const { write } = store;
    store.write = async (key, answer, holder) => {
      writes.push(key);
      await write(key, { ...answer, bytes: answer.bytes.toReversed() }, holder);
    };
    await instance().ask();
    expect(writes).toHaveLength(1);
    expect(await instance().ask()).toMatchObject({ windows: [[-168, 0]], isSame: true });
  });

  test('where columns of text are redacted, whose values would lie in the store', async () => {
    const { instance, store } = openWorld();
    const { ask } = instance();
    await ask({ endpoint: EVERYTHING, redaction: ['ip'] });
    expect(await ask({ endpoint: EVERYTHING, redaction: ['ip'] })).toMatchObject(wholly);
    expect(store.calls).toEqual([]);
  });

  test('where the answer is cut, as the query itself cuts it', async () => {
    const { instance } = openWorld();
    const { ask } = instance();
    const { result, windows } = await ask({ options: { maxRows: 3 } });
    expect(result).toMatchObject({ truncated: true });
    expect(windows).toEqual([[-168, 0], 'whole']);
    expect((await ask({ options: { maxRows: 3 } })).windows).toEqual(['whole']);
    expect((await ask()).windows).toEqual([
      [-168, -168],
      [0, 0],
    ]);
  });

  test('where parts have too many rows, without trying again soon', async () => {
    const { instance } = openWorld({
      run: async (query, options) => ({
        ...(await inner.run(query, options)),
        truncated: query.sql.includes('lqe_'),
        bytesProcessed: 5,
      }),
    });
    const { ask } = instance();
    expect(await ask()).toMatchObject({ windows: [[-168, 0], 'whole'], result: { bytesProcessed: 10 } });
    expect(await ask()).toMatchObject(wholly);
  });

  test('where a part fails for what the query asks, such as a sum that overflows', async () => {
    const { instance } = openWorld({
      run: async (query, options) => {
        if (query.sql.includes('lqe_')) throw new ServiceError('invalid_argument', 'INT64 overflow');
        return inner.run(query, options);
      },
    });
    const { ask, warnings } = instance();
    expect(await ask()).toMatchObject({ windows: [[-168, 0], 'whole'], isSame: true });
    expect(warnings).toEqual(['An answer is not put together from parts']);
  });
});

test('a failure of the warehouse is passed on, and the other part ended', async () => {
  const ended: boolean[] = [];
  const { time, instance, live } = openWorld();
  const { ask } = instance();
  await ask();
  time.micros += MINUTE;
  const { run } = live.warehouse;
  live.warehouse.run = async (query, options) => {
    if (!query.sql.includes('lqe_')) return run(query, options);
    if (ended.push(false) === 1) throw new ServiceError('unavailable', 'The warehouse failed.');
    await new Promise((resolve) => options.signal?.addEventListener('abort', resolve));
    ended[1] = true;
    throw options.signal?.reason;
  };
  await expect(ask()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(ended).toEqual([false, true]);
});

test('an instance whose clock is hours ahead keeps no hour that the store knows to be running', async () => {
  const { time, instance, live } = openWorld();
  const running = ENTRIES.map(({ micros }) => micros > START);
  live.arrived = running.map((isLater) => !isLater);
  const { ask } = instance({ skew: 5n * HOUR });
  expect((await ask()).isSame).toBe(true);
  live.arrived = running.map(() => true);
  time.micros += 5n * HOUR;
  const right = await instance().ask();
  expect(right).toMatchObject({
    isSame: true,
    windows: [
      [-163, -163],
      [0, 5],
    ],
  });
});

test('instances that keep the same hours at the same time do not disturb each other', async () => {
  const { time, instance } = openWorld();
  const [one, other] = [instance(), instance()];
  for (let hour = 0; hour < 3; hour++) {
    await Promise.all([one.ask(), other.ask()]);
    time.micros += HOUR;
  }
  expect(await instance().ask()).toMatchObject({
    windows: [
      [-165, -165],
      [2, 3],
    ],
    isSame: true,
  });
});

test('without a store, what is kept is kept in the process', async () => {
  const { instance, store } = openWorld();
  const { ask } = instance({ isShared: false });
  await ask();
  expect(await ask()).toMatchObject({
    windows: [
      [-168, -168],
      [0, 0],
    ],
    isSame: true,
  });
  expect(store.calls).toEqual([]);
});
