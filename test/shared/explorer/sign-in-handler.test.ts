import { afterEach, describe, expect, test } from '@jest/globals';
import { makeGateway } from '../../../functions/gateway.ts';
import { makeSignInCodes } from '../../../shared/access/sign-in-code.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { makeSignInHandler, SIGN_IN_ROUTE } from '../../../shared/explorer/sign-in-handler.ts';
import { HOSTS, type Host } from '../http/support/hosts.ts';
import { type Answer, type Call, call } from '../http/support/http-client.ts';
import { makeTestService, TOKEN } from '../http/support/test-service.ts';

const hosts: Host[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
});

describe.each(HOSTS)('under %s', (_, start) => {
  /** A service that has issued one code, and a way to send what the page would, with changes. */
  async function started() {
    const service = makeTestService();
    const codes = makeSignInCodes(systemClock);
    const code = codes.issue();
    const handler = makeSignInHandler(service, { codes, token: TOKEN });
    const host = await start(makeGateway(service, new Map([[SIGN_IN_ROUTE, handler]])));
    hosts.push(host);
    const own = `http://127.0.0.1:${host.port}`;
    const exchange = ({ headers = {}, ...rest }: Call = {}): Promise<Answer> =>
      call(host.port, SIGN_IN_ROUTE, {
        method: 'POST',
        body: JSON.stringify({ code }),
        ...rest,
        headers: {
          'content-type': 'application/json',
          origin: own,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
      });
    return { service, code, own, port: host.port, exchange };
  }

  test('the code is exchanged for the token, which is not stored and which no other origin reads', async () => {
    const { exchange, service, code } = await started();
    const { status, headers, text } = await exchange();
    expect([status, text]).toEqual([200, JSON.stringify({ token: TOKEN })]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    const again = await exchange();
    expect(again.status).toBe(401);
    expect(again.text).toContain('paste the access token');
    expect(service.lines.length).toBe(2);
    expect(service.lines.join()).not.toContain(code);
    expect(service.lines.join()).not.toContain(TOKEN);
  });

  test('of many exchanges at the same time one gets the token', async () => {
    const { exchange } = await started();
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ text }) => text.includes(TOKEN))).toHaveLength(1);
  });

  test('guesses end the code after ten', async () => {
    const { exchange } = await started();
    for (let count = 0; count < 10; count++) {
      expect((await exchange({ body: `{"code":"guess-${count}"}` })).status).toBe(401);
    }
    expect((await exchange()).status).toBe(401);
  });

  test.each<[string, number, (own: string) => Call]>([
    ['another site', 403, () => ({ headers: { origin: 'https://evil.example' } })],
    ['a page without an origin', 403, () => ({ headers: { origin: 'null' } })],
    [
      'another port of this machine',
      403,
      () => ({ headers: { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' } }),
    ],
    [
      'another name of this machine',
      403,
      (own) => ({ headers: { origin: own.replace('127.0.0.1', 'localhost') } }),
    ],
    ['another scheme', 403, (own) => ({ headers: { origin: own.replace('http', 'https') } })],
    [
      'a name that was made to point here',
      403,
      () => ({ headers: { host: 'evil.example:8080', origin: 'http://evil.example:8080' } }),
    ],
    [
      'a name that begins as this machine’s',
      403,
      () => ({ headers: { host: 'localhost.evil.example', origin: 'http://localhost.evil.example' } }),
    ],
    ['a browser that says cross-site', 403, () => ({ headers: { 'sec-fetch-site': 'cross-site' } })],
    ['a form', 415, () => ({ headers: { 'content-type': 'text/plain' } })],
    ['a body without a type', 415, () => ({ headers: { 'content-type': '' } })],
    ['no body', 400, () => ({ body: '' })],
    ['an array', 400, () => ({ body: '[]' })],
    ['no code', 400, () => ({ body: '{}' })],
    ['an empty code', 400, () => ({ body: '{"code":""}' })],
    ['a code that is no text', 400, () => ({ body: '{"code":["x"]}' })],
    ['more than a code', 400, () => ({ body: '{"code":"x","next":"/"}' })],
    ['a body that is too large', 413, () => ({ body: JSON.stringify({ code: 'x'.repeat(1100) }) })],
    ['GET', 405, () => ({ method: 'GET', body: '' })],
    ['PUT', 405, () => ({ method: 'PUT' })],
  ])('%s is refused (%d), and the code stays', async (_name, status, change) => {
    const { exchange, own } = await started();
    const refused = await exchange(change(own));
    expect([refused.status, refused.text.includes(TOKEN)]).toEqual([status, false]);
    expect(refused.headers['cache-control']).toBe('no-store');
    expect((await exchange()).status).toBe(200);
  });

  test('a code in the URL is not accepted', async () => {
    const { code, port, own } = await started();
    const headers = { 'content-type': 'application/json', origin: own };
    const answer = await call(port, `${SIGN_IN_ROUTE}?code=${code}`, { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(400);
  });

  test('a client that says nothing of sites, but where it comes from, is answered', async () => {
    const { code, port } = await started();
    const host = `localhost:${port}`;
    const headers = { 'content-type': 'application/json; charset=utf-8', host, origin: `http://${host}` };
    const body = JSON.stringify({ code });
    expect((await call(port, SIGN_IN_ROUTE, { method: 'POST', headers, body })).status).toBe(200);
  });

  test('the gateway has no such address unless it is given one', async () => {
    const host = await start(makeGateway(makeTestService()));
    hosts.push(host);
    for (const method of ['POST', 'GET']) {
      const headers = { origin: `http://127.0.0.1:${host.port}`, 'content-type': 'application/json' };
      const answer = await call(host.port, SIGN_IN_ROUTE, {
        method,
        headers,
        body: method === 'GET' ? '' : '{}',
      });
      expect(answer.status).toBe(404);
    }
  });
});
