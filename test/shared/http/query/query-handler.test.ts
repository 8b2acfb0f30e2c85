import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import type { QueryResult } from '../../../../shared/warehouse/warehouse.ts';
import { type Host, serve } from '../support/hosts.ts';
import { type Answer, type Call, call, callRaw } from '../support/http-client.ts';
import { LOGS_SQL, makeTestService, NOW_MICROS, type Run, rowsOf, TOKEN } from '../support/test-service.ts';

const LOGS = '/api/endpoints/query/logs.all';
const USAGE = '/api/endpoints/query/usage.api-counts';

const answers: { result: QueryResult } = { result: rowsOf() };
const service = makeTestService({ run: async () => answers.result });
const hosts: Host[] = [];

beforeAll(async () => void hosts.push(await serve(makeQueryHandler(service))));
afterAll(() => hosts[0]?.close());
beforeEach(() => {
  answers.result = rowsOf('{"id":"a"}');
});

function send(path: string, { headers, ...rest }: Call = {}): Promise<Answer> {
  return call(hosts[0]?.port ?? 0, path, { ...rest, headers: { 'x-api-key': TOKEN, ...headers } });
}

function post(body: string, query = '', headers: Record<string, string> = {}): Promise<Answer> {
  return send(LOGS + query, { method: 'POST', headers, body });
}

function lastRun(): Run | undefined {
  return service.runs.at(-1);
}

function lastValues(): unknown {
  return Object.fromEntries(
    [...(lastRun()?.query.parameters ?? [])].map(([name, { value }]) => [name, value]),
  );
}

const NO_BOUNDS = { iso_timestamp_start: null, iso_timestamp_end: null };

describe('the warehouse is asked', () => {
  test("for the endpoint's query with typed values and the service's limits", async () => {
    await send(`${LOGS}?project=a%27+or+1%3D1&iso_timestamp_start=2026-01-01T00:00:00+02:00`);
    expect(lastRun()).toEqual({
      query: {
        sql: LOGS_SQL,
        parameters: new Map([
          ['project', { type: 'STRING', value: "a' or 1=1" }],
          ['iso_timestamp_start', { type: 'TIMESTAMP', value: 1_767_218_400_000_000n }],
          ['iso_timestamp_end', { type: 'TIMESTAMP', value: null }],
        ]),
      },
      options: {
        maxRows: 1000,
        deadlineMs: 30_000,
        nowMicros: NOW_MICROS,
        countsRows: false,
        signal: expect.any(AbortSignal),
        grow: expect.any(Function),
        maxBytesBilled: 107_374_182_400,
        lookback: null,
        onUsage: expect.any(Function),
        timeWindow: { start: 'iso_timestamp_start', end: 'iso_timestamp_end' },
        owner: expect.stringMatching(/^[0-9a-f]{16}$/),
        labels: { endpoint: 'logs.all', kind: 'stored', token: expect.stringMatching(/^[0-9a-f]{16}$/) },
      },
    });
  });

  test.each([
    ['the URL of GET', () => send(`${LOGS}?project=d%C3%A9mo`), 'démo'],
    ['the URL of POST', () => post('', '?project=demo'), 'demo'],
    ['a JSON body', () => post('{"project":"démo"}', '', { 'content-type': 'application/json' }), 'démo'],
    [
      'a JSON body with a charset',
      () => post('{"project":"demo"}', '', { 'content-type': 'Application/JSON; charset="UTF-8"' }),
      'demo',
    ],
    ['a body without a type', () => post('{"project":"demo"}'), 'demo'],
    ['a body that starts with a byte order mark', () => post('\ufeff{"project":"demo"}'), 'demo'],
    ['a big integer in JSON', () => post('{"project":9007199254740993}'), '9007199254740993'],
    ['a boolean in JSON', () => post('{"project":true}'), 'true'],
    ['the URL, with null in the body', () => post('{"project":null}', '?project=demo'), 'demo'],
    ['a chunked body', () => post('{"project":"demo"}', '', { 'transfer-encoding': 'chunked' }), 'demo'],
  ])('with the parameters of %s', async (_, request, project) => {
    expect((await request()).status).toBe(200);
    expect(lastValues()).toEqual({ project, ...NO_BOUNDS });
  });

  test('with parameters from the URL and the body together', async () => {
    await post('{"iso_timestamp_end":"1970-01-01"}', '?project=demo');
    expect(lastValues()).toEqual({ project: 'demo', iso_timestamp_start: null, iso_timestamp_end: 0n });
  });

  test('the same with a body as with a URL, when a GET brings a body', async () => {
    const answer = await send(`${LOGS}?project=demo`, { headers: { 'content-length': '1' }, body: '{' });
    expect(answer.status).toBe(200);
    expect(lastValues()).toEqual({ project: 'demo', ...NO_BOUNDS });
  });
});

