import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeClient, QueryError } from '../../client/client.js';
import { makeGateway } from '../../functions/gateway.ts';
import { ServiceError } from '../../shared/errors/service-error.ts';
import { type Host, serve } from '../shared/http/support/hosts.ts';
import { makeTestService, rowsOf, TOKEN } from '../shared/http/support/test-service.ts';

const service = makeTestService({
  run: async ({ sql, parameters }) => {
    const project = parameters.get('project')?.value;
    if (project === 'broken') throw new ServiceError('unavailable', 'The warehouse is away.');
    if (project === 'slow') {
      throw new ServiceError('resource_exhausted', 'Too much.', { headers: { 'Retry-After': '7' } });
    }
    const values = Object.fromEntries([...parameters].map(([name, { value }]) => [name, String(value)]));
    const row = JSON.stringify({ sql, values });
    return { ...rowsOf(row, row), truncated: project === 'many' };
  },
});
const hosts: Host[] = [];
const base = () => `http://127.0.0.1:${hosts[0]?.port}`;
const client = (token = TOKEN) => makeClient({ baseUrl: base(), token });
beforeAll(async () => void hosts.push(await serve(makeGateway(service))));
afterAll(() => hosts[0]?.close());

interface Echo {
  readonly values: Readonly<Record<string, string>>;
}

/** What a promise rejects with. */
async function failure(promise: Promise<unknown>): Promise<QueryError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof QueryError) return error;
  throw new Error('no QueryError', { cause: error });
}

describe('a query', () => {
  test('answers the rows and what the headers tell', async () => {
    const { rows, facts, next } = await client().query('logs.all', { project: 'demo' });
    expect(rows).toHaveLength(2);
    expect(facts).toMatchObject({ rowCount: 2, truncated: false, cache: 'BYPASS', ignoredParameters: [] });
    expect(facts.requestId).toMatch(/./);
    expect(Object.keys(facts.timingMs)).toContain('query');
    expect(next).toBeNull();
  });

  test('sends instants in UTC, and leaves out what is undefined, null or empty', async () => {
    const { rows, facts } = await client().query<Echo>('logs.all' as string, {
      project: 'a b&c=ü',
      iso_timestamp_start: new Date(0),
      iso_timestamp_end: null,
      nothing: undefined,
      empty: '',
      count: 7n,
    });
    expect(rows[0]?.values).toMatchObject({ project: 'a b&c=ü', iso_timestamp_end: 'null' });
    expect(rows[0]?.values.iso_timestamp_start).not.toBe('null');
    expect(facts.ignoredParameters).toEqual(['count']);
  });

  test('too long for a URL goes as a body', async () => {
    const project = 'p'.repeat(900).concat('ü'.repeat(90));
    const long = { project, x: 'y'.repeat(9000) };
    const { rows } = await client().query<Echo>('logs.all' as string, long);
    expect(rows[0]?.values.project).toBe(project);
    expect(service.lines.at(-1)).toContain('POST');
  });

  test('tells when rows were cut off', async () => {
    const { facts } = await client().query('logs.all', { project: 'many' });
    expect(facts.truncated).toBe(true);
  });

  test('comes as text in other formats', async () => {
    const { text } = await client().text('logs.all', { project: 'demo' }, { format: 'ndjson' });
    expect(text.trim().split('\n')).toHaveLength(2);
  });

  test('has timestamps as it asks for them', async () => {
    const asked: string[] = [];
    const send = async (url: string): Promise<Response> => {
      asked.push(new URL(url).search);
      return new Response('{"result":[]}');
    };
    const dated = makeClient({ baseUrl: 'https://a.example', token: 't', fetch: send });
    await dated.query('logs.all', { project: 'demo' }, { timestamps: 'iso' });
    await dated.text('logs.all', { project: 'demo' }, { format: 'csv', timestamps: 'ms' });
    await dated.query('logs.all' as string, { project: 'demo', timestamps: 'iso', sql: 'select 1' });
    expect(asked).toEqual([
      '?project=demo&timestamps=iso',
      '?project=demo&timestamps=ms&format=csv',
      '?project=demo&timestamps=iso&sql=select+1',
    ]);
  });

  test('works behind a path, with and without a slash at its end', async () => {
    const asked: string[] = [];
    const send = async (url: string): Promise<Response> => {
      asked.push(url);
      return new Response('{"result":[]}');
    };
    for (const baseUrl of ['https://a.example/logs', 'https://a.example/logs/']) {
      await makeClient({ baseUrl, token: 't', fetch: send }).query('logs.all', { project: 'demo' });
    }
    const expected = 'https://a.example/logs/api/endpoints/query/logs.all?project=demo';
    expect(asked).toEqual([expected, expected]);
  });
});

