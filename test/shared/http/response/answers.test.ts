import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import type { SqlType } from '../../../../shared/sql/types/sql-type.ts';
import { type Host, serve } from '../support/hosts.ts';
import { type Answer, call } from '../support/http-client.ts';
import { makeTestService, NARROW_TOKEN, type TestService, TOKEN } from '../support/test-service.ts';

const LOGS = '/api/endpoints/query/logs.all?project=demo';
const USAGE = '/api/endpoints/query/usage.api-counts?project=demo&interval=hourly';
const STRING: SqlType = { kind: 'STRING' };
const COLUMNS = [
  { name: 'id', type: STRING },
  { name: 'text', type: STRING },
];

const time = { nowMs: 0 };
const clock = { monotonicMs: () => time.nowMs, wallMs: () => time.nowMs, sleep: async () => {} };
/** What the warehouse answers next, and how often it was asked. */
const world = { text: 'a', asked: 0, truncated: false };

let service: TestService;
let host: Host;

beforeAll(async () => {
  service = makeTestService({
    clock,
    run: async (_, { countsRows }) => {
      world.asked += 1;
      const row = JSON.stringify({ id: 'x', text: world.text });
      return {
        columns: COLUMNS,
        rows: [row],
        truncated: world.truncated,
        bytesProcessed: 42,
        bytesBilled: 10_485_760,
        ...(countsRows === true ? { rowsScanned: 7 } : {}),
      };
    },
  });
  host = await serve(makeQueryHandler(service));
});

afterAll(() => host.close());

beforeEach(() => {
  // Whatever was kept is too old by now.
  time.nowMs += 10_000_000;
  Object.assign(world, { text: 'a', asked: 0, truncated: false });
});

function send(path: string, headers: Record<string, string> = {}, token = TOKEN): Promise<Answer> {
  return call(host.port, path, { headers: { 'x-api-key': token, ...headers } });
}

describe('an answer reports in headers', () => {
  test('how many rows it has, what they cost, and which time they are of', async () => {
    const { headers } = await send(`${LOGS}&iso_timestamp_start=2026-01-01T00:00:00.5Z`);
    expect(headers).toMatchObject({
      'x-row-count': '1',
      'x-cache': 'BYPASS',
      'x-bytes-processed': '42',
      'x-time-window': '2026-01-01T00:00:00.500000Z/..',
      'cache-control': 'no-store',
    });
    expect(headers).not.toHaveProperty('age');
    expect(headers).not.toHaveProperty('etag');
    expect(headers).not.toHaveProperty('x-truncated');
    expect(headers).not.toHaveProperty('x-redactions');
  });

  test('which time range a parameter selects, at the time when they were computed', async () => {
    const first = await send(USAGE);
    expect(first.headers['x-time-window']).toBe('2025-12-31T23:00:00Z/2026-01-01T00:00:00Z');
    time.nowMs += 90_000;
    const kept = await send(USAGE);
    expect(kept.headers).toMatchObject({
      'x-cache': 'HIT',
      age: '90',
      'x-time-window': '2025-12-31T22:58:30Z/2025-12-31T23:58:30Z',
    });
  });

  test('that rows were cut off', async () => {
    world.truncated = true;
    expect((await send(LOGS)).headers).toMatchObject({ 'x-truncated': 'true' });
  });

  test.each([
    ['is not asked for', undefined, undefined],
    ['is asked for', 'true', '7'],
    ['is asked for in other letters', 'TRUE', '7'],
    ['is declined', 'false', undefined],
    ['is asked for in a way that is not known', '1', undefined],
  ])('how many rows were read where that %s', async (_, value, scanned) => {
    const asked = value === undefined ? {} : { 'x-count-rows-scanned': value };
    expect((await send(LOGS, asked)).headers['x-rows-scanned']).toBe(scanned);
  });

  test('how many places were redacted', async () => {
    world.text = '192.0.2.1 and ::1';
    const { headers } = await send(LOGS, { 'lf-endpoint-redact-pii': 'true' });
    expect(headers).toMatchObject({ 'x-redactions': '2' });
  });
});

