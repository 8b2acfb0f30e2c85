import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeGateway } from '../../functions/gateway.ts';
import { makeLogsAll } from '../../functions/logs-all.ts';
import { makeUsageApiCounts } from '../../functions/usage-api-counts.ts';
import { makeRegistry } from '../../shared/endpoints/endpoint-registry.ts';
import { HOSTS, type Host } from '../shared/http/support/hosts.ts';
import { call } from '../shared/http/support/http-client.ts';
import {
  LOGS_ID,
  LOGS_SQL,
  makeTestService,
  rowsOf,
  TOKEN,
  USAGE_ID,
  USAGE_SQL,
} from '../shared/http/support/test-service.ts';

const service = makeTestService({ run: async ({ sql }) => rowsOf(JSON.stringify({ sql })) });
const LOGS = JSON.stringify({ result: [{ sql: LOGS_SQL }] });
const USAGE = JSON.stringify({ result: [{ sql: USAGE_SQL }] });
const query = '?project=demo&interval=hourly';

describe.each(HOSTS)('under %s', (_, start) => {
  describe.each([
    ['logs-all', makeLogsAll, LOGS, ['logs.all', LOGS_ID], ['usage.api-counts', USAGE_ID]],
    ['usage-api-counts', makeUsageApiCounts, USAGE, ['usage.api-counts', USAGE_ID], ['logs.all', LOGS_ID]],
  ])('the function %s by itself', (_name, make, expected, own, others) => {
    const hosts: Host[] = [];
    beforeAll(async () => void hosts.push(await start(make(service))));
    afterAll(() => hosts[0]?.close());
    const get = (path: string, headers: Record<string, string> = { 'x-api-key': TOKEN }) =>
      call(hosts[0]?.port ?? 0, path, { headers });

    test.each(['', ...own.map((key) => `api/endpoints/query/${key}`), `api/endpoints/query/${own[0]}/`])(
      'answers its own endpoint at /%s',
      async (path) => {
        const answer = await get(`/${path}${query}`);
        expect([answer.status, answer.text]).toEqual([200, expected]);
      },
    );

    test.each([
      ...others.map((key) => `api/endpoints/query/${key}`),
      'healthz',
      'api/endpoints/query/x',
      'x',
    ])('answers 404 at /%s, and 401 to who has no token', async (path) => {
      expect((await get(`/${path}${query}`)).status).toBe(404);
      expect((await get(`/${path}${query}`, {})).status).toBe(401);
    });
  });

  describe('the gateway', () => {
    const hosts: Host[] = [];
    beforeAll(async () => void hosts.push(await start(makeGateway(service))));
    afterAll(() => hosts[0]?.close());

    test.each([
      ['logs.all', LOGS],
      [LOGS_ID, LOGS],
      ['usage.api-counts', USAGE],
      [USAGE_ID, USAGE],
      [LOGS_ID.toUpperCase(), LOGS],
      [`${USAGE_ID.toUpperCase()}/`, USAGE],
      ['logs.all/', LOGS],
      ['logs%2Eall', LOGS],
    ])('answers %s', async (key, expected) => {
      const path = `/api/endpoints/query/${key}${query}`;
      const answer = await call(hosts[0]?.port ?? 0, path, { headers: { 'x-api-key': TOKEN } });
      expect([answer.status, answer.text]).toEqual([200, expected]);
    });

    test.each([
      ['/api/endpoints/query/logs.none', TOKEN, 404, 'NOT_FOUND'],
      ['/api/endpoints/query/LOGS.ALL', TOKEN, 404, 'NOT_FOUND'],
      ['/api/endpoints/query/logs.all//', TOKEN, 404, 'NOT_FOUND'],
      ['/api/endpoints/query/', TOKEN, 404, 'NOT_FOUND'],
      ['/api/endpoints', TOKEN, 404, 'NOT_FOUND'],
      ['/api/endpoints/query/logs.none', 'unknown', 401, 'UNAUTHENTICATED'],
    ])('answers %s in the envelope of errors', async (path, token, code, status) => {
      const answer = await call(hosts[0]?.port ?? 0, `${path}${query}`, { headers: { 'x-api-key': token } });
      expect(answer.status).toBe(code);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.json()).toMatchObject({ error: { code, status, message: expect.stringMatching(/\.$/) } });
    });
  });
});

test('a function whose endpoint is not among the loaded ones cannot be made', () => {
  const bare = { ...service, endpoints: makeRegistry([]) };
  expect(() => makeLogsAll(bare)).toThrow('logs.all');
});
