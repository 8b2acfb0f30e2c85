import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeGateway } from '../../../../functions/gateway.ts';
import { guardServer } from '../../../../shared/http/server/guard-server.ts';
import { SERVER_LIMITS } from '../../../../shared/http/server/server-limits.ts';
import { callRaw, close, listen } from '../support/http-client.ts';
import { makeTestService, TOKEN } from '../support/test-service.ts';

const service = makeTestService();
const handler = makeGateway(service);
/** Two, so that a busy machine is not taken for a client whose headers never end. */
const servers = {
  patient: createServer((req, res) => void handler(req, res)),
  impatient: createServer((req, res) => void handler(req, res)),
};
const impatient = { ...SERVER_LIMITS, headersTimeoutMs: 300, requestTimeoutMs: 600, checkEveryMs: 50 };
const ports = { patient: 0, impatient: 0 };

beforeAll(async () => {
  for (const name of ['patient', 'impatient'] as const) {
    guardServer(servers[name], name === 'patient' ? SERVER_LIMITS : impatient);
    ports[name] = await listen(servers[name]);
  }
});
afterAll(() => Promise.all([close(servers.patient), close(servers.impatient)]));

const STATUS: Readonly<Record<number, string>> = { 401: 'UNAUTHENTICATED', 405: 'METHOD_NOT_ALLOWED' };

const GET = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';

test.each<[string, string | Buffer, number, server?: keyof typeof servers]>([
  ['headers too large', `${GET}X-Pad: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a URL too large for the headers', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a method that is none', 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['a URL with raw bytes', Buffer.from('GET /?project=é HTTP/1.1\r\nHost: a\r\n\r\n', 'utf8'), 400],
  ['a header without a name', `${GET}: x\r\n\r\n`, 400],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
  ],
  ['headers that never end', GET, 400, 'impatient'],
  ['a connection that says nothing', '', 400, 'impatient'],
  [
    'a body that never ends, at an address that reads none',
    'POST /api/endpoints/query/logs.all HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{',
    400,
    'impatient',
  ],
  ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['two hosts', `${GET}Host: b\r\nConnection: close\r\n\r\n`, 400],
  ['an expectation that nobody knows', `${GET}Expect: 200-ok\r\n\r\n`, 417],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n', 405],
  ['another version of HTTP', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a length that is none', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
  [
    'a coding of the message that nobody knows',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n',
    400,
  ],
  [
    'a chunk with long extensions',
    `POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n`,
    413,
  ],
  [
    'a malformed chunk of a body',
    `POST /api/endpoints/query/logs.all HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${TOKEN}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
    400,
  ],
])('%s is answered in the error envelope', async (_, bytes, code, server = 'patient') => {
  const text = await callRaw(ports[server], bytes);
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${code} \\S`));
  expect(head).toMatch(/\r\nConnection: close(\r\n|$)/);
  expect(head).toMatch(/\r\nX-Request-Id: \S/);
  expect(head).toContain(`\r\nContent-Length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toMatchObject({
    error: { code, status: STATUS[code] ?? 'INVALID_ARGUMENT', details: [] },
  });
});

test.each([
  ['HTTP/1.0 without a host', 'GET /healthz HTTP/1.0\r\n\r\n'],
  ['100-continue', `${GET}Expect: 100-continue\r\nConnection: close\r\n\r\n`],
  ['an offer of another protocol', `${GET}Connection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`],
  ['more than 2,000 headers', `${GET}Connection: close\r\n${'a:b\r\n'.repeat(2500)}\r\n`],
])('%s is answered as any other request', async (_, bytes) => {
  expect(await callRaw(ports.patient, bytes)).toMatch(/HTTP\/1\.1 200 OK[\s\S]*"status":"ok"/);
});

test('the last of 2,500 headers is read as the first is', async () => {
  const head = `GET /api/endpoints/query/logs.all?project=a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
  const text = await callRaw(ports.patient, `${head}${'a:b\r\n'.repeat(2500)}X-API-KEY: ${TOKEN}\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['letters beyond ASCII', Buffer.from('GET /?project=é HTTP/1.1\r\nHost: a\r\n\r\n', 'utf8')],
  ['spaces', 'GET /?sql=select 1 HTTP/1.1\r\nHost: a\r\n\r\n'],
])('the error for a URL with %s says to percent-encode it', async (_, bytes) => {
  const text = await callRaw(ports.patient, bytes);
  expect(text).toContain('percent-encode what is in the URL');
});