describe('an error', () => {
  test.each([
    ['a wrong token', () => client('nope').query('logs.all', { project: 'demo' }), 401, 'UNAUTHENTICATED'],
    ['an unknown endpoint', () => client().query('no.such' as string, {}), 404, 'NOT_FOUND'],
    ['a path as an endpoint', () => client().query('../../healthz' as string, {}), 404, 'NOT_FOUND'],
    ['a missing parameter', () => client().query('logs.all' as string, {}), 400, 'INVALID_ARGUMENT'],
    ['a warehouse that is away', () => client().query('logs.all', { project: 'broken' }), 503, 'UNAVAILABLE'],
  ] as const)('of %s has code, status, message and request id', async (_, act, code, status) => {
    const error = await failure(act());
    expect([error.code, error.status]).toEqual([code, status]);
    expect(error.message).toMatch(/[.;]/);
    expect(error.requestId).toMatch(/./);
  });

  test('of a parameter names it', async () => {
    const error = await failure(client().query('logs.all' as string, {}));
    expect(error.details).toEqual([expect.objectContaining({ parameter: 'project' })]);
  });

  test('of a query says where', async () => {
    const error = await failure(client().query('logs.all', { project: 'demo' }, { sql: 'select\n  nope' }));
    expect(error.details).toEqual([expect.objectContaining({ line: 2, column: 3 })]);
  });

  test('that waiting helps against says how long', async () => {
    const error = await failure(client().query('logs.all', { project: 'slow' }));
    expect([error.code, error.retryAfterSeconds]).toEqual([429, 7]);
  });

  test('of a service that is not there has no code', async () => {
    const error = await failure(
      makeClient({ baseUrl: 'http://127.0.0.1:1', token: 't' }).query('logs.all', { project: 'demo' }),
    );
    expect([error.code, error.status]).toEqual([0, 'UNREACHABLE']);
    expect(error.cause).toHaveProperty('message', 'fetch failed');
  });

  test.each([
    [502, '<html>Bad gateway</html>', /502/],
    [200, '<html>Welcome</html>', /does not come from this service/],
    [200, '{"result":7}', /does not come from this service/],
    [500, '{"error":"text"}', /500/],
  ])('of an answer with %i that is not the service’s says so', async (status, body, message) => {
    const send = async (): Promise<Response> => new Response(body, { status });
    const error = await failure(
      makeClient({ baseUrl: 'http://a.example', token: 't', fetch: send }).query('logs.all', {
        project: 'demo',
      }),
    );
    expect([error.code, error.status]).toEqual([status, 'UNKNOWN']);
    expect(error.message).toMatch(message);
  });

  test('of a query that its caller cancels is the caller’s own reason', async () => {
    const reason = new Error('changed my mind');
    const signal = AbortSignal.abort(reason);
    await expect(client().query('logs.all', { project: 'demo' }, { signal })).rejects.toBe(reason);
  });

  test('of an invalid base URL comes at once', () => {
    expect(() => makeClient({ baseUrl: 'nowhere', token: 't' })).toThrow('Invalid URL');
  });

  test.each<[string, unknown, RegExp]>([
    ['that is missing', undefined, /^The token is missing/],
    ['that no header can have', 'tøken\n', /characters that no header can have/],
    ['with letters beyond Latin-1', 'токен', /characters that no header can have/],
  ])('of a token %s comes at once', (_, token, message) => {
    const options = { baseUrl: base(), token: token as string };
    expect(() => makeClient(options)).toThrow(expect.objectContaining({ name: 'TypeError' }));
    expect(() => makeClient(options)).toThrow(message);
  });
});

