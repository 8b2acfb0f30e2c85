import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeGateway } from '../../../../functions/gateway.ts';
import { memoryTokenStore } from '../../../../shared/access/token-store.ts';
import { makeIngestHandler } from '../../../../shared/http/ingest/ingest-handler.ts';
import { INGEST_LIMITS } from '../../../../shared/http/ingest/ingest-limits.ts';
import { loadSourceNames } from '../../../../shared/schema/load-source-names.ts';
import { loadTableSchemas } from '../../../../shared/schema/load-table-schemas.ts';
import { tokenRecord } from '../../access/support/token-record.ts';
import { type CheckingSink, checkingSink } from '../../ingest/support/checking-sink.ts';
import { type Host, serve } from '../support/hosts.ts';
import { type Answer, call } from '../support/http-client.ts';
import { makeTestService, TOKEN } from '../support/test-service.ts';

const WRITER = 'lqe_test-token-that-writes-edge-and-auth-logs';
const RATED = 'lqe_test-token-that-writes-once-a-minute';
const OWNED = 'lqe_test-token-that-writes-for-one-project';
const SCHEMAS = await loadTableSchemas('queries/sources');
const ENTRY = { id: 'a', timestamp: '2026-01-01T00:00:00Z', event_message: 'm' };

let sink: CheckingSink;
let held: Promise<void> | null;
let service: ReturnType<typeof makeTestService>;
let host: Host;

beforeAll(async () => {
  const sourceNames = await loadSourceNames('queries/sources', SCHEMAS);
  service = makeTestService({
    tokens: memoryTokenStore([
      tokenRecord(TOKEN),
      tokenRecord(WRITER, { writes: ['edge_logs', 'auth_logs'] }),
      tokenRecord(OWNED, { writes: ['edge_logs'], projects: ['p'] }),
      tokenRecord(RATED, {
        writes: ['edge_logs'],
        limits: { ...tokenRecord(RATED).limits, requestsPerMinute: 1 },
      }),
    ]),
    ingest: {
      sink: { append: (source, entries) => sink.append(source, entries) },
      schemas: SCHEMAS,
      sourceNames,
      defaultProject: null,
      nowMicros: () => 1_767_225_600_000_000n,
      newId: () => 'new',
    },
  });
  host = await serve(makeGateway(service));
});
afterAll(() => host.close());
beforeEach(() => {
  held = null;
  sink = checkingSink(SCHEMAS, async () => held ?? undefined);
});

