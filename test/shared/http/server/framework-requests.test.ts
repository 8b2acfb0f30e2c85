import { http } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { HttpHandler } from '../../../../shared/http/response/reply.ts';
import { asFrameworkFunction, bypassFramework } from '../../../../shared/http/server/framework-requests.ts';
import { call, close, listen } from '../support/http-client.ts';

/** Tells what reached it. */
const echo: HttpHandler = async (req, res) => {
  const { domain } = process as { domain?: unknown };
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  res.end(JSON.stringify({ url: req.url, body, inDomain: Boolean(domain), viaExpress: 'app' in res }));
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The echo as functions-framework serves it, as one of several functions or as the only one. */
async function start(mode: 'one of several' | 'the only one') {
  const stop = mode === 'the only one' ? bypassFramework(echo) : bypassFramework();
  http('echo', mode === 'the only one' ? echo : asFrameworkFunction(echo));
  const server = getTestServer('echo');
  const port = await listen(server);
  ends.push(() => {
    stop();
    return close(server);
  });
  return async (path: string, body?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body };
    return (await call(port, path, { method: 'POST', headers, ...sent })).json();
  };
}

describe.each(['one of several', 'the only one'] as const)('a function that is %s', (mode) => {
  test.each(['', '{"a":1}', '{malformed', 'x'.repeat(200_000)])(
    'reads its body itself, first and later',
    async (body) => {
      const send = await start(mode);
      for (let round = 0; round < 3; round += 1) {
        expect(await send('/a?b=%zz', body)).toMatchObject({ url: '/a?b=%zz', body, inDomain: false });
      }
    },
  );

  test.each(['/a%20b', '/a%zz', '/%ff?x=%ff', '*', '/favicon.ico', '/robots.txt'])(
    'is reached with the path %p',
    async (path) => {
      const send = await start(mode);
      await send('/');
      expect(await send(path)).toMatchObject({ body: '' });
    },
  );
});

test.each([
  ['/a%20b', '/a%20b'],
  ['/a%zz', '/a%25zz'],
  ['/%ff?x=%ff', '/%25ff?x=%ff'],
  ['*', '/*'],
])(
  'the first request of one of several functions comes through Express with the path %p as %p',
  async (path, url) => {
    const send = await start('one of several');
    expect(await send(path)).toMatchObject({ url, viaExpress: true });
  },
);

test.each([
  ['one of several', [true, false, false]],
  ['the only one', [false, false, false]],
] as const)('requests to %s come through Express: %p', async (mode, expected) => {
  const send = await start(mode);
  const seen = [await send('/'), await send('/'), await send('/')];
  expect(seen.map((one) => (one as { viaExpress: boolean }).viaExpress)).toEqual(expected);
});
