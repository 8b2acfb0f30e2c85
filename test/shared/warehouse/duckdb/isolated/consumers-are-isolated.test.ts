import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeQueryHandler } from '../../../../../shared/http/query/query-handler.ts';
import { type Host, serve } from '../../../http/support/hosts.ts';
import { call } from '../../../http/support/http-client.ts';
import { ENDPOINTS, makeTestService, TOKEN } from '../../../http/support/test-service.ts';

const sql = 'WITH edge_logs AS (select @project as id) select id from edge_logs';
const service = makeTestService({ endpoints: [{ ...ENDPOINTS[0]!, sql }] });
const hosts: Host[] = [];

beforeAll(async () => void hosts.push(await serve(makeQueryHandler(service))));
afterAll(() => hosts[0]?.close());

describe('the warehouse receives which queries are untrusted', () => {
  test.each([
    ['sql in the URL', '?project=a&sql=select+1', undefined, true],
    ['sql in the body', '?project=a', '{"sql":"select 1"}', true],
    ['sql beside lql', '?project=a&sql=select+1&lql=x', undefined, true],
    [
      "the stored query's own text as sql",
      `?project=a&sql=${encodeURIComponent('select id from edge_logs')}`,
      undefined,
      true,
    ],
    ['no sql', '?project=a', undefined, undefined],
    ['an empty sql', '?project=a&sql=', undefined, undefined],
    ['a parameter that claims to know', '?project=a&isUntrusted=false&sql=select+1', undefined, true],
  ])('%s', async (_name, query, body, isUntrusted) => {
    const answer = await call(hosts[0]?.port ?? 0, `/api/endpoints/query/logs.all${query}`, {
      headers: { 'x-api-key': TOKEN, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
    expect(answer.status).toBe(200);
    expect(service.runs.at(-1)?.query.isUntrusted).toBe(isUntrusted);
  });
});
