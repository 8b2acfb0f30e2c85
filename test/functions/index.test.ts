import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { fromEnvironment } from '../../functions/from-environment.ts';
import { makeGateway } from '../../functions/gateway.ts';
import { serve as serveHandler } from '../shared/http/support/hosts.ts';
import { call, close, listen } from '../shared/http/support/http-client.ts';
import '../../functions/index.ts';

const TOKEN = 'token-of-the-function-tests';
const LOGS = '/api/endpoints/query/logs.all?project=mine';
const USAGE = '/api/endpoints/query/usage.api-counts?project=mine&interval=hourly';

const [ROWS, COUNTS] = [
  '{"result":[{"id":"a","timestamp":1714564800000000,"event_message":"hello","metadata":[]}]}',
  '{"result":[{"timestamp":"2024-05-01T12:00:00","total_rest_requests":1,"total_storage_requests":0,"total_auth_requests":0,"total_realtime_requests":0}]}',
];

let folder: string;
const before = { ...process.env };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'functions-'));
  await mkdir(join(folder, 'logs'));
  const timestamp = '2024-05-01T12:00:00Z';
  const request = { path: '/rest/v1', url: 'https://mine.example/rest/v1' };
  const lines = [
    { id: 'a', timestamp, project: 'mine', event_message: 'hello', metadata: [] },
    { id: 'b', timestamp, project: 'other', metadata: [{ request: [request] }] },
  ];
  await writeFile(
    join(folder, 'logs/edge_logs.ndjson'),
    lines.map((line) => JSON.stringify(line)).join('\n'),
  );
  Object.assign(process.env, {
    LQE_LOGS: join(folder, 'logs'),
    LQE_NOW: '2024-05-01T12:30:00Z',
    LQE_TOKEN: TOKEN,
    LQE_TOKENS: join(folder, 'tokens.json'),
    LQE_MEMORY_LIMIT: '256',
    LQE_LOG_LEVEL: 'error',
    LQE_EXPLORER: '',
  });
});
afterAll(async () => {
  process.env = before;
  await rm(folder, { recursive: true });
});

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await close(server);
});

/** A function as functions-framework serves it. */
async function serve(name: string): Promise<(path: string, token?: string) => Promise<[number, string]>> {
  const server = getTestServer(name);
  servers.push(server);
  const port = await listen(server);
  return async (path, token = TOKEN) => {
    const { status, text } = await call(port, path, { headers: { 'x-api-key': token } });
    return [status, text];
  };
}

describe('the functions, made from environment variables', () => {
  test('cannot start with a wrong one, and say so to the operator alone', async () => {
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    process.env.LQE_DEADLINE = 'soon';
    try {
      const [status, text] = await (await serve('gateway'))('/healthz');
      expect([status, text]).toEqual([503, expect.stringContaining('its log says why')]);
      expect(text).not.toContain('LQE');
      const line = JSON.parse(String(written.mock.calls[0]?.[0]));
      expect(line).toMatchObject({ severity: 'CRITICAL', message: expect.stringContaining('LQE_DEADLINE') });
    } finally {
      delete process.env.LQE_DEADLINE;
      written.mockRestore();
    }
  });

  test.each([
    ['logs-all', LOGS, ROWS, USAGE],
    ['usage-api-counts', USAGE, COUNTS, LOGS],
  ])('%s answers its endpoint by itself and nothing else', async (name, path, expected, other) => {
    const get = await serve(name);
    const query = path.slice(path.indexOf('?'));
    const answers = await Promise.all([get(path), get(`/${query}`), get(path), get(`/${query}`)]);
    for (const answer of answers) expect(answer).toEqual([200, expected]);
    expect((await get(path, 'wrong'))[0]).toBe(401);
    expect((await get(other))[0]).toBe(404);
    expect((await get('/healthz'))[0]).toBe(404);
  });

  test('gateway answers all of them under one port', async () => {
    const get = await serve('gateway');
    expect(await get(LOGS)).toEqual([200, ROWS]);
    expect(await get(USAGE)).toEqual([200, COUNTS]);
    expect(await get('/healthz', '')).toEqual([200, '{"status":"ok"}']);
    expect(await get('/readyz', '')).toEqual([200, '{"status":"ready"}']);
    expect((await get('/nowhere'))[0]).toBe(404);
  });

  test.each([
    ['', 404],
    ['false', 404],
    ['true', 200],
  ])(
    'gateway serves the explorer where LQE_EXPLORER is true, not where it is "%s"',
    async (value, status) => {
      process.env.LQE_EXPLORER = value;
      const made = fromEnvironment(makeGateway);
      const host = await serveHandler(made.handler);
      try {
        const headers = { 'x-api-key': TOKEN };
        expect((await call(host.port, '/')).status).toBe(status);
        expect((await call(host.port, '/explorer/catalogue.json', { headers })).status).toBe(status);
        expect((await call(host.port, '/explorer/sign-in', { headers, method: 'POST' })).status).toBe(404);
        expect((await call(host.port, '/healthz')).status).toBe(200);
      } finally {
        await host.close();
        await made.close();
      }
    },
  );
});
