import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { memoryTokenStore } from '../../../../shared/access/token-store.ts';
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import { tokenRecord } from '../../access/support/token-record.ts';
import { type Host, serve } from '../support/hosts.ts';
import { call } from '../support/http-client.ts';
import { ENDPOINTS, makeTestService } from '../support/test-service.ts';

const FREE = 'lqe_token-without-any-limits';
const LIMITED = 'lqe_token-limited-to-one-project';

const [LOGS] = ENDPOINTS as readonly [Endpoint];
const parameters = LOGS.parameters.map((spec) =>
  spec.name === 'project' ? { ...spec, name: 'tenant' } : spec,
);
const TENANTS: Endpoint = {
  ...LOGS,
  sql: 'with edge_logs as (select @tenant as id) select 1',
  projectParameter: 'tenant',
  parameters,
};
const ALL: Endpoint = {
  ...LOGS,
  id: '00000000-0000-4000-8000-000000000000',
  name: 'logs.of-all',
  projectParameter: null,
  parameters: [],
};

let host: Host;
beforeAll(async () => {
  const tokens = memoryTokenStore([tokenRecord(FREE), tokenRecord(LIMITED, { projects: ['demo'] })]);
  host = await serve(makeQueryHandler(makeTestService({ tokens, endpoints: [TENANTS, ALL] })));
});
afterAll(() => host.close());

const send = (path: string, token: string) =>
  call(host.port, `/api/endpoints/query/${path}`, { headers: { 'x-api-key': token } });

describe('a token that is limited to projects', () => {
  test.each<[string, string, number]>([
    ['its project in the parameter of that role', 'logs.all?tenant=demo', 200],
    ['another project there', 'logs.all?tenant=shop', 403],
    ['no project', 'logs.all', 403],
    ['its project under a name that means nothing here', 'logs.all?project=demo', 403],
    ['an endpoint that reads all projects', 'logs.of-all', 403],
    ['such an endpoint with its project', 'logs.of-all?project=demo', 403],
  ])('asks for %s', async (_, path, status) => {
    expect((await send(path, LIMITED)).status).toBe(status);
  });

  test('learns which parameter is the project', async () => {
    const answer = await send('logs.all?tenant=shop', LIMITED);
    expect(answer.json()).toMatchObject({
      error: {
        message: 'This access token is limited to projects; set "tenant" to exactly one of "demo".',
        details: [{ parameter: 'tenant' }],
      },
    });
  });
});

test.each(['logs.all?tenant=shop', 'logs.of-all'])('a token without limits may ask for %s', async (path) => {
  expect((await send(path, FREE)).status).toBe(200);
});
