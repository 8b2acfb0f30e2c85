import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { makeGateway } from '../../../functions/gateway.ts';
import { makeRateLimiter } from '../../../shared/access/rate-limiter.ts';
import { NO_LIMITS } from '../../../shared/access/token-limits.ts';
import { memoryTokenStore } from '../../../shared/access/token-store.ts';
import { ERROR_KINDS, ServiceError } from '../../../shared/errors/service-error.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { QueryResult } from '../../../shared/warehouse/warehouse.ts';
import { tokenRecord } from '../access/support/token-record.ts';
import { type Host, serve } from '../http/support/hosts.ts';
import { type Answer, type Call, call } from '../http/support/http-client.ts';
import { makeTestService, rowsOf, type TestService } from '../http/support/test-service.ts';
import { checkingSink } from '../ingest/support/checking-sink.ts';
import { type Contract, contractOf, type Document } from './support/contract.ts';

const TOKEN = 'lqe_may-do-everything';
const NARROW = 'lqe_may-ask-logs-all-for-two-projects';
const RATED = 'lqe_may-make-two-requests-a-minute';
const WRITER = 'lqe_may-write-edge-logs';
const INGEST = '/api/logs';
const LOGS = '/api/endpoints/query/logs.all';
const USAGE = '/api/endpoints/query/usage.api-counts';

/** The rest of a result that is no longer stored. */
const [STORED, GONE] = ['8b1f3e4e-6d0a-4f2e-9d1c-5a2b7c9e0f11', '8b1f3e4e-6d0a-4f2e-9d1c-5a2b7c9e0f12'];
const tokenOf = (resultId: string) => ({ kind: 'result', resultId, startIndex: 1 }) as const;

/** Answers with what the project's name says. */
function run(project: unknown): Promise<QueryResult> {
  const rows = {
    ...rowsOf('{"id":"a","ip":"192.0.2.1"}'),
    bytesProcessed: 10,
    bytesBilled: 10_485_760,
    rowsScanned: 3,
  };
  switch (project) {
    case 'slow':
      throw new ServiceError('deadline_exceeded', 'The query took too long.');
    case 'away':
      throw new ServiceError('unavailable', 'The warehouse is away.', { headers: { 'Retry-After': '3' } });
    case 'odd':
      throw new ServiceError('bad_gateway', 'The warehouse answered oddly.');
    case 'broken':
      throw new Error('broken');
    case 'many':
      return Promise.resolve({ ...rows, truncated: true, pageToken: tokenOf(STORED) });
    case 'forgotten':
      return Promise.resolve({ ...rows, truncated: true, pageToken: tokenOf(GONE) });
    case 'nothing':
      return Promise.resolve(rowsOf());
    case 'long':
      return Promise.resolve(rowsOf(JSON.stringify({ text: 'long '.repeat(1000) })));
    default:
      return Promise.resolve(rows);
  }
}

const TOKENS = [
  tokenRecord(TOKEN),
  tokenRecord(NARROW, { endpoints: ['logs.all'], projects: ['demo', 'shop'] }),
  tokenRecord(WRITER, { writes: ['edge_logs'] }),
  tokenRecord(RATED, { limits: { ...NO_LIMITS, requestsPerMinute: 2 } }),
];

const SCHEMAS = await loadTableSchemas('queries/sources');

let service: TestService;
let host: Host;
let document: Document;
let contract: Contract;

const send = (path: string, { headers, ...more }: Call = {}, token = TOKEN): Promise<Answer> =>
  call(host.port, path, { ...more, headers: { 'x-api-key': token, ...headers } });

const documentFor = async (token: string) => (await send('/openapi.json', {}, token)).json() as Document;

