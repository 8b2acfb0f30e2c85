import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { makeGateway } from '../../../functions/gateway.ts';
import { NO_LIMITS } from '../../../shared/access/token-limits.ts';
import { memoryTokenStore } from '../../../shared/access/token-store.ts';
import { tokenRecord } from '../access/support/token-record.ts';
import { type Host, serve } from '../http/support/hosts.ts';
import { call } from '../http/support/http-client.ts';
import { makeTestService, NARROW_TOKEN, rowsOf, TOKEN } from '../http/support/test-service.ts';

const BUSY_TOKEN = 'lqe_test-token-with-few-requests';
const service = makeTestService({
  run: async ({ parameters }) => {
    const long = parameters.get('project')?.value === 'long';
    const texts = Array.from({ length: long ? 100 : 2 }, (_, index) =>
      `${index}`.padEnd(long ? 2000 : 1, 'x'),
    );
    return rowsOf(...texts.map((id) => JSON.stringify({ id, m: [{ path: '/', host: null, tags: [] }] })));
  },
});
const limited = makeTestService({
  tokens: memoryTokenStore([tokenRecord(BUSY_TOKEN, { limits: { ...NO_LIMITS, requestsPerMinute: 4 } })]),
});
const hosts: Host[] = [];
beforeAll(async () => {
  hosts.push(await serve(makeGateway(service)), await serve(makeGateway(limited)));
});
afterAll(() => Promise.all(hosts.map((host) => host.close())));

const urlOf = (index: number) => `http://127.0.0.1:${hosts[index]?.port}/mcp`;

/** Uses the protocol as an agent does. */
async function withClient<T>(work: (client: Client) => Promise<T>, token = TOKEN, index = 0): Promise<T> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(urlOf(index)), { requestInit });
  await client.connect(transport as Parameters<Client['connect']>[0]);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** What a tool answers: its text, and whether that is an error. */
const use = (name: string, given: Record<string, unknown>, token?: string) =>
  withClient(async (client) => {
    const { content, isError } = await client.callTool({ name, arguments: given });
    const [first] = content as { text: string }[];
    return { text: first?.text ?? '', isError: isError === true };
  }, token);

