import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import { type Host, serve } from '../support/hosts.ts';
import { type Answer, call } from '../support/http-client.ts';
import { ENDPOINTS, makeTestService, TOKEN } from '../support/test-service.ts';

const SOURCE =
  "WITH edge_logs AS (SELECT @project AS id, [STRUCT('GET' AS method)] AS metadata FROM UNNEST([1]))";
const LOGS: Endpoint = { ...ENDPOINTS[0]!, sql: `${SOURCE} select id from edge_logs` };
const CLOSED: Endpoint = { ...ENDPOINTS[1]!, sandbox: false, sql: 'select 2 as two' };
const service = makeTestService({ endpoints: [LOGS, CLOSED] });
const hosts: Host[] = [];

beforeAll(async () => void hosts.push(await serve(makeQueryHandler(service))));
afterAll(() => hosts[0]?.close());

function send(query: Record<string, string> | string, endpoint = 'logs.all'): Promise<Answer> {
  const search = new URLSearchParams(query);
  return call(hosts[0]?.port ?? 0, `/api/endpoints/query/${endpoint}?${search}`, {
    headers: { 'x-api-key': TOKEN },
  });
}

function lastQuery(): { readonly sql: string; readonly values: object } {
  const { sql, parameters } = service.runs.at(-1)!.query;
  return { sql, values: Object.fromEntries(parameters) };
}

describe("a consumer's query", () => {
  test('is run over the sources that it reads, with the values of the parameters that it needs', async () => {
    const answer = await send({
      project: 'demo',
      sql: 'select id, @level as level from edge_logs -- all\norder by 1;',
      level: 'error',
      zone: 'x',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ignored-parameters']).toBe('zone');
    expect(lastQuery()).toEqual({
      sql: `${SOURCE} SELECT id, @level AS level FROM edge_logs ORDER BY 1`,
      values: { project: { type: 'STRING', value: 'demo' }, level: { type: 'STRING', value: 'error' } },
    });
  });

  test('wins over one in LQL, which is named as ignored', async () => {
    const answer = await send({ project: 'demo', lql: 'f:edge_logs', sql: 'select 1' });
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ignored-parameters']).toBe('lql');
    expect(lastQuery().sql).toBe('SELECT 1');
  });

  test('counts as absent when it is empty', async () => {
    const answer = await send('project=a&sql=&lql=&explain=');
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('x-ignored-parameters');
    expect(lastQuery().sql).toBe(LOGS.sql);
  });

  test.each([
    ['sql', 'given 2 times', 'project=a&sql=&sql=select+1', 'logs.all'],
    ['sql', 'given 2 times', 'project=a&sql=select+1&sql=select+1', 'logs.all'],
    ['lql', 'given 2 times', 'project=a&lql=a&lql=b', 'logs.all'],
    ['sql', 'runs its stored query only', 'project=a&interval=daily&sql=select+1', 'usage.api-counts'],
    ['lql', 'runs its stored query only', 'project=a&interval=daily&lql=x', 'usage.api-counts'],
    ['histogram', 'runs its stored query only', 'project=a&interval=daily&histogram=60', 'usage.api-counts'],
    ['histogram', 'given 2 times', 'project=a&histogram=60&histogram=60', 'logs.all'],
    // Its source has no timestamp.
    ['histogram', 'rows are entries of one source', 'project=a&histogram=60', 'logs.all'],
    [
      'histogram',
      'rows are entries of one source',
      'project=a&histogram=60&sql=select+id+from+edge_logs',
      'logs.all',
    ],
    ['explain', 'It accepts true or false', 'project=a&explain=1', 'logs.all'],
    ['explain', 'It accepts true or false', 'project=a&explain=TRUE', 'logs.all'],
    ['explain', 'given 2 times', 'project=a&explain=true&explain=true', 'logs.all'],
    ['project', 'is missing or empty', 'sql=select+1', 'logs.all'],
    ['level', 'has no value', 'project=a&sql=select+@level', 'logs.all'],
    ['level', 'given 2 times', 'project=a&sql=select+@level&level=a&level=b', 'logs.all'],
  ])('answers 400 that names %s: %s (%s)', async (parameter, message, query, endpoint) => {
    const before = service.runs.length;
    const answer = await send(query, endpoint);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      error: { message: expect.stringContaining(message), details: [{ parameter }] },
    });
    expect(service.runs.length).toBe(before);
  });

  test('that is wrong answers 400 with line and column of its own text', async () => {
    const answer = await send({ project: 'a', sql: 'select id\nfrom edge_log' });
    expect(answer.json()).toEqual({
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/edge_log.*edge_logs.*\(line 2, column 6\)$/),
        details: [{ line: 2, column: 6 }],
      },
    });
  });
});

describe('explain=true describes the query instead of running it', () => {
  test('of a consumer', async () => {
    const before = service.runs.length;
    const answer = await send({
      project: 'a',
      sql: 'select 1 as n, @level as level, e.metadata, 2.5 as f, [true] as flags from edge_logs e, edge_logs',
      level: 'x',
      explain: 'true',
      zone: 'x',
    });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({
      explain: {
        sources: ['edge_logs'],
        columns: [
          { name: 'n', type: 'INTEGER', mode: 'NULLABLE' },
          { name: 'level', type: 'STRING', mode: 'NULLABLE' },
          {
            name: 'metadata',
            type: 'RECORD',
            mode: 'REPEATED',
            fields: [{ name: 'method', type: 'STRING', mode: 'NULLABLE' }],
          },
          { name: 'f', type: 'FLOAT', mode: 'NULLABLE' },
          { name: 'flags', type: 'BOOLEAN', mode: 'REPEATED' },
        ],
        parameters: [
          { name: 'project', type: 'STRING' },
          { name: 'level', type: 'STRING' },
        ],
        estimatedBytes: null,
        estimatedBytesBilled: null,
        maxBytesBilled: null,
        wouldBeRefused: null,
        warnings: [expect.stringContaining('metadata'), expect.stringContaining('cross join')],
        entriesOf: null,
      },
    });
    expect(answer.headers['x-ignored-parameters']).toBe('zone');
    expect(answer.headers).not.toHaveProperty('x-row-count');
    expect(service.runs.length).toBe(before);
  });

  test.each([
    ['logs.all', ['edge_logs'], 'id'],
    ['usage.api-counts', [], 'two'],
  ])('of the endpoint %s', async (endpoint, sources, column) => {
    const answer = await send('project=a&interval=daily&explain=true', endpoint);
    expect(answer.json()).toMatchObject({ explain: { sources, columns: [{ name: column }], warnings: [] } });
  });

  test('not where it is false', async () => {
    const answer = await send('project=a&explain=false');
    expect(answer.json()).toHaveProperty('result');
    expect(answer.headers).not.toHaveProperty('x-ignored-parameters');
  });
});
