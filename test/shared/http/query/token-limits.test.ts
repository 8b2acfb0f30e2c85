import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { NO_LIMITS, type TokenLimits } from '../../../../shared/access/token-limits.ts';
import { memoryTokenStore } from '../../../../shared/access/token-store.ts';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import { tokenRecord } from '../../access/support/token-record.ts';
import { type Host, serve } from '../support/hosts.ts';
import { type Answer, call } from '../support/http-client.ts';
import { makeTestService, rowsOf, type TestService } from '../support/test-service.ts';

const LOGS = '/api/endpoints/query/logs.all?project=demo';
const USAGE = '/api/endpoints/query/usage.api-counts?project=demo&interval=hourly';

const TOKENS: Readonly<Record<string, Partial<TokenLimits>>> = {
  'lqe_three-requests-a-minute': { requestsPerMinute: 3 },
  'lqe_two-rows-and-ten-mebibytes': { maxRows: 2, maxBytesBilled: 10_485_760 },
  'lqe_one-hour-of-logs-at-once': { maxWindowSeconds: 3600 },
  'lqe_without-any-limit-at-all': {},
};

const time = { nowMs: 0 };
const clock = { monotonicMs: () => time.nowMs, wallMs: () => time.nowMs, sleep: async () => {} };

let service: TestService;
let host: Host;
beforeAll(async () => {
  const records = Object.entries(TOKENS).map(([token, limits]) =>
    tokenRecord(token, { limits: { ...NO_LIMITS, ...limits } }),
  );
  const tokens = memoryTokenStore(records);
  service = makeTestService({ clock, tokens, run: async () => rowsOf('{"id":"a"}') });
  host = await serve(makeQueryHandler(service));
});
afterAll(() => host.close());
beforeEach(() => {
  time.nowMs += 10_000_000;
});

function send(token: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return call(host.port, path, { headers: { 'x-api-key': token, ...headers } });
}

describe('requests per minute', () => {
  const token = 'lqe_three-requests-a-minute';

  test('are reported on every answer, errors too, and end in 429 with the time to wait', async () => {
    const answers = [await send(token, LOGS), await send(token, '/api/endpoints/query/none')];
    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
    expect(answers.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['2', '1']);
    await send(token, LOGS);
    const refused = await send(token, LOGS);
    expect(refused.status).toBe(429);
    expect(refused.headers).toMatchObject({
      'ratelimit-limit': '3',
      'ratelimit-remaining': '0',
      'retry-after': expect.stringMatching(/^[1-9]\d?$/),
    });
    time.nowMs += 61_000;
    expect((await send(token, LOGS)).status).toBe(200);
  });

  test('are not reported where there is no limit', async () => {
    const { headers } = await send('lqe_without-any-limit-at-all', LOGS);
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });

  test('with a separate limit for requests that bypass the cache', async () => {
    const fresh = { 'cache-control': 'no-cache' };
    expect((await send(token, USAGE, fresh)).status).toBe(200);
    const refused = await send(token, USAGE, fresh);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('no-cache');
    expect((await send(token, USAGE)).headers['x-cache']).toBe('HIT');
  });
});

test('rows and bytes of a token cap what the warehouse is asked for, and nothing of it is cached for others', async () => {
  await send('lqe_two-rows-and-ten-mebibytes', `${USAGE}&sql=select+1+from+edge_logs`);
  expect(service.runs.at(-1)?.options).toMatchObject({ maxRows: 2, maxBytesBilled: 10_485_760 });
  const other = await send('lqe_without-any-limit-at-all', `${USAGE}&sql=select+1+from+edge_logs`);
  expect(other.headers['x-cache']).toBe('MISS');
  expect(service.runs.at(-1)?.options).toMatchObject({ maxRows: 500, maxBytesBilled: 1_073_741_824 });
});

describe('the time that a token may read at once', () => {
  test.each<[string, number]>([
    ['', 403],
    ['&iso_timestamp_start=2025-12-31T20:00:00Z', 403],
    ['&iso_timestamp_start=2025-12-31T23:30:00Z', 200],
    ['&iso_timestamp_start=2020-01-01T00:00:00Z&iso_timestamp_end=2020-01-01T01:00:00Z', 200],
    ['&iso_timestamp_start=2020-01-01T00:00:00Z&iso_timestamp_end=2020-01-01T02:00:00Z', 403],
    ['&iso_timestamp_end=2020-01-01T02:00:00Z', 403],
  ])('with %s', async (bounds, status) => {
    const answer = await send('lqe_one-hour-of-logs-at-once', LOGS + bounds);
    expect(answer.status).toBe(status);
    if (status === 403) {
      expect(answer.json()).toMatchObject({ error: { details: [{ parameter: 'iso_timestamp_start' }] } });
    }
  });

  test.each([
    ['minutely', 200],
    ['hourly', 200],
    ['daily', 403],
  ])('where the value %s of a parameter selects it', async (interval, status) => {
    const path = `/api/endpoints/query/usage.api-counts?project=demo&interval=${interval}`;
    const answer = await send('lqe_one-hour-of-logs-at-once', path);
    expect(answer.status).toBe(status);
    if (status === 200) return;
    expect(answer.json()).toMatchObject({ error: { details: [{ parameter: 'interval' }] } });
    expect(answer.text).toContain('set \\"interval\\" to minutely or hourly.');
    const own = await send('lqe_one-hour-of-logs-at-once', `${path}&sql=select+1+from+edge_logs`);
    expect(own.status).toBe(403);
  });
});