beforeAll(async () => {
  const made = makeTestService({
    tokens: memoryTokenStore(TOKENS),
    ingest: {
      sink: checkingSink(SCHEMAS),
      schemas: SCHEMAS,
      sourceNames: new Map(),
      defaultProject: null,
      nowMicros: () => 0n,
      newId: () => 'new',
    },
    run: async ({ parameters }) => run(parameters.get('project')?.value),
  });
  service = {
    ...made,
    limiter: makeRateLimiter({ nowMs: () => 0 }),
    warehouse: {
      ...made.warehouse,
      nextPage: async (token) => {
        if (token.kind === 'result' && token.resultId === GONE)
          throw new ServiceError('gone', 'It has expired.');
        return rowsOf('{"id":"b"}');
      },
    },
  };
  host = await serve(makeGateway(service));
  document = await documentFor(TOKEN);
  contract = contractOf(document);
});
afterAll(() => host.close());

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  expect(await validator.validate(JSON.parse(JSON.stringify(document)))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('every operation has its own id', () => {
  const ids = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap((one) => (typeof one === 'object' ? [one.operationId] : [])),
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain('get.logs.all');
});

test.each([
  ['get', ['413', '415']],
  ['post', []],
] as const)('every code of the service is one of %s', (method, others) => {
  for (const path of [LOGS, USAGE]) {
    const codes = Object.keys(document.paths[path]?.[method]?.responses ?? {}).filter(
      (code) => code >= '400',
    );
    const all = Object.values(ERROR_KINDS).map(({ code }) => String(code));
    expect(codes.sort()).toEqual(all.filter((code) => !(others as readonly string[]).includes(code)).sort());
  }
});

test('only a result that is kept can be unchanged', () => {
  expect(document.paths[USAGE]?.get?.responses).toHaveProperty('304');
  expect(document.paths[USAGE]?.post?.responses).not.toHaveProperty('304');
  expect(document.paths[LOGS]?.get?.responses).not.toHaveProperty('304');
});

describe('who asks', () => {
  test('without a token learns nothing', async () => {
    const answer = await call(host.port, '/openapi.json');
    expect(answer.status).toBe(401);
    expect(contract.problems('/openapi.json', 'GET', answer)).toEqual([]);
  });

  test('sees the endpoints and projects that the token may use, and no others', async () => {
    const narrow = await documentFor(NARROW);
    expect(Object.keys(narrow.paths).filter((path) => path.startsWith('/api/endpoints/'))).toEqual([LOGS]);
    expect(JSON.stringify(narrow)).not.toContain('usage.api-counts');
    const project = narrow.paths[LOGS]?.get?.parameters?.find(({ name }) => name === 'project');
    expect(project).toMatchObject({ required: true, schema: { enum: ['demo', 'shop'] } });
    expect(contractOf(narrow).bodyProblems(LOGS, { project: 'demo' })).toEqual([]);
    expect(contractOf(narrow).bodyProblems(LOGS, { project: '.*' })).not.toEqual([]);
  });

  test('spends a request of the token', async () => {
    const answer = await send('/openapi.json', {}, RATED);
    expect(answer.headers['ratelimit-remaining']).toBe('1');
    expect(contract.problems('/openapi.json', 'GET', answer)).toEqual([]);
    await send('/openapi.json', {}, RATED);
    const refused = await send('/openapi.json', {}, RATED);
    expect(refused.status).toBe(429);
    expect(contract.problems('/openapi.json', 'GET', refused)).toEqual([]);
  });

  test('gets it compressed where it may be', async () => {
    const answer = await send('/openapi.json', { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    expect(answer.headers['content-encoding']).toBe('br');
    expect(contract.problems('/openapi.json', 'HEAD', answer)).toEqual([]);
  });
});

const json = { 'content-type': 'application/json' };
const post = (body: string, headers: Record<string, string> = json): Call => ({
  method: 'POST',
  body,
  headers,
});

const entries = (body: string, headers: Record<string, string> = json): Call =>
  post(body, { ...headers, 'x-api-key': WRITER });

/** Name, path, query, request, expected code. */
const ANSWERS: readonly [string, string, string, Call, number][] = [
  ['rows', LOGS, '?project=demo', {}, 200],
  ['rows of a POST', LOGS, '', post('{"project":"demo"}'), 200],
  ['rows as lines', LOGS, '?project=demo&format=ndjson', {}, 200],
  ['rows as a table', LOGS, '?project=demo&format=csv', {}, 200],
  ['the headers of rows', LOGS, '?project=demo&zone=utc', { method: 'HEAD' }, 200],
  ['rows with meta', LOGS, '?project=demo&meta=true', {}, 200],
  ['redacted rows', LOGS, '?project=demo', { headers: { 'lf-endpoint-redact-pii': 'true' } }, 200],
  ['some of many rows', LOGS, '?project=many&meta=true', {}, 200],
  ['no rows', LOGS, '?project=nothing&iso_timestamp_end=2000-01-01', {}, 200],
  [
    'compressed headers',
    LOGS,
    '?project=long',
    { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } },
    200,
  ],
  ['rows for the cache', USAGE, '?project=demo&interval=daily', {}, 200],
  ['rows of the cache', USAGE, '?project=demo&interval=daily&meta=true', {}, 200],
  ['unchanged rows', USAGE, '?project=demo&interval=daily', { headers: { 'if-none-match': '*' } }, 304],
  ['a preflight', LOGS, '', { method: 'OPTIONS' }, 204],
  ['a missing parameter', LOGS, '', {}, 400],
  ['malformed JSON', LOGS, '', post('{"'), 400],
  ['a wrong token', LOGS, '', { headers: { 'x-api-key': 'wrong' } }, 401],
  ['an unknown format', LOGS, '?project=demo', { headers: { accept: 'image/png' } }, 406],
  ['a body too large', LOGS, '', post(`{"project":"${'x'.repeat(300_000)}"}`), 413],
  ['a compressed body', LOGS, '', post('{}', { ...json, 'content-encoding': 'gzip' }), 415],
  ['a form', LOGS, '', post('a=b', { 'content-type': 'text/plain' }), 415],
  ['an error of the service', LOGS, '?project=broken', {}, 500],
  ['an odd warehouse', LOGS, '?project=odd', {}, 502],
  ['a warehouse that is away', LOGS, '?project=away', {}, 503],
  ['a slow query', LOGS, '?project=slow', {}, 504],
  ['a healthy process', '/healthz', '', {}, 200],
  ['a ready warehouse', '/readyz', '', {}, 200],
  ['the headers of a health check', '/healthz', '', { method: 'HEAD' }, 200],
  ['entries', INGEST, '?source=edge_logs', entries('[{"id":1}]'), 200],
  [
    'lines of entries',
    INGEST,
    '?source_name=edge_logs',
    entries('{}', { 'content-type': 'application/x-ndjson' }),
    200,
  ],
  ['a malformed entry', INGEST, '?source=edge_logs', entries('[{"timestamp":true}]'), 400],
  [
    'an entry of an unknown token',
    INGEST,
    '?source=edge_logs',
    post('[]', { ...json, 'x-api-key': 'wrong' }),
    401,
  ],
  ['an entry of a token that reads', INGEST, '?source=edge_logs', post('[]'), 403],
  ['entries too many', INGEST, '?source=edge_logs', entries(`[${'{},'.repeat(50_000)}{}]`), 413],
  [
    'entries in another coding',
    INGEST,
    '?source=edge_logs',
    entries('[]', { ...json, 'content-encoding': 'br' }),
    415,
  ],
  ['a preflight of entries', INGEST, '', { method: 'OPTIONS' }, 204],
  ['a preflight of the document', '/openapi.json', '', { method: 'OPTIONS' }, 204],
];

describe('the answer to a request', () => {
  test.each(ANSWERS)('for %s is as documented', async (_, path, query, request, code) => {
    const answer = await send(path + query, request);
    expect(answer.status).toBe(code);
    // The columns of this service's warehouse are unknown, so that its rows are of no schema but the free one.
    expect(contract.problems(path, request.method ?? 'GET', answer)).toEqual([]);
  });

  test('of a token with a quota, when it is used up, is as documented', async () => {
    const answer = await send(`${LOGS}?project=demo`, {}, RATED);
    expect(answer.status).toBe(429);
    expect(contract.problems(LOGS, 'GET', answer)).toEqual([]);
  });

  test('for a further page is as documented, and that for one that no longer exists', async () => {
    const nextOf = async (project: string) => {
      const { headers } = await send(`${LOGS}?project=${project}`);
      return /^<([^>]+)>/.exec(String(headers.link))?.[1] ?? '';
    };
    const page = await send(`${await nextOf('many')}&meta=true`);
    expect(page.status).toBe(200);
    expect(contract.problems(LOGS, 'GET', page)).toEqual([]);
    const gone = await send(await nextOf('forgotten'));
    expect(gone.status).toBe(410);
    expect(contract.problems(LOGS, 'GET', gone)).toEqual([]);
  });

  test('with another method than the documented ones is a documented 405', async () => {
    const answer = await send(LOGS, { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(contract.problems(LOGS, 'GET', answer)).toEqual([]);
  });
});

test('every documented header has been seen by now, but that of hints, which examples.test.ts sees', () => {
  const names = Object.keys(document.components.headers).filter((name) => name !== 'X-Hint');
  expect(names.filter((name) => !contract.seenHeaders.has(name))).toEqual([]);
});

describe('the schema of a body', () => {
  test.each<[string, object]>([
    ['the parameters', { project: 'demo', iso_timestamp_start: '2026-01-01', meta: true, format: 'csv' }],
    ['a number as text', { project: 12 }],
    [
      'what counts as absent',
      { project: 'demo', iso_timestamp_end: null, sql: null, meta: '', format: null },
    ],
    ["values for the caller's own query", { project: 'demo', sql: 'select @level', level: 'error', n: 1 }],
    ['a cursor alone', { cursor: 'abc' }],
  ])('takes %s', (_, body) => {
    expect(contract.bodyProblems(LOGS, body)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['no project', {}],
    ['an empty project', { project: '' }],
    ['a project that is null', { project: null }],
    ['an empty cursor for a project', { cursor: '' }],
    ['a list', { project: ['demo'] }],
    ['an object as a value', { project: 'demo', level: {} }],
    ['an unknown format', { project: 'demo', format: 'xml' }],
    ['a control character', { project: 'a\u0000b' }],
    ['no object', ['demo']],
  ])('refuses %s, and so does the service', async (_, body) => {
    expect(contract.bodyProblems(LOGS, body)).not.toEqual([]);
    expect((await send(LOGS, post(JSON.stringify(body)))).status).toBe(400);
  });
});
