import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { HTTP_LIMITS } from '../../../shared/http/http-limits.ts';
import { makeQueryHandler } from '../../../shared/http/query/query-handler.ts';
import { HOSTS, type Host } from './support/hosts.ts';
import { call, callRaw, close, listen } from './support/http-client.ts';
import { makeTestService, TOKEN } from './support/test-service.ts';

const LOGS = '/api/endpoints/query/logs.all';
const auth = { 'x-api-key': TOKEN };
/** So patient that no busy machine is taken for a slow client. */
const limits = {
  maxUrlBytes: 1000,
  maxBodyBytes: 1000,
  bodyTimeoutMs: 600_000,
  maxDiscardedBytes: 100_000,
  discardTimeoutMs: 600_000,
};
/** For bodies that never end. */
const impatient = { ...limits, bodyTimeoutMs: 200, discardTimeoutMs: 200 };

function bodyOf(bytes: number): string {
  return `{"project":"a"}`.padEnd(bytes);
}

function head(...lines: string[]): string {
  return [`POST ${LOGS} HTTP/1.1`, 'Host: localhost', `X-API-KEY: ${TOKEN}`, ...lines, '', ''].join('\r\n');
}

describe.each(HOSTS)('limits under %s', (_, start) => {
  const service = makeTestService();
  const hosts: Host[] = [];
  const port = (): number => hosts[0]?.port ?? 0;
  beforeAll(async () => void hosts.push(await start(makeQueryHandler(service, { limits }))));
  afterAll(() => hosts[0]?.close());

  test.each([
    [1000, {}, 200],
    [1001, {}, 413],
    [1000, { 'transfer-encoding': 'chunked' }, 200],
    [1001, { 'transfer-encoding': 'chunked' }, 413],
    [90_000, {}, 413],
    [90_000, { 'transfer-encoding': 'chunked' }, 413],
  ])('a body of %p bytes with %p answers %p', async (bytes, headers, code) => {
    const answer = await call(port(), LOGS, {
      method: 'POST',
      headers: { ...auth, ...headers },
      body: bodyOf(bytes),
    });
    expect(answer.status).toBe(code);
  });

  test('a URL has a limit of bytes', async () => {
    const path = `${LOGS}?project=a&pad=`;
    const fit = path.padEnd(1000, 'x');
    expect((await call(port(), fit, { headers: auth })).status).toBe(200);
    const answer = await call(port(), `${fit}x`, { headers: auth });
    expect(answer.status).toBe(414);
    expect(answer.json()).toMatchObject({ error: { message: expect.stringContaining('POST') } });
  });

  test('a body announced as larger than is worth reading is answered at once, and the connection closed', async () => {
    const text = await callRaw(port(), head('Content-Length: 1073741824'));
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
    expect(text).toContain('"code":413');
  });

  test('a client that sends all of a large body sees the answer', async () => {
    const text = await callRaw(
      port(),
      Buffer.concat([
        Buffer.from(head('Content-Length: 90000', 'Connection: close')),
        Buffer.alloc(90_000, 32),
      ]),
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('a connection outlives a refused body that was read to its end', async () => {
    const large = head('Content-Length: 5000') + ' '.repeat(5000);
    const small = head('Content-Length: 15', 'Connection: close') + bodyOf(15);
    const text = await callRaw(port(), large + small);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  test('a client that breaks off its body is logged and asks the warehouse nothing', async () => {
    const before = service.runs.length;
    const logged = service.lines.length;
    const socket = connect(port(), '127.0.0.1', () => {
      socket.write(`${head('Content-Length: 500')}{"project"`, () => socket.destroy());
    });
    await until(() => service.lines.length > logged);
    expect(service.runs.length).toBe(before);
    expect(JSON.parse(service.lines.at(-1) ?? '').httpRequest.status).toBe(499);
  });

  test('a compressed body is refused, however small', async () => {
    const answer = await call(port(), LOGS, {
      method: 'POST',
      headers: { ...auth, 'content-encoding': 'gzip', 'content-type': 'application/json' },
      body: gzipSync('{"project":"a"}'),
    });
    expect(answer.status).toBe(415);
    expect(answer.headers['accept-encoding']).toBe('identity');
  });
});

describe.each(HOSTS)('time under %s', (_, start) => {
  const hosts: Host[] = [];
  const port = (): number => hosts[0]?.port ?? 0;
  beforeAll(async () => {
    hosts.push(await start(makeQueryHandler(makeTestService(), { limits: impatient })));
  });
  afterAll(() => hosts[0]?.close());

  test('a body without a token is never parsed, and an endless one is not awaited', async () => {
    const anonymous = head('Transfer-Encoding: chunked').replace(/X-API-KEY.*\r\n/, '');
    const text = await callRaw(port(), `${anonymous}5\r\n{{{{{\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });

  test('a body that does not arrive in time is refused and the connection closed', async () => {
    const text = await callRaw(port(), `${head('Content-Length: 500')}{"project"`);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('did not arrive within 0.2 s');
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
  });
});

describe('a host that has read the body already', () => {
  const body = '{"project":"read by the host"}';
  const service = makeTestService();
  const handler = makeQueryHandler(service, { limits });

  test.each([
    ['as bytes beside what it made of them', { rawBody: Buffer.from(body), body: { project: 'other' } }],
    ['as bytes', { body: Buffer.from(body) }],
    ['as text', { body }],
    ['as an object', { body: JSON.parse(body) }],
  ])('and leaves it %s is taken at its word', async (_, left) => {
    const server = createServer((req, res) => {
      req.resume().on('end', () => void handler(Object.assign(req, left), res));
    });
    const answer = await sendOnce(server, body);
    expect(answer.status).toBe(200);
    expect(service.runs.at(-1)?.query.parameters.get('project')?.value).toBe('read by the host');
  });

  test('does not avoid the limit', async () => {
    const server = createServer((req, res) => {
      const rawBody = Buffer.alloc(1001, 32);
      req.resume().on('end', () => void handler(Object.assign(req, { rawBody }), res));
    });
    expect((await sendOnce(server, body)).status).toBe(413);
  });

  test('and leaves nothing of it counts as no body', async () => {
    const server = createServer((req, res) => {
      req.resume().on('end', () => void handler(req, res));
    });
    expect((await sendOnce(server, body)).status).toBe(400);
  });
});

test('the limits are those that the documentation promises', () => {
  expect(HTTP_LIMITS).toMatchObject({ maxUrlBytes: 32_768, maxBodyBytes: 262_144, bodyTimeoutMs: 10_000 });
});

async function sendOnce(server: Server, body: string) {
  const port = await listen(server);
  const answer = await call(port, LOGS, { method: 'POST', headers: auth, body });
  await close(server);
  return answer;
}

/** Resolves when a condition holds, looked at on every turn of the event loop. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