interface Sent {
  readonly path?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function post(
  body: unknown,
  { path = '/api/logs?source=edge_logs', token = WRITER, headers = {} }: Sent = {},
) {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const all = { 'Content-Type': 'application/json', 'X-API-KEY': token, ...headers };
  return call(host.port, path, { method: 'POST', headers: all, body: text });
}

function takenOf(source: string): unknown[] {
  return (sink.taken.get(source) ?? []).map((text) => JSON.parse(text));
}

const logged = (taken: number) => ({ message: 'Logged!', taken, duplicates: 0 });
const errorOf = (answer: Answer) =>
  (answer.json() as { error: { message: string; details: unknown[] } }).error;

describe('POST /api/logs', () => {
  test.each<[string, unknown, number]>([
    ['an array', [ENTRY, { ...ENTRY, id: 'b' }], 2],
    ['a batch', { batch: [ENTRY] }, 1],
    ['one object', ENTRY, 1],
    ['no entry', [], 0],
    ['lines', `${JSON.stringify(ENTRY)}\n${JSON.stringify({ ...ENTRY, id: 'b' })}\n`, 2],
  ])('takes %s', async (_, body, count) => {
    const answer = await post(body);
    expect([answer.status, answer.json()]).toEqual([200, logged(count)]);
    expect(takenOf('edge_logs')).toHaveLength(count);
  });

  test.each([
    ['source=edge_logs', 'edge_logs'],
    ['source_name=edge_logs', 'edge_logs'],
    ['source=cloudflare.logs.prod', 'edge_logs'],
    ['source_name=cloudflare.logs.prod', 'edge_logs'],
    ['source_name=gotrue.logs.prod&other=1', 'auth_logs'],
  ])('finds the source of %s', async (query, source) => {
    expect((await post(ENTRY, { path: `/api/logs?${query}` })).status).toBe(200);
    expect(takenOf(source)).toEqual([ENTRY]);
  });

  test('of a token for one project takes entries of it alone', async () => {
    expect((await post([ENTRY], { token: OWNED })).json()).toEqual(logged(1));
    expect(takenOf('edge_logs')).toEqual([{ ...ENTRY, project: 'p' }]);
    const other = await post([ENTRY, { ...ENTRY, project: 'q' }], { token: OWNED });
    expect(other.status).toBe(403);
    expect(errorOf(other).message).toBe(
      'Entry 1, project: this access token may write entries of "p" only. No entry was taken.',
    );
    expect(takenOf('edge_logs')).toHaveLength(1);
  });

  test('takes gzip, NDJSON types and Authorization', async () => {
    const lines = gzipSync(`${JSON.stringify(ENTRY)}\n{}\n`);
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/x-ndjson; charset=utf-8' };
    expect((await post(lines, { headers })).json()).toEqual(logged(2));
    const authorization = { Authorization: `Bearer ${WRITER}`, 'Content-Type': 'application/json' };
    const answer = await call(host.port, '/api/logs?source=edge_logs', {
      method: 'POST',
      headers: authorization,
      body: JSON.stringify(ENTRY),
    });
    expect(answer.status).toBe(200);
  });

  test('takes the fields of Logflare', async () => {
    await post([
      {
        message: 'm',
        timestamp: 1_767_225_600_123,
        metadata: { request: { method: 'GET' } },
        appname: 'kong',
      },
    ]);
    expect(takenOf('edge_logs')).toEqual([
      {
        id: 'new',
        timestamp: 1_767_225_600_123_000,
        event_message: 'm',
        metadata: { request: { method: 'GET' }, appname: 'kong' },
      },
    ]);
  });

  test.each<[string, string, { entry: number; field?: string }]>([
    ['a timestamp that is none', '[{},{"timestamp":"yesterday"}]', { entry: 1, field: 'timestamp' }],
    ['a timestamp out of range', '[{"timestamp":1e30}]', { entry: 0, field: 'timestamp' }],
    ['a timestamp that is an object', '[{},{},{"timestamp":{}}]', { entry: 2, field: 'timestamp' }],
    [
      'a value of another type',
      '[{"metadata":{"response":{"status_code":"many"}}}]',
      { entry: 0, field: 'metadata.response.status_code' },
    ],
    [
      'a number that no INT64 holds',
      '[{"metadata":{"response":{"status_code":9223372036854775808}}}]',
      { entry: 0, field: 'metadata.response.status_code' },
    ],
    ['a message that is a number', '[{"message":5}]', { entry: 0, field: 'message' }],
    ['a key twice', '[{},{"project":"a","project":"b"}]', { entry: 1, field: 'project' }],
    ['a nested key twice', '[{"metadata":{"a":1,"a":2}}]', { entry: 0, field: 'metadata.a' }],
    ['an unnamable field', '[{"a.b":1}]', { entry: 0, field: 'metadata.a.b' }],
    ['half a surrogate pair', String.raw`[{"message":"\ud800"}]`, { entry: 0, field: 'event_message' }],
    ['an array in an array', '[{"x":[[1]]}]', { entry: 0, field: 'metadata.x' }],
    ['a value that is no JSON', '[{},{"x":tru}]', { entry: 1 }],
    ['an entry that is no object', '[{},5]', { entry: 1 }],
    ['a bad line', '{"id":"a"}\n{"id":}', { entry: 1 }],
  ])('refuses %s by entry and field and takes nothing', async (_, body, place) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(errorOf(answer).details).toEqual([{ ...place, reason: expect.any(String) }]);
    expect(errorOf(answer).message).toMatch(`Entry ${place.entry}`);
    expect(sink.taken.size).toBe(0);
  });

  test.each<[string, string | Buffer, Sent, number]>([
    ['no JSON', 'hello', {}, 400],
    ['an empty body', '', {}, 400],
    ['deep nesting', '['.repeat(5_000_000), {}, 400],
    ['deep nesting in an entry', `[{"a":${'{"a":'.repeat(1_000_000)}`, {}, 400],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), {}, 400],
    ['damaged gzip data', 'not gzip', { headers: { 'Content-Encoding': 'gzip' } }, 400],
    ['gzip data cut short', gzipSync('[]').subarray(0, 15), { headers: { 'Content-Encoding': 'gzip' } }, 400],
    ['a gzip bomb', gzipSync(Buffer.alloc(200_000_000)), { headers: { 'Content-Encoding': 'gzip' } }, 413],
    ['too long a body', Buffer.alloc(INGEST_LIMITS.maxBodyBytes + 1, 0x20), {}, 413],
    ['too many entries', `[${'{},'.repeat(60_000)}{}]`, {}, 413],
    ['too long an entry', `[{"message":"${'x'.repeat(2_000_000)}"}]`, {}, 413],
    ['another coding', '[]', { headers: { 'Content-Encoding': 'br' } }, 415],
    ['two codings', '[]', { headers: { 'Content-Encoding': 'gzip, gzip' } }, 415],
    ['a form', 'a=b', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }, 415],
    ['another charset', '[]', { headers: { 'Content-Type': 'application/json; charset=latin1' } }, 415],
    ['no source', '[]', { path: '/api/logs' }, 400],
    ['an unknown source', '[]', { path: '/api/logs?source=nothing' }, 400],
    ['a source named like a prototype', '[]', { path: '/api/logs?source=__proto__' }, 400],
    ['two sources', '[]', { path: '/api/logs?source=edge_logs&source_name=edge_logs' }, 400],
    ['a source of another token', '[]', { path: '/api/logs?source=storage_logs' }, 403],
    ['a token that reads', '[]', { token: TOKEN }, 403],
    ['an unknown token', '[]', { token: 'lqe_unknown' }, 401],
  ])('refuses %s', async (_, body, sent, status) => {
    const answer = await post(body, sent);
    expect(answer.status).toBe(status);
    expect(errorOf(answer).message.length).toBeLessThan(1_000);
    expect(sink.taken.size).toBe(0);
  });

  test('takes names of prototypes as names', async () => {
    const body = '[{"__proto__":{"polluted":1},"constructor":"c","toString":"t"}]';
    expect((await post(body)).status).toBe(200);
    expect(sink.taken.get('edge_logs')?.[0]).toContain(
      '"metadata":{"__proto__":{"polluted":1},"constructor":"c"',
    );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test('lets a token that writes read nothing', async () => {
    for (const path of [
      '/api/endpoints/query/logs.all?project=demo',
      '/openapi.json',
      '/explorer/catalogue.json',
    ]) {
      const answer = await call(host.port, path, { headers: { 'X-API-KEY': WRITER } });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  });

  test('answers 429 with Retry-After above the requests of the token', async () => {
    expect((await post(ENTRY, { token: RATED })).status).toBe(200);
    const answer = await post(ENTRY, { token: RATED });
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
  });

  test('answers 429 with Retry-After for more requests at the same time than a token may have', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const handler = makeIngestHandler(service, { ...INGEST_LIMITS, maxAtOnce: 2 });
    const narrow = await serve(handler);
    const send = () =>
      call(narrow.port, '/api/logs?source=edge_logs', {
        method: 'POST',
        headers: { 'X-API-KEY': WRITER },
        body: JSON.stringify(ENTRY),
      });
    try {
      const first = [send(), send(), send()];
      const refused = await Promise.race(first);
      expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
      resolve();
      const statuses = (await Promise.all(first)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 200, 429]);
      expect((await send()).status).toBe(200);
    } finally {
      await narrow.close();
    }
  });

  test('answers pages of other origins, and refuses other methods', async () => {
    const preflight = await call(host.port, '/api/logs?source=edge_logs', { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
    });
    expect((await call(host.port, '/api/logs')).status).toBe(405);
  });

  test('notes source and number in the log, and no entry', async () => {
    await post([{ ...ENTRY, event_message: 'secret words' }]);
    expect(JSON.parse(service.lines.at(-1) ?? '')).toMatchObject({ source: 'edge_logs', taken: 1 });
    expect(service.lines.join('')).not.toContain('secret words');
  });
});

test('a service without a sink says that it takes no entries', async () => {
  const tokens = memoryTokenStore([tokenRecord(WRITER, { writes: ['edge_logs'] })]);
  const closed = await serve(makeGateway(makeTestService({ tokens })));
  try {
    const answer = await call(closed.port, '/api/logs?source=edge_logs', {
      method: 'POST',
      headers: { 'X-API-KEY': WRITER },
      body: '[]',
    });
    expect(answer.status).toBe(404);
    expect(errorOf(answer).message).toContain('takes no entries');
  } finally {
    await closed.close();
  }
});