describe('tools over streamable HTTP', () => {
  test('are one for each endpoint, and those for queries', async () => {
    const { tools } = await withClient((client) => client.listTools());
    expect(tools.map(({ name }) => name)).toEqual([
      'query',
      'explain',
      'sources',
      'logs_all',
      'usage_api_counts',
    ]);
    const usage = tools.find(({ name }) => name === 'usage_api_counts');
    expect(usage?.inputSchema).toMatchObject({
      required: ['interval', 'project'],
      additionalProperties: false,
      properties: { interval: { type: 'string', enum: ['minutely', 'hourly', 'daily'] } },
    });
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  test('are those of the endpoints that the token may use', async () => {
    const { tools } = await withClient((client) => client.listTools(), NARROW_TOKEN);
    expect(tools.map(({ name }) => name)).toEqual(['query', 'explain', 'sources', 'logs_all']);
    const { text, isError } = await use(
      'usage_api_counts',
      { interval: 'daily', project: 'demo' },
      NARROW_TOKEN,
    );
    expect([isError, text]).toEqual([true, expect.stringContaining('There is no tool "usage_api_counts"')]);
  });

  test('are limited to the projects of the token', async () => {
    const { text, isError } = await use('logs_all', { project: 'other' }, NARROW_TOKEN);
    expect([isError, JSON.parse(text)]).toEqual([
      true,
      expect.objectContaining({ status: 'PERMISSION_DENIED' }),
    ]);
  });

  test('answer the rows of an endpoint, without empty fields of records', async () => {
    const { text, isError } = await use('logs_all', { project: 'demo' });
    expect(isError).toBe(false);
    expect(JSON.parse(text)).toEqual({
      row_count: 2,
      time_window: '../..',
      rows: [
        { id: '0', m: [{ path: '/' }] },
        { id: '1', m: [{ path: '/' }] },
      ],
    });
  });

  test('answer no more than a budget, and say so', async () => {
    const { text } = await use('logs_all', { project: 'long' });
    const { rows, row_count, notes } = JSON.parse(text) as {
      rows: unknown[];
      row_count: number;
      notes: string[];
    };
    expect(text.length).toBeLessThan(45_000);
    expect([rows.length, row_count]).toEqual([19, 100]);
    expect(notes).toEqual([expect.stringContaining('Only the first 19 of 100 rows are shown')]);
  });

  test('run a query of the agent', async () => {
    const sql = 'select id from edge_logs';
    const { text } = await use('query', { sql, parameters: { project: 'demo' } });
    expect(JSON.parse(text)).toMatchObject({ row_count: 2 });
    expect(service.runs.at(-1)?.query).toMatchObject({ isUntrusted: true });
  });

  test('explain a query', async () => {
    const given = { endpoint: 'usage.api-counts', sql: 'select id from edge_logs' };
    const { text } = await use('explain', { ...given, parameters: { project: 'demo', interval: 'daily' } });
    expect(JSON.parse(text)).toMatchObject({
      sources: ['edge_logs'],
      columns: [{ name: 'id', type: 'STRING' }],
    });
  });

  test('list the sources, and describe one', async () => {
    const all = await use('sources', { endpoint: 'logs.all' });
    expect(JSON.parse(all.text)).toEqual({
      endpoints: [{ name: 'logs.all', description: 'Log entries', sources: ['edge_logs'] }],
    });
    const one = await use('sources', { endpoint: 'logs.all', source: 'edge_logs' });
    expect(JSON.parse(one.text)).toEqual({
      sources: [{ endpoint: 'logs.all', source: 'edge_logs', columns: ['id STRING'] }],
    });
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    ['a tool that is not there', 'logs_al', {}, 'There is no tool "logs_al"; did you mean logs_all?'],
    [
      'an argument that is not there',
      'query',
      { sqll: 'x' },
      'There is no argument "sqll"; did you mean sql?',
    ],
    [
      'a parameter of the endpoint beside the arguments',
      'query',
      { sql: 'select 1', project: 'demo' },
      'Parameters of the endpoint go into "parameters"',
    ],
    [
      'an argument that is missing, and takes a few values',
      'usage_api_counts',
      { project: 'demo' },
      'The argument "interval" is missing. It takes one of ',
    ],
    ['an argument that is missing', 'logs_all', {}, 'The argument "project" is missing.'],
    [
      'a value that is no scalar',
      'logs_all',
      { project: ['demo'] },
      'The value of "project" has to be a string',
    ],
    ['two languages', 'query', { sql: 'x', lql: 'y' }, 'as either "sql" or "lql"'],
    [
      'an endpoint that is not there',
      'query',
      { endpoint: 'x', sql: 'x' },
      'takes logs.all or usage.api-counts',
    ],
    ['parameters that are no object', 'query', { sql: 'x', parameters: 'x' }, 'takes an object'],
    ['a source that is not there', 'sources', { source: 'edge_log' }, 'did you mean edge_logs?'],
    [
      'a query that is not understood',
      'query',
      { sql: 'select id fro edge_logs', parameters: { project: 'demo' } },
      '"details":[{"line":1,"column":15}]',
    ],
    [
      'a table that is no source',
      'query',
      { sql: 'select * from logs.edge_logs', parameters: { project: 'demo' } },
      'INVALID_ARGUMENT',
    ],
  ])('say what to change about %s', async (_, name, given, words) => {
    const { text, isError } = await use(name, given);
    expect([isError, text]).toEqual([true, expect.stringContaining(words)]);
  });

  test('count as one request each', async () => {
    const tools = await withClient(
      async (client) => {
        await client.listTools();
        await client.callTool({ name: 'logs_all', arguments: { project: 'demo' } });
        return client.callTool({ name: 'logs_all', arguments: { project: 'demo' } }).catch(String);
      },
      BUSY_TOKEN,
      1,
    );
    // Connecting took two requests already: `initialize`, and that it is done.
    expect(tools).toContain('429');
  });
});

describe('the route of the protocol', () => {
  const post = (body: string, headers: Record<string, string> = { 'x-api-key': TOKEN }) =>
    call(hosts[0]?.port ?? 0, '/mcp', {
      method: 'POST',
      body,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
    });

  test.each([
    ['no token', '{}', {}, 401],
    ['an unknown token', '{}', { 'x-api-key': 'x' }, 401],
    ['no JSON', '{', undefined, 400],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', undefined, 400],
    ['another object', '{}', undefined, 400],
    ['too large a body', `{"x":"${'x'.repeat(300_000)}"}`, undefined, 413],
  ])('refuses %s', async (_, body, headers, status) => {
    expect((await post(body, headers)).status).toBe(status);
  });

  test('takes a notification without an answer', async () => {
    const answer = await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  test('has no separate stream', async () => {
    const answer = await call(hosts[0]?.port ?? 0, '/mcp', { headers: { 'x-api-key': TOKEN } });
    expect(answer.status).toBe(405);
  });
});
