import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { makeResultCache, type ResultCache } from '../../../shared/cache/result-cache.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';
import { makeObtainResult } from '../../../shared/results/obtain-result.ts';
import type { QueryResult, RunOptions, Warehouse } from '../../../shared/warehouse/warehouse.ts';
import { openAdmission } from '../admission/support/open-admission.ts';

const NOTHING: QueryResult = {
  columns: [],
  rows: [],
  truncated: false,
  bytesProcessed: null,
  bytesBilled: null,
};
const endpoints = await loadEndpoints('queries');
const endpoint = endpoints.find('usage.api-counts')!;

/** A cache that keeps what it is asked for in memory. */
function memoryCache(): ResultCache {
  return makeResultCache({ maxBytes: 1_000_000, shared: null, clock: systemClock });
}

/** Obtains a result from a cache that computes it after a wait, and answers what its query was run with; null where it was not. */
async function runAfter(
  waitMs: number,
  { kept = memoryCache(), origin = null as string | null } = {},
): Promise<RunOptions | null> {
  const time = { ms: 1000 };
  const cache: ResultCache = {
    ...kept,
    answer: (key, request) => {
      time.ms += waitMs;
      return kept.answer(key, request);
    },
  };
  const runs: RunOptions[] = [];
  const run: Warehouse['run'] = async (_, options) => {
    runs.push(options);
    return NOTHING;
  };
  const warehouse: Warehouse = {
    tables: new Map(),
    prepare: async () => ({ columns: [] }),
    run,
    ping: async () => {},
    close: async () => {},
  };
  const clocks = { nowMicros: () => 0n, monotonicMs: () => time.ms };
  const deadlines = { deadlineMs: 5000, sqlDeadlineMs: 2000 };
  const byteCaps = { consumerMaxBytesBilled: 1_073_741_824, storedMaxBytesBilled: 107_374_182_400 };
  const deps = {
    endpoints,
    warehouse,
    cache,
    admission: openAdmission(),
    origin,
    ...clocks,
    ...deadlines,
    byteCaps,
  };
  await makeObtainResult(deps)({
    endpoint,
    values: new Map(),
    query: { sql: endpoint.sql, parameters: new Map() },
    bypassCache: false,
    isRedacted: false,
    maxRows: null,
    maxBytesBilled: null,
    account: 'test',
    sqlDeadlineMs: null,
    cpuSecondsPerMinute: null,
    signal: new AbortController().signal,
  });
  return runs[0] ?? null;
}

test.each([
  [0, 5000],
  [1234.5, 3766],
  [9000, 1],
])('a query that begins after %p ms has %p of its 5000 ms left', async (waitMs, deadlineMs) => {
  expect(await runAfter(waitMs)).toMatchObject({ deadlineMs });
});

test('a result that is kept is not that of other tables', async () => {
  const kept = memoryCache();
  const ranOn = async (origin: string) => (await runAfter(0, { kept, origin })) !== null;
  expect([await ranOn('raw.a'), await ranOn('raw.a'), await ranOn('raw.b')]).toEqual([true, false, true]);
});

describe('two callers who ask for the same at the same time', () => {
  const FEW = 20_000_000;
  const CALLER = {
    endpoint,
    values: new Map(),
    bypassCache: false,
    isRedacted: false,
    maxRows: null,
    sqlDeadlineMs: null,
    cpuSecondsPerMinute: null,
    signal: new AbortController().signal,
  };

  /** What becomes of both, and how many queries run, where the warehouse refuses those that may bill few bytes. */
  async function askTogether(caps: readonly [number | null, number | null], isUntrusted: boolean) {
    let runs = 0;
    const warehouse: Warehouse = {
      tables: new Map(),
      prepare: async () => ({ columns: [] }),
      run: async (_, { maxBytesBilled }) => {
        runs += 1;
        await setImmediate();
        if (maxBytesBilled === FEW) throw new ServiceError('resource_exhausted', 'too many bytes');
        return NOTHING;
      },
      ping: async () => {},
      close: async () => {},
    };
    const obtain = makeObtainResult({
      warehouse,
      cache: memoryCache(),
      admission: openAdmission(),
      nowMicros: () => 0n,
      monotonicMs: () => 0,
      deadlineMs: 5000,
      sqlDeadlineMs: 2000,
      byteCaps: { consumerMaxBytesBilled: 1_073_741_824, storedMaxBytesBilled: 107_374_182_400 },
    });
    const query = { sql: endpoint.sql, parameters: new Map(), isUntrusted };
    const outcomes = await Promise.allSettled(
      caps.map((maxBytesBilled, index) =>
        obtain({ ...CALLER, query, maxBytesBilled, account: `caller ${index}` }),
      ),
    );
    return { runs, outcomes: outcomes.map(({ status }) => status) };
  }

  test.each([true, false])(
    'share one query where both have the same cap of bytes (ad hoc: %p)',
    async (isUntrusted) => {
      expect(await askTogether([null, null], isUntrusted)).toEqual({
        runs: 1,
        outcomes: ['fulfilled', 'fulfilled'],
      });
    },
  );

  test.each([true, false])(
    'do not share the refusal of the one with the lower cap (ad hoc: %p)',
    async (isUntrusted) => {
      expect(await askTogether([FEW, null], isUntrusted)).toEqual({
        runs: 2,
        outcomes: ['rejected', 'fulfilled'],
      });
    },
  );
});
