import { afterEach, describe, expect, test } from '@jest/globals';
import { NO_LIMITS } from '../../../../shared/access/token-limits.ts';
import { memoryTokenStore } from '../../../../shared/access/token-store.ts';
import { ServiceError } from '../../../../shared/errors/service-error.ts';
import { makeQueryHandler } from '../../../../shared/http/query/query-handler.ts';
import type { QueryEstimate, RunOptions, WarehouseQuery } from '../../../../shared/warehouse/warehouse.ts';
import { tokenRecord } from '../../access/support/token-record.ts';
import { type Host, serve } from '../support/hosts.ts';
import { call } from '../support/http-client.ts';
import { ENDPOINTS, makeTestService } from '../support/test-service.ts';

const LOGS = '/api/endpoints/query/logs.all?project=demo';
const FREE = 'lqe_without-any-limit-at-all';
const FRUGAL = 'lqe_with-twenty-mebibytes-a-query';
const TOKENS = memoryTokenStore([
  tokenRecord(FREE, { limits: NO_LIMITS }),
  tokenRecord(FRUGAL, { limits: { ...NO_LIMITS, maxBytesBilled: 20_971_520 } }),
]);
const ESTIMATE = { bytes: 25_000_000, bytesBilled: 25_165_824, isRefused: false };

type Estimate = (query: WarehouseQuery, options: RunOptions) => Promise<QueryEstimate>;

const hosts: Host[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

/** A service whose warehouse estimates as the test says. */
async function open(estimate: Estimate, endpoints = ENDPOINTS) {
  const limits = { running: 1, waiting: 1 };
  const service = makeTestService({ estimate, endpoints, limits, tokens: TOKENS });
  const host = await serve(makeQueryHandler(service));
  hosts.push(host);
  return (query: string, token = FREE) =>
    call(host.port, `${LOGS}&explain=true${query}`, { headers: { 'x-api-key': token } });
}

describe('an explained query reports its cost', () => {
  test.each<[string, string, string, QueryEstimate, number | null]>([
    ['a consumer', '&sql=select+1', FREE, ESTIMATE, 1_073_741_824],
    ['newest rows', '&sql=select+2', FREE, { ...ESTIMATE, isRefused: null }, 1_073_741_824],
    ['a token with a cap', '&sql=select+1', FRUGAL, { ...ESTIMATE, isRefused: true }, 20_971_520],
    ['the endpoint', '', FREE, ESTIMATE, 107_374_182_400],
    ['the endpoint, for a token with a cap', '', FRUGAL, ESTIMATE, 20_971_520],
  ])('of %s', async (_, query, token, estimated, cap) => {
    const asked: RunOptions[] = [];
    const send = await open(async (_query, options) => {
      asked.push(options);
      return estimated;
    });
    const answer = await send(query, token);
    expect(answer.json()).toMatchObject({
      explain: {
        estimatedBytes: 25_000_000,
        estimatedBytesBilled: 25_165_824,
        maxBytesBilled: cap,
        wouldBeRefused: estimated.isRefused,
      },
    });
    expect(asked).toMatchObject([{ maxBytesBilled: cap }]);
  });

  test('and fails as the estimate does', async () => {
    const send = await open(() => Promise.reject(new ServiceError('unavailable', 'Not now.')));
    expect((await send('')).status).toBe(503);
  });
});

test('estimates of a token take turns, and one too many is refused', async () => {
  const gate = Promise.withResolvers<QueryEstimate>();
  const asked: WarehouseQuery[] = [];
  const send = await open((query) => {
    asked.push(query);
    return gate.promise;
  });
  const answers = [1, 2, 3].map((n) => send(n === 3 ? '' : `&sql=select+${n}`));
  const refused = await Promise.race(answers);
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('1');
  expect(asked).toHaveLength(1);
  gate.resolve(ESTIMATE);
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 200, 429]);
});
