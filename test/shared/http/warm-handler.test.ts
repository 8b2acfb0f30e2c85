import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeWarm } from '../../../functions/warm.ts';
import type { Warm } from '../../../shared/warming/warmer.ts';
import { type Host, serve } from './support/hosts.ts';
import { type Answer, call } from './support/http-client.ts';
import { makeTestService, NOW_MICROS, USAGE_ID } from './support/test-service.ts';

const AUDIENCE = 'https://warm.example.com';
const ACCOUNT = 'scheduler@example.iam.gserviceaccount.com';
const NOW_SECONDS = Number(NOW_MICROS / 1_000_000n);

const warmed: string[] = [];
let host: Host;
let open: Host;
beforeAll(async () => {
  const service = makeTestService();
  const deps = {
    ...service,
    warm: async (...[{ name }, , onUsage]: Parameters<Warm>) => {
      warmed.push(name);
      onUsage?.({ bytesProcessed: 60, bytesBilled: 100 });
      return { refreshed: 2, skipped: 1, failed: 0, left: 3, bytesBilled: 100 };
    },
  };
  host = await serve(makeWarm({ ...deps, warmCaller: { audience: AUDIENCE, serviceAccount: ACCOUNT } }));
  open = await serve(makeWarm({ ...deps, warmCaller: { audience: null, serviceAccount: null } }));
});
afterAll(() => Promise.all([host.close(), open.close()]));

const GOOD = {
  iss: 'https://accounts.google.com',
  aud: AUDIENCE,
  email: ACCOUNT,
  email_verified: true,
  exp: NOW_SECONDS + 3600,
};

function bearer(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `Bearer ${part({ alg: 'RS256' })}.${part(claims)}.SIGNATURE_REMOVED_BY_GOOGLE`;
}

function post(to: Host, body: string, authorization?: string): Promise<Answer> {
  return call(to.port, '/', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body,
  });
}

describe("a scheduler's call", () => {
  test.each(['usage.api-counts', USAGE_ID])(
    'warms the endpoint %s and tells what was done',
    async (endpoint) => {
      const answer = await post(host, JSON.stringify({ endpoint }), bearer(GOOD));
      expect([answer.status, answer.json()]).toEqual([200, { refreshed: 2, skipped: 1, failed: 0, left: 3 }]);
      expect(warmed.at(-1)).toBe('usage.api-counts');
    },
  );

  test.each<[string, string | undefined, number]>([
    ['no token', undefined, 401],
    ['something else than a token', 'Bearer abc', 401],
    ['claims that are none', 'Bearer e30.bm90IGpzb24.x', 401],
    ["another issuer's token", bearer({ ...GOOD, iss: 'https://evil.example' }), 401],
    ['an expired token', bearer({ ...GOOD, exp: NOW_SECONDS - 121 }), 401],
    ['an address that is not verified', bearer({ ...GOOD, email_verified: false }), 401],
    ['a token for another audience', bearer({ ...GOOD, aud: 'https://other.example.com' }), 403],
    ["another account's token", bearer({ ...GOOD, email: 'me@example.com' }), 403],
    ['an overlong token', `${bearer(GOOD)}${'x'.repeat(9000)}`, 401],
  ])('with %s is refused', async (_, authorization, status) => {
    const before = warmed.length;
    expect((await post(host, '{"endpoint":"usage.api-counts"}', authorization)).status).toBe(status);
    expect(warmed).toHaveLength(before);
  });

  test('needs no token where none is expected', async () => {
    expect((await post(open, '{"endpoint":"usage.api-counts"}')).status).toBe(200);
  });

  test.each(['{}', '{"endpoint":"logs.all"}', '{"endpoint":"none"}', '{"endpoint":["usage.api-counts"]}'])(
    'for %s is refused with the endpoints that are warmed',
    async (body) => {
      const answer = await post(open, body);
      expect(answer.status).toBe(400);
      if (!body.includes('[')) expect(answer.text).toContain('It accepts usage.api-counts.');
    },
  );

  test('is a POST', async () => {
    expect((await call(open.port, '/')).status).toBe(405);
  });
});