describe('meta=true', () => {
  test('adds what the headers report, and the columns with their types', async () => {
    const answer = await send(`${LOGS}&meta=true&utm=1`, { 'x-request-id': 'mine' });
    expect(answer.json()).toEqual({
      result: [{ id: 'x', text: 'a' }],
      meta: {
        rowCount: 1,
        truncated: false,
        cache: { state: 'BYPASS', ageSeconds: 0 },
        bytesProcessed: 42,
        bytesBilled: 10_485_760,
        rowsScanned: null,
        timeWindow: { start: null, end: null },
        redactions: null,
        requestId: 'mine',
        ignoredParameters: ['utm'],
        hints: [],
        next: null,
        columns: [
          { name: 'id', type: 'STRING', mode: 'NULLABLE' },
          { name: 'text', type: 'STRING', mode: 'NULLABLE' },
        ],
      },
    });
    expect(answer.headers).toMatchObject({ 'x-ignored-parameters': 'utm' });
  });

  test('is not there unless it is requested, nor with false', async () => {
    expect((await send(LOGS)).text).toBe('{"result":[{"id":"x","text":"a"}]}');
    expect((await send(`${LOGS}&meta=false`)).text).toBe('{"result":[{"id":"x","text":"a"}]}');
  });

  test.each([
    ['meta=yes', 'meta'],
    ['meta=true&meta=true', 'meta'],
    ['meta=true&format=csv', 'meta'],
    ['format=xml', 'format'],
  ])('%s is refused by name', async (query, parameter) => {
    const answer = await send(`${LOGS}&${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { details: [{ parameter }] } });
  });
});

describe('the format', () => {
  test.each<[string, string, Record<string, string>, string, string]>([
    ['JSON', '', {}, 'application/json; charset=utf-8', '{"result":[{"id":"x","text":"a"}]}'],
    ['CSV', '', { accept: 'text/csv' }, 'text/csv; charset=utf-8; header=present', 'id,text\r\nx,a\r\n'],
    ['NDJSON', '&format=ndjson', {}, 'application/x-ndjson; charset=utf-8', '{"id":"x","text":"a"}\n'],
  ])('%s is answered with its type', async (_, query, headers, type, text) => {
    const answer = await send(LOGS + query, headers);
    expect(answer.headers).toMatchObject({ 'content-type': type, 'x-row-count': '1' });
    expect(answer.text).toBe(text);
    expect(answer.headers).not.toHaveProperty('x-ignored-parameters');
  });

  test('that does not exist is 406, which lists those that do', async () => {
    const answer = await send(LOGS, { accept: 'image/png' });
    expect(answer.status).toBe(406);
    expect(answer.text).toContain('text/csv');
  });
});

describe('a body is compressed', () => {
  test.each(['gzip', 'br'])('as %s where the caller takes it', async (coding) => {
    world.text = 'long '.repeat(1000);
    const [plain, packed] = await Promise.all([
      send(LOGS),
      fetch(`http://127.0.0.1:${host.port}${LOGS}`, {
        headers: { 'x-api-key': TOKEN, 'accept-encoding': coding },
      }),
    ]);
    expect(packed.headers.get('content-encoding')).toBe(coding);
    expect(await packed.text()).toBe(plain.text);
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
  });

  test('but not when it is small', async () => {
    const { headers } = await send(LOGS, { 'accept-encoding': 'br' });
    expect(headers).not.toHaveProperty('content-encoding');
    expect(headers).toMatchObject({ vary: expect.stringContaining('Accept-Encoding') });
  });
});

