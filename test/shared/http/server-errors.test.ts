import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeGateway } from '../../../functions/gateway.ts';
import { answerParserErrors } from '../../../shared/http/server-errors.ts';
import { callRaw, close, listen } from './support/http-client.ts';
import { makeTestService, TOKEN } from './support/test-service.ts';

const service = makeTestService();
const handler = makeGateway(service);
/** Two, so that a busy machine is not taken for a client whose headers never end. */
const servers = {
  patient: createServer((req, res) => void handler(req, res)),
  impatient: createServer({ headersTimeout: 300, connectionsCheckingInterval: 50 }, (req, res) => {
    void handler(req, res);
  }),
};
const ports = { patient: 0, impatient: 0 };

beforeAll(async () => {
  for (const name of ['patient', 'impatient'] as const) {
    answerParserErrors(servers[name]);
    ports[name] = await listen(servers[name]);
  }
});
afterAll(() => Promise.all([close(servers.patient), close(servers.impatient)]));

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
  expect(JSON.parse(body)).toMatchObject({ error: { code, status: 'INVALID_ARGUMENT', details: [] } });
});

test.each([
  ['letters beyond ASCII', Buffer.from('GET /?project=é HTTP/1.1\r\nHost: a\r\n\r\n', 'utf8')],
  ['spaces', 'GET /?sql=select 1 HTTP/1.1\r\nHost: a\r\n\r\n'],
])('a URL with %s is told to be percent-encoded', async (_, bytes) => {
  const text = await callRaw(ports.patient, bytes);
  expect(text).toContain('percent-encode what is in the URL');
});