describe('a body is refused', () => {
  test.each([
    ['when it gives a parameter that the URL gives too', '{"project":"a"}', '?project=a', {}, 400, 'project'],
    ['when a value is an array', '{"project":["a"]}', '', {}, 400, 'project'],
    ['when a value is an object', '{"project":{}}', '', {}, 400, 'project'],
    ['when a name is there twice', '{"project":"a","project":"a"}', '', {}, 400, 'project'],
    ['when it is null', 'null', '', {}, 400, undefined],
    ['when it is not UTF-8', Buffer.from('7b22ff223a317d', 'hex'), '', {}, 400, undefined],
    [
      'when it is a form',
      'project=a',
      '',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      undefined,
    ],
    ['when it is text', '{"project":"a"}', '', { 'content-type': 'text/plain' }, 415, undefined],
    [
      'when its type only starts like JSON',
      '{}',
      '',
      { 'content-type': 'application/jsonp' },
      415,
      undefined,
    ],
    [
      'when it is in UTF-16',
      '{}',
      '',
      { 'content-type': 'application/json; charset=utf-16' },
      415,
      undefined,
    ],
    ['when it is compressed', '{}', '', { 'content-encoding': 'gzip' }, 415, undefined],
  ])('%s', async (_, body, query, headers, code, parameter) => {
    const before = service.runs.length;
    const answer = await send(LOGS + query, { method: 'POST', headers, body });
    const { error } = answer.json() as { error: { details: { parameter?: string }[] } };
    expect(answer.status).toBe(code);
    expect(error.details[0]?.parameter).toBe(parameter);
    expect(service.runs.length).toBe(before);
  });
});

describe('headers report what the envelope does not', () => {
  test('how many rows there are, and that some were cut off', async () => {
    answers.result = { ...rowsOf('{"id":1}', '{"id":2}', '{"id":3}'), truncated: true };
    const answer = await send(`${LOGS}?project=a`);
    expect(answer.headers).toMatchObject({ 'x-row-count': '3', 'x-truncated': 'true' });
  });

  test('no rows are an empty list', async () => {
    answers.result = rowsOf();
    const answer = await send(`${LOGS}?project=a`);
    expect(answer.text).toBe('{"result":[]}');
    expect(answer.headers['x-row-count']).toBe('0');
  });

  test.each([
    ['&zone=x&Project=y', 'zone, Project'],
    ['&a%0d%0aSet-Cookie:%20x=1', 'a%0D%0ASet-Cookie%3A%20x'],
    ['&a,b=1&%F0%9F%92%A9=1', 'a%2Cb, %F0%9F%92%A9'],
    ['&__proto__=1&constructor=2', '__proto__, constructor'],
    ['&=1', '""'],
    [`&${'x'.repeat(3000)}=1`, '...'],
  ])('which parameters were ignored: %s', async (query, header) => {
    const answer = await send(`${LOGS}?project=a${query}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ignored-parameters']).toBe(header);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  test('which parameters of a body were ignored', async () => {
    const answer = await post(String.raw`{"project":"a","__proto__":"b","x\r\ny":1,"\ud83d\udca9":null}`);
    expect(answer.headers['x-ignored-parameters']).toBe('__proto__, x%0D%0Ay');
  });
});

describe('redaction', () => {
  const row = '{"timestamp":1767225600000000,"event_message":"from 192.0.2.1 and [2001:db8::1]:443"}';

  test.each([
    ['true', true],
    ['TRUE', true],
    ['True ', true],
    ['true, true', true],
    ['false,\ttrue\t', true],
    [' , ,TRUE,', true],
    ['false, no', false],
    ['"true"', false],
    ['true;q=0', false],
    ['truetrue', false],
    ['false', false],
    ['1', false],
    ['', false],
  ])('of an endpoint that leaves addresses alone, with the header %p', async (header, isRedacted) => {
    answers.result = rowsOf(row);
    const answer = await send(`${LOGS}?project=a`, { headers: { 'lf-endpoint-redact-pii': header } });
    expect(answer.text.includes('192.0.2.1')).toBe(!isRedacted);
    expect(answer.text.includes('2001:db8::1')).toBe(!isRedacted);
    expect(answer.text.includes('1767225600000000')).toBe(true);
    expect(answer.headers['content-length']).toBe(String(answer.text.length));
  });

  test.each([
    [['true', 'true'], true],
    [['false', 'TRUE'], true],
    [['', '\ttrue'], true],
    [['false', ''], false],
  ])('with the header sent twice, as %j', async (values, isRedacted) => {
    answers.result = rowsOf(row);
    const lines = values.map((value) => `LF-Endpoint-Redact-PII: ${value}\r\n`).join('');
    const head = `GET ${LOGS}?project=a HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${TOKEN}\r\nConnection: close\r\n`;
    const text = await callRaw(hosts[0]?.port ?? 0, `${head}${lines}\r\n`);
    expect(text.includes('192.0.2.1')).toBe(!isRedacted);
  });

  test.each(['true', 'false', ''])(
    'of an endpoint that redacts is not turned off by the header %p',
    async (header) => {
      answers.result = rowsOf(row);
      const answer = await send(`${USAGE}?project=a&interval=daily`, {
        headers: { 'lf-endpoint-redact-pii': header },
      });
      expect(answer.text).not.toContain('192.0.2.1');
      expect(answer.text).toContain('REDACTED');
    },
  );
});

test('an answer counts its length in bytes', async () => {
  answers.result = rowsOf('{"event_message":"né 💩"}');
  const answer = await send(`${LOGS}?project=a`);
  expect(answer.json()).toEqual({ result: [{ event_message: 'né 💩' }] });
  expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
});