describe('an endpoint with a cache', () => {
  test('answers the second time from it, and says how old that is', async () => {
    const first = await send(USAGE);
    expect(first.headers).toMatchObject({
      'x-cache': 'MISS',
      age: '0',
      'cache-control': 'private, max-age=900',
    });
    world.text = 'b';
    time.nowMs += 100_000;
    const second = await send(USAGE);
    expect(second.text).toBe(first.text);
    expect(second.headers).toMatchObject({
      'x-cache': 'HIT',
      age: '100',
      'cache-control': 'private, max-age=800',
      etag: first.headers.etag,
    });
    expect(world.asked).toBe(1);
  });

  test('never answers anything older than its settings say', async () => {
    await send(USAGE);
    world.text = 'b';
    time.nowMs += 900_000;
    const late = await send(USAGE);
    expect(late.text).toContain('"b"');
    expect(late.headers).toMatchObject({ 'x-cache': 'MISS', age: '0' });
  });

  test('makes no other entry of an ignored parameter, the other identifier, another token, format or coding', async () => {
    await send(USAGE);
    const uuid = USAGE.replace('usage.api-counts', '9B4F8DF4-afd3-441b-ade3-8b772b745c37');
    for (const path of [`${USAGE}&utm=1`, uuid, `${USAGE}&format=csv`, `${USAGE}&meta=true`]) {
      expect((await send(path)).headers).toMatchObject({ 'x-cache': 'HIT' });
    }
    const posted = await call(host.port, '/api/endpoints/query/usage.api-counts', {
      method: 'POST',
      headers: { 'x-api-key': TOKEN },
      body: '{"interval":"hourly","project":"demo"}',
    });
    expect(posted.headers).toMatchObject({ 'x-cache': 'HIT' });
    expect(world.asked).toBe(1);
  });

  test.each([
    ['another parameter', USAGE.replace('hourly', 'daily'), {}],
    ["a consumer's own query", `${USAGE}&sql=select+1+from+edge_logs`, {}],
  ])('makes another entry of %s', async (_, path, headers) => {
    await send(USAGE);
    expect((await send(path, headers)).headers).toMatchObject({ 'x-cache': 'MISS' });
    expect((await send(path, headers)).headers).toMatchObject({ 'x-cache': 'HIT' });
  });

  test("keeps a consumer's query by its meaning, not by its spelling", async () => {
    await send(`${USAGE}&sql=select+1+from+edge_logs`);
    const other = await send(`${USAGE}&sql=select+++1+/*+one+*/+from+edge_logs+--+all`);
    expect(other.headers['x-cache']).toBe('HIT');
  });

  test('computes again for a caller that bypasses the cache, and keeps the result', async () => {
    await send(USAGE);
    world.text = 'b';
    const fresh = await send(USAGE, { 'cache-control': 'max-age=0, no-cache' });
    expect(fresh.headers).toMatchObject({ 'x-cache': 'REFRESH', age: '0' });
    expect(fresh.text).toContain('"b"');
    expect((await send(USAGE)).text).toContain('"b"');
  });

  test('runs a query once for all who ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(USAGE)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(world.asked).toBe(1);
  });

  test('still asks who may read what', async () => {
    await send(USAGE);
    expect((await send(USAGE, {}, NARROW_TOKEN)).status).toBe(404);
    expect((await send(USAGE, {}, 'lqe_unknown-token')).status).toBe(401);
  });
});

describe('If-None-Match', () => {
  test.each<[string, (etag: string) => string, number]>([
    ['the tag', (etag) => etag, 304],
    ['the tag among others', (etag) => `"other", W/${etag}`, 304],
    ['any tag', () => '*', 304],
    ['another tag', () => '"other"', 200],
    ['a part of the tag', (etag) => etag.slice(0, -2), 200],
  ])('with %s', async (_, header, status) => {
    const { etag = '' } = (await send(USAGE)).headers;
    const answer = await send(USAGE, { 'if-none-match': header(etag) });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ etag, 'x-cache': 'HIT' });
    if (status === 304) expect(answer.text).toBe('');
  });

  test('of one format does not match another format', async () => {
    const { etag = '' } = (await send(USAGE)).headers;
    expect((await send(`${USAGE}&format=csv`, { 'if-none-match': etag })).status).toBe(200);
  });
});