describe('the next page', () => {
  const paged = (link: string) => {
    const asked: [string, RequestInit['headers']][] = [];
    const send = async (url: string, init: RequestInit): Promise<Response> => {
      asked.push([url, init.headers]);
      const isFirst = asked.length === 1;
      return new Response(`{"result":[{"n":${asked.length}}]}`, {
        headers: isFirst ? { Link: link, 'X-Truncated': 'true' } : {},
      });
    };
    return { asked, client: makeClient({ baseUrl: 'https://a.example/x/', token: 't', fetch: send }) };
  };

  test.each([
    '</x/api/endpoints/query/logs.all?cursor=c>; rel="next"',
    '<https://a.example/x/api/endpoints/query/logs.all?cursor=c>;rel=next',
    '<https://other.example/>; rel="prev", <logs.all?cursor=c>; title="a, b"; rel="next"',
  ])('is where the header %s says', async (link) => {
    const { asked, client } = paged(link);
    const first = await client.query('logs.all', { project: 'demo' });
    const second = await client.next(first);
    expect(asked[1]?.[0]).toBe('https://a.example/x/api/endpoints/query/logs.all?cursor=c');
    expect(second).toMatchObject({ rows: [{ n: 2 }], next: null });
  });

  test('of an answer as text is text, too', async () => {
    const asked: string[] = [];
    const send = async (url: string): Promise<Response> => {
      asked.push(url);
      const headers = { Link: '</api/endpoints/query/logs.all?cursor=c&format=csv>; rel="next"' };
      return new Response(`n\r\n${asked.length}\r\n`, { headers: asked.length === 1 ? headers : {} });
    };
    const textClient = makeClient({ baseUrl: 'https://a.example', token: 't', fetch: send });
    const first = await textClient.text('logs.all', { project: 'demo' }, { format: 'csv' });
    const second = await textClient.nextText(first);
    expect([first.text, second.text, second.next]).toEqual(['n\r\n1\r\n', 'n\r\n2\r\n', null]);
    expect(asked[1]).toBe('https://a.example/api/endpoints/query/logs.all?cursor=c&format=csv');
    await expect(textClient.nextText(second)).rejects.toThrow(TypeError);
  });

  test('on another server is refused, since the token is not meant for it', async () => {
    const { asked, client } = paged('<https://evil.example/>; rel="next"');
    const first = await client.query('logs.all', { project: 'demo' });
    await expect(client.next(first)).rejects.toThrow('another server');
    expect(asked).toHaveLength(1);
  });

  test('of a result without one is refused', async () => {
    const { client } = paged('');
    const first = await client.query('logs.all', { project: 'demo' });
    await expect(client.next(first)).rejects.toThrow(TypeError);
  });
});

test('an explanation says what a query reads and answers', async () => {
  const { sources, columns, entriesOf } = await client().explain(
    'logs.all',
    { project: 'demo' },
    { sql: 'select id from edge_logs' },
  );
  expect(sources).toEqual(['edge_logs']);
  expect(columns).toEqual([expect.objectContaining({ name: 'id', type: 'STRING' })]);
  expect(entriesOf).toBeNull();
});

test('a histogram is asked for by its width', async () => {
  const options = { sql: 'select id from edge_logs', histogram: 60 };
  // The source of these tests has no times to count by.
  await expect(client().query('logs.all', { project: 'demo' }, options)).rejects.toMatchObject({
    code: 400,
    details: [{ parameter: 'histogram' }],
  });
});
