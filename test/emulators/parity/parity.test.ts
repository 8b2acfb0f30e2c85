import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { answeredCases, CONFORMANCE_LOGS, CONFORMANCE_SOURCES } from '../../conformance/support/cases.ts';
import { comparableRows } from '../../conformance/support/compare.ts';
import { type RealService, startRealService } from '../../data/support/real-service.ts';
import { forgetJobs } from '../bigquery/support/emulated-dataset.ts';
import { emulatedOptions, makeConformanceDataset } from '../bigquery/support/emulated-logs.ts';

/** At the end of the densest hour of the logs. */
const NOW_MICROS = 1_714_982_400_000_000n;

let onDuckDb: RealService;
let onBigQuery: RealService;
beforeAll(async () => {
  const dataset = await makeConformanceDataset();
  onDuckDb = await startRealService('--logs', CONFORMANCE_LOGS, '--sources', CONFORMANCE_SOURCES);
  onBigQuery = await startRealService(...emulatedOptions(dataset));
  onDuckDb.nowMicros = NOW_MICROS;
  onBigQuery.nowMicros = NOW_MICROS;
});
afterAll(async () => {
  await onDuckDb.close();
  await onBigQuery.close();
});
afterEach(forgetJobs);

interface Rows {
  readonly names: readonly string[];
  readonly cells: readonly (readonly unknown[])[];
}

async function rowsFrom(service: RealService, endpoint: string, parameters: object): Promise<Rows> {
  const answer = await service.ask(endpoint, new URLSearchParams({ ...parameters }));
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`);
  const { result } = answer.json() as { result: readonly object[] };
  return { names: Object.keys(result[0] ?? {}), cells: result.map((row) => Object.values(row)) };
}

async function expectParity(endpoint: string, parameters: object, ordered: boolean): Promise<number> {
  const here = await rowsFrom(onDuckDb, endpoint, parameters);
  const there = await rowsFrom(onBigQuery, endpoint, parameters);
  expect(there.names).toEqual(here.names);
  expect(comparableRows({ ordered }, there.cells)).toEqual(comparableRows({ ordered }, here.cells));
  return here.cells.length;
}

const PROJECTS = ['default', 'abcdefghijklmnopqrst', 'tsrqponmlkjihgfedcba', 'nobody'];
const BOUNDS: readonly object[] = [
  {},
  { iso_timestamp_start: '2024-05-06T07:30:00Z' },
  { iso_timestamp_end: '2024-05-06T07:30:00Z' },
  { iso_timestamp_start: '2024-05-06T07:00:00.000001Z', iso_timestamp_end: '2024-05-07' },
  { iso_timestamp_start: '0001-01-01', iso_timestamp_end: '9999-12-31T23:59:59.999999Z' },
];

describe('the stored queries answer the same on both', () => {
  test('logs.all, for every project and kind of bound', async () => {
    let rows = 0;
    for (const project of PROJECTS) {
      for (const bounds of BOUNDS) rows += await expectParity('logs.all', { project, ...bounds }, true);
    }
    expect(rows).toBeGreaterThan(100);
  });

  test('usage.api-counts, for every interval', async () => {
    let rows = 0;
    for (const interval of ['minutely', 'hourly', 'daily']) {
      for (const project of ['default', '.*', '^https://(default|abc)', 'nobody']) {
        rows += await expectParity('usage.api-counts', { interval, project }, true);
      }
    }
    expect(rows).toBeGreaterThan(10);
  });
});

describe('the sources answer the same on both', () => {
  test.each([
    'edge_logs',
    'postgres_logs',
    'auth_logs',
    'realtime_logs',
    'storage_logs',
    'postgrest_logs',
    'pgbouncer_logs',
    'function_edge_logs',
    'function_logs',
  ])('%s: all that is in them, in their order', async (source) => {
    let rows = 0;
    for (const project of PROJECTS) {
      const all = { project, sql: `select timestamp, id, event_message, metadata from ${source}` };
      rows += await expectParity('logs.all', all, false);
      const times = { project, sql: `select timestamp from ${source} limit 7` };
      await expectParity('logs.all', times, true);
    }
    expect(rows).toBeGreaterThan(10);
  });
});

describe('the cases answer the same on both', () => {
  test.each(answeredCases.map((one) => [one.id, one] as const))('%s', async (_, { sql, params, ordered }) => {
    await expectParity('logs.all', { ...params, sql }, ordered);
  });
});
