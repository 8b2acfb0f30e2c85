import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeGateway } from '../../functions/gateway.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { HOSTS, type Host } from '../shared/http/support/hosts.ts';
import { type Answer, type Call, call } from '../shared/http/support/http-client.ts';
import {
  EXPIRED_TOKEN,
  LOGS_ID,
  makeTestService,
  NARROW_TOKEN,
  REVOKED_TOKEN,
  rowsOf,
  TOKEN,
  USAGE_ID,
} from '../shared/http/support/test-service.ts';

/** The value of the header Date. */
const DATE = /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/;

const LOGS = '/api/endpoints/query/logs.all';
const USAGE = '/api/endpoints/query/usage.api-counts';
const auth = { 'x-api-key': TOKEN };
const narrow = { 'x-api-key': NARROW_TOKEN };
const json = { ...auth, 'content-type': 'application/json' };

/** Fails in the way that the project's name says. */
const service = makeTestService({
  run: async ({ parameters }) => {
    switch (parameters.get('project')?.value) {
      case 'plain-error':
        throw new Error('password=hunter2 at table secret.t');
      case 'no-error':
        return Promise.reject(undefined);
      case 'deadline':
        throw new ServiceError('deadline_exceeded', 'The query took longer than 30 s.');
      case 'memory':
        throw new ServiceError('resource_exhausted', 'Too much memory.', { headers: { 'Retry-After': '5' } });
      case 'unavailable':
        throw new ServiceError('unavailable', 'The warehouse failed.', { cause: new Error('secret.t') });
      default:
        return rowsOf('{"id":"a","ip":"192.0.2.1"}', '{"id":"b","ip":"2001:db8::1"}');
    }
  },
});

