import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NO_LIMITS } from '../../../shared/access/token-limits.ts';
import type { ErrorDetail } from '../../../shared/errors/service-error.ts';
import {
  type BilledTables,
  billedAnswer,
  dryRuns,
} from '../../shared/warehouse/bigquery/support/billing-bigquery.ts';
import { type FakeAnswer, failed } from '../../shared/warehouse/bigquery/support/fake-bigquery.ts';
import { type Cloud, type Instance, makeCloud } from './support/cloud.ts';
import { until } from './support/fault-tests.ts';
import { makeLogs, NOW } from './support/logs.ts';

// The emulator counts no bytes, runs dry runs in full and knows no cap. The way to it answers what BigQuery's
// documentation says of these three, as if each hour held half a GiB; every query that may run is run by the emulator.
const GIB = 1024 ** 3;
const HOUR = Math.floor(Date.parse(NOW) / 3_600_000);
const TABLES: BilledTables = {
  timeWindow: { start: 'iso_timestamp_start', end: 'iso_timestamp_end' },
  hours: { from: HOUR - 90 * 24, to: HOUR + 1 },
  bytesOf: () => GIB / 2,
};
const LOGS = '/api/endpoints/query/logs.all';
const USAGE = '/api/endpoints/query/usage.api-counts';
const SQL = 'select count(*) as entries from edge_logs';
const SINCE = '2026-03-01T02:00:00Z';

let cloud: Cloud;
let instance: Instance;
let dataset: string;
let capped: string;
beforeAll(async () => {
  dataset = await makeLogs();
  cloud = await makeCloud(dataset);
  capped = (await cloud.addToken('capped', { ...NO_LIMITS, maxBytesBilled: GIB })).token;
  instance = await cloud.startInstance();
  // A token's first look-up in Firestore may be given up on a busy machine.
  await until(async () => (await byUrl(LOGS, { explain: 'true' })).status === 200);
  instance.bigquery.fault = (call, passOn) => billedAnswer(call, TABLES) ?? passOn();
});
afterAll(() => cloud.close());

type Given = Readonly<Record<string, string>>;

function byUrl(path: string, given: Given) {
  const query = new URLSearchParams({ project: 'acme', ...given });
  return instance.send(`${path}?${query}`, { headers: { 'x-api-key': capped } });
}

function byBody(path: string, given: Given) {
  return instance.send(path, {
    method: 'POST',
    headers: { 'x-api-key': capped, 'content-type': 'application/json' },
    body: JSON.stringify({ project: 'acme', ...given }),
  });
}

async function errorOf(answering: ReturnType<typeof byUrl>) {
  const answer = await answering;
  expect([answer.status, answer.text]).toEqual([429, expect.any(String)]);
  expect(answer.text).not.toContain(dataset);
  expect(answer.text).not.toContain('emulated-project');
  const { error } = answer.json() as { error: { message: string; details: readonly ErrorDetail[] } };
  return error;
}

describe('a query over more hours than its caller may read', () => {
  test.each<[string, Given]>([
    ['in SQL', { sql: SQL, iso_timestamp_start: SINCE }],
    ['in LQL', { lql: 'f:edge_logs c:count(*) c:group_by(t::day)', iso_timestamp_start: SINCE }],
    ['in LQL that says the time itself', { lql: `f:edge_logs t:>${SINCE} c:count(*) c:group_by(t::day)` }],
    ['of the endpoint itself', { iso_timestamp_start: SINCE }],
  ])('%s is refused with the hours that fit, and runs with them, by URL and by body', async (_, given) => {
    for (const send of [byUrl, byBody]) {
      const { message, details } = await errorOf(send(LOGS, given));
      expect(message).toMatch(
        /^The query would bill [\d.]+ [GT]iB, more than the 1 GiB that it may\. The longest/,
      );
      const window = details[0]?.longestWindow;
      expect(details).toEqual([
        {
          parameter: 'iso_timestamp_start',
          reason: 'too_many_bytes',
          estimatedBytesBilled: expect.any(Number),
          maxBytesBilled: GIB,
          longestWindow: {
            seconds: 7_200,
            duration: 'PT2H',
            parameters: {
              iso_timestamp_start: '2026-03-01T10:00:00Z',
              iso_timestamp_end: '2026-03-01T11:59:59.999999Z',
            },
            isVerified: true,
          },
        },
      ]);
      const answer = await send(LOGS, { ...given, ...window?.parameters });
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"result":[{')]);
    }
  });

  test('is explained with what it would bill', async () => {
    const before = dryRuns(instance.bigquery.calls).length;
    const explain = (start: string) => byUrl(LOGS, { sql: SQL, explain: 'true', iso_timestamp_start: start });
    const costs = [await explain(SINCE), await explain('2026-03-01T11:00:00Z')].map((answer) =>
      answer.json(),
    );
    expect(costs).toMatchObject([
      {
        explain: {
          estimatedBytes: 5.5 * GIB,
          estimatedBytesBilled: 5.5 * GIB,
          maxBytesBilled: GIB,
          wouldBeRefused: true,
        },
      },
      { explain: { estimatedBytes: GIB, estimatedBytesBilled: GIB, wouldBeRefused: false } },
    ]);
    expect(dryRuns(instance.bigquery.calls).length - before).toBe(2);
  });
});

test('a query whose time range a parameter value selects is refused with the values that fit', async () => {
  const earlier = instance.bigquery.fault;
  instance.bigquery.fault = ({ body }, passOn): FakeAnswer | Promise<FakeAnswer> => {
    const parameters: readonly { name: string; parameterValue: { value: string } }[] =
      body?.queryParameters ?? [];
    const value = parameters.find(({ name }) => name === 'interval')?.parameterValue.value;
    const bytes = value === 'daily' ? 84 * GIB : GIB;
    if (body?.dryRun === true) return { json: { totalBytesProcessed: String(bytes) } };
    if (value !== 'daily') return passOn();
    return failed(400, 'bytesBilledLimitExceeded', `Too much: ${bytes} or higher required.`);
  };
  try {
    for (const given of [{ interval: 'daily' }, { interval: 'daily', sql: SQL }]) {
      const { message, details } = await errorOf(byUrl(USAGE, given));
      expect(message).toContain('is 1 hour: send interval=minutely or interval=hourly, or');
      const { parameters } = details[0]?.longestWindow ?? {};
      expect((await byUrl(USAGE, { ...given, ...parameters })).status).toBe(200);
    }
  } finally {
    instance.bigquery.fault = earlier;
  }
});