/** Name, path, request, expected code and status word. */
const FAILURES: readonly [string, string, Call, number, string][] = [
  ['no token', `${LOGS}?project=demo`, {}, 401, 'UNAUTHENTICATED'],
  ['an unknown token', LOGS, { headers: { 'x-api-key': 'nobody' } }, 401, 'UNAUTHENTICATED'],
  ['an expired token', LOGS, { headers: { 'x-api-key': EXPIRED_TOKEN } }, 401, 'UNAUTHENTICATED'],
  ['a revoked token', LOGS, { headers: { 'x-api-key': REVOKED_TOKEN } }, 401, 'UNAUTHENTICATED'],
  ['a token in the URL', `${LOGS}?project=demo&api_key=${TOKEN}`, {}, 401, 'UNAUTHENTICATED'],
  ['no token and no endpoint', '/api/endpoints/query/nothing', {}, 401, 'UNAUTHENTICATED'],
  ['no token and a malformed path', '/api/endpoints/query/%zz', {}, 401, 'UNAUTHENTICATED'],
  ['no token and a malformed query', `${LOGS}?project=%zz`, {}, 401, 'UNAUTHENTICATED'],
  ['no token and a malformed body', LOGS, { method: 'POST', body: '{' }, 401, 'UNAUTHENTICATED'],
  ['no endpoint of that name', '/api/endpoints/query/nothing', { headers: auth }, 404, 'NOT_FOUND'],
  ['no endpoint at all', '/api/endpoints/query/', { headers: auth }, 404, 'NOT_FOUND'],
  ['a name of every object', '/api/endpoints/query/__proto__', { headers: auth }, 404, 'NOT_FOUND'],
  ['a method of every object', '/api/endpoints/query/constructor', { headers: auth }, 404, 'NOT_FOUND'],
  ['a malformed escape in the path', '/api/endpoints/query/%zz', { headers: auth }, 404, 'NOT_FOUND'],
  ['bytes that are not UTF-8', '/api/endpoints/query/%ff', { headers: auth }, 404, 'NOT_FOUND'],
  ['a name encoded twice', '/api/endpoints/query/logs%252Eall', { headers: auth }, 404, 'NOT_FOUND'],
  ['a name in another case', '/api/endpoints/query/LOGS.ALL', { headers: auth }, 404, 'NOT_FOUND'],
  ['a longer path', `${LOGS}/more`, { headers: auth }, 404, 'NOT_FOUND'],
  ['an unknown path', '/nothing', {}, 404, 'NOT_FOUND'],
  ['an unknown path with a malformed escape', '/%zz', {}, 404, 'NOT_FOUND'],
  ['a path upwards', '/api/endpoints/query/../../healthz', { headers: auth }, 404, 'NOT_FOUND'],
  ['PUT', LOGS, { method: 'PUT', headers: auth }, 405, 'METHOD_NOT_ALLOWED'],
  ['DELETE without a token', LOGS, { method: 'DELETE' }, 405, 'METHOD_NOT_ALLOWED'],
  ['POST to the health check', '/healthz', { method: 'POST' }, 405, 'METHOD_NOT_ALLOWED'],
  ['a missing parameter', LOGS, { headers: auth }, 400, 'INVALID_ARGUMENT'],
  ['an empty parameter', `${LOGS}?project=`, { headers: auth }, 400, 'INVALID_ARGUMENT'],
  ['a repeated parameter', `${LOGS}?project=a&project=b`, { headers: auth }, 400, 'INVALID_ARGUMENT'],
  ['a malformed value', `${LOGS}?project=a&iso_timestamp_end=x`, { headers: auth }, 400, 'INVALID_ARGUMENT'],
  ['a value not allowed', `${USAGE}?project=a&interval=x`, { headers: auth }, 400, 'INVALID_ARGUMENT'],
  ['an invalid regex', `${USAGE}?project=(&interval=daily`, { headers: auth }, 400, 'INVALID_ARGUMENT'],
  [
    'a query of the caller that does not parse',
    `${LOGS}?project=a&sql=selec+1`,
    { headers: auth },
    400,
    'INVALID_ARGUMENT',
  ],
  ['lql', `${LOGS}?project=a&lql=x`, { headers: auth }, 400, 'INVALID_ARGUMENT'],
  ['a malformed escape', `${LOGS}?project=100%`, { headers: auth }, 400, 'INVALID_ARGUMENT'],
  ['malformed JSON', LOGS, { method: 'POST', headers: json, body: '{"project"' }, 400, 'INVALID_ARGUMENT'],
  ['a body that is a list', LOGS, { method: 'POST', headers: json, body: '[]' }, 400, 'INVALID_ARGUMENT'],
  ['another endpoint than the token has', USAGE, { headers: narrow }, 404, 'NOT_FOUND'],
  [
    'another project than the token has',
    `${LOGS}?project=shop`,
    { headers: narrow },
    403,
    'PERMISSION_DENIED',
  ],
  ['a pattern in place of the project', `${LOGS}?project=.*`, { headers: narrow }, 403, 'PERMISSION_DENIED'],
  ['no project with a limited token', LOGS, { headers: narrow }, 403, 'PERMISSION_DENIED'],
  [
    'a body too long',
    LOGS,
    { method: 'POST', headers: json, body: `{"project":"${'x'.repeat(300_000)}"}` },
    413,
    'INVALID_ARGUMENT',
  ],
  [
    'a form',
    LOGS,
    {
      method: 'POST',
      headers: { ...auth, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'project=demo',
    },
    415,
    'INVALID_ARGUMENT',
  ],
  ['a plain Error', `${LOGS}?project=plain-error`, { headers: auth }, 500, 'INTERNAL'],
  ['nothing thrown', `${LOGS}?project=no-error`, { headers: auth }, 500, 'INTERNAL'],
  ['a warehouse that fails', `${LOGS}?project=unavailable`, { headers: auth }, 503, 'UNAVAILABLE'],
  ['a query out of time', `${LOGS}?project=deadline`, { headers: auth }, 504, 'DEADLINE_EXCEEDED'],
  ['a query out of memory', `${LOGS}?project=memory`, { headers: auth }, 429, 'RESOURCE_EXHAUSTED'],
];

describe.each(HOSTS)('every route under %s', (_, start) => {
  const hosts: Host[] = [];
  const send = (path: string, options?: Call): Promise<Answer> => call(hosts[0]!.port, path, options);

  beforeAll(async () => {
    hosts.push(await start(makeGateway(service)));
  });
  afterAll(() => hosts[0]?.close());

  test.each(['usage.api-counts', USAGE_ID, USAGE_ID.toUpperCase(), 'usage.api-counts/'])(
    'tells a token nothing of %s, which it may not use',
    async (name) => {
      const headers = { ...narrow, 'x-request-id': 'same' };
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']) {
        const [forbidden, unknown] = await Promise.all(
          [name, '11111111-2222-4333-8444-555555555555'].map((key) =>
            send(`/api/endpoints/query/${key}?project=demo&interval=daily`, { method, headers }),
          ),
        );
        const told = (answer: Answer | undefined) => ({
          ...answer,
          rawHeaders: answer?.rawHeaders.map((text) => text.replace(/dur=[\d.]+/g, 'dur=').replace(DATE, '')),
          headers: null,
          json: null,
        });
        expect(told(forbidden)).toEqual(told(unknown));
        if (['GET', 'POST'].includes(method))
          expect(forbidden?.json()).toMatchObject({ error: { code: 404 } });
      }
    },
  );

  test.each(FAILURES)('%s answers the error envelope', async (_name, path, options, code, status) => {
    const answer = await send(path, options);
    expect(answer.status).toBe(code);
    expect(answer.json()).toEqual({
      error: { code, status, message: expect.stringMatching(/^\S.*[.)]$/s), details: expect.any(Array) },
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(answer.text)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'x-request-id': expect.stringMatching(/^request-\d+$/),
    });
    expect(answer.text).not.toMatch(/hunter2|secret\.t|\.ts\b|node_modules|select [12]/);
    expect(answer.text + answer.rawHeaders.join()).not.toContain(TOKEN);
  });

  test.each(FAILURES.filter(([, , { method }]) => method === undefined))(
    '%s answers HEAD with the headers of GET',
    async (_name, path, options) => {
      const get = await send(path, options);
      const head = await send(path, { ...options, method: 'HEAD' });
      expect(head.status).toBe(get.status);
      expect(head.text).toBe('');
      expect(stableHeaders(head)).toEqual(stableHeaders(get));
    },
  );

  test('a 500 names the request and tells nothing else', async () => {
    const answer = await send(`${LOGS}?project=plain-error`, {
      headers: { ...auth, 'x-request-id': 'mine-1' },
    });
    expect(answer.headers['x-request-id']).toBe('mine-1');
    expect(answer.json()).toEqual({
      error: {
        code: 500,
        status: 'INTERNAL',
        message:
          'The service failed to answer. Its operator finds the reason in the log under request id mine-1.',
        details: [],
      },
    });
    expect(service.lines.at(-1)).toContain('hunter2');
  });

  test('a 401 says how to authenticate, a 429 when to come back, a 405 what is allowed', async () => {
    expect((await send(LOGS)).headers['www-authenticate']).toMatch(/^Bearer/);
    const exhausted = await send(`${LOGS}?project=memory`, { headers: auth });
    expect(exhausted.headers['retry-after']).toBe('5');
    expect((await send(LOGS, { method: 'PATCH' })).headers.allow).toBe('GET, HEAD, POST, OPTIONS');
    expect((await send('/readyz', { method: 'POST' })).headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test.each([
    LOGS,
    `${LOGS}/`,
    `/api/endpoints/query/${LOGS_ID}`,
    `/api/endpoints/query/${LOGS_ID.toUpperCase()}`,
    '/api/endpoints/query/logs%2Eall',
  ])('%s answers the rows as the warehouse wrote them', async (path) => {
    const answer = await send(`${path}?project=demo`, { headers: auth });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"result":[{"id":"a","ip":"192.0.2.1"},{"id":"b","ip":"2001:db8::1"}]}');
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(answer.text.length),
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Encoding, X-API-KEY, Authorization, LF-ENDPOINT-REDACT-PII',
      'x-cache': 'BYPASS',
      'x-content-type-options': 'nosniff',
      'x-row-count': '2',
      'access-control-allow-origin': '*',
      'server-timing': expect.stringMatching(
        /^auth;dur=[\d.]+, bind;dur=[\d.]+, query;dur=[\d.]+, encode;dur=[\d.]+$/,
      ),
    });
    expect(answer.headers).not.toHaveProperty('x-truncated');
    expect(answer.headers).not.toHaveProperty('x-ignored-parameters');
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('both identifiers of the other endpoint answer the same', async () => {
    const answers = await Promise.all(
      ['usage.api-counts', USAGE_ID].map((key) =>
        send(`/api/endpoints/query/${key}?project=demo&interval=daily`, { headers: auth }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });

  test('HEAD answers the headers of GET without a body', async () => {
    const path = `${LOGS}?project=demo&zone=x`;
    const get = await send(path, { headers: auth });
    const head = await send(path, { method: 'HEAD', headers: auth });
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(String(get.text.length));
    expect(stableHeaders(head)).toEqual(stableHeaders(get));
  });

  test.each([LOGS, '/api/endpoints/query/nothing', '/healthz', '/readyz', '/nothing'])(
    'OPTIONS %s needs no token and never allows credentials',
    async (path) => {
      const answer = await send(path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://studio.example',
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'x-api-key',
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.text).toBe('');
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': answer.headers.allow,
        'access-control-max-age': '7200',
      });
      const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining(['x-api-key', 'authorization', 'content-type', 'lf-endpoint-redact-pii']),
      );
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  test('an answer lets browsers read every header of ours that it has', async () => {
    const answer = await send(`${LOGS}?project=demo&zone=x`, {
      headers: { ...auth, origin: 'https://a.example' },
    });
    const exposed = String(answer.headers['access-control-expose-headers']).toLowerCase().split(', ');
    const ours = Object.keys(answer.headers).filter(
      (name) => name === 'server-timing' || (name.startsWith('x-') && name !== 'x-content-type-options'),
    );
    expect(ours.length).toBeGreaterThanOrEqual(5);
    expect(exposed).toEqual(expect.arrayContaining(ours));
  });

  test('the health checks need no token', async () => {
    expect((await send('/healthz')).text).toBe('{"status":"ok"}');
    expect((await send('/readyz')).text).toBe('{"status":"ready"}');
    expect((await send('/healthz', { method: 'HEAD' })).headers['content-length']).toBe('15');
  });

  test('no line of the log has a token or a value, and each request has one line', async () => {
    const before = service.lines.length;
    await send(`${LOGS}?project=value-of-a-parameter&interval=other`, { headers: auth });
    await send(`${LOGS}?project=demo`, { headers: { authorization: `Bearer ${TOKEN}` } });
    await send(`${LOGS}?project=a&iso_timestamp_end=value-of-a-parameter`, { headers: auth });
    await send(`${LOGS}?project=demo&token=${TOKEN}`);
    await send(LOGS, { method: 'POST', headers: json, body: '{"project":"value-of-a-parameter"}' });
    const lines = service.lines.slice(before);
    expect(lines.map((line) => JSON.parse(line).httpRequest.status)).toEqual([200, 200, 400, 401, 200]);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      severity: 'INFO',
      endpoint: 'logs.all',
      token: 'suite',
      rows: 2,
      httpRequest: { requestMethod: 'GET', requestUrl: LOGS },
    });
    expect(service.lines.join('')).not.toContain(TOKEN);
    expect(lines.join('')).not.toContain('value-of-a-parameter');
  });
});

/** What does not change from one request to the next. */
function stableHeaders(answer: Answer): object {
  const { date: _date, 'x-request-id': _id, 'server-timing': timing, ...rest } = answer.headers;
  return { ...rest, timing: String(timing).replaceAll(/[\d.]+/g, '#') };
}
