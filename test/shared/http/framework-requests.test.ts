import { http } from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { asFrameworkFunction, leaveRequestsToHandlers } from '../../../shared/http/framework-requests.ts';
import { call, close, listen } from './support/http-client.ts';

describe('a function under functions-framework', () => {
  const stop = leaveRequestsToHandlers();
  http(
    'echo',
    asFrameworkFunction(async (req, res) => {
      const { domain } = process as { domain?: unknown };
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      res.end(
        JSON.stringify({ url: req.url, body: Buffer.concat(chunks).toString(), inDomain: Boolean(domain) }),
      );
    }),
  );
  const server = getTestServer('echo');
  const ports: number[] = [];

  beforeAll(async () => void ports.push(await listen(server)));
  afterAll(async () => {
    stop();
    await close(server);
  });
  const send = async (path: string, body?: string): Promise<unknown> =>
    (
      await call(ports[0] ?? 0, path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body }),
      })
    ).json();

  test.each(['', '{"a":1}', '{malformed', 'x'.repeat(200_000)])('reads its body itself', async (body) => {
    expect(await send('/a?b=%zz', body)).toEqual({ url: '/a?b=%zz', body, inDomain: false });
  });

  test.each([
    ['/a%20b', '/a%20b'],
    ['/a%zz', '/a%25zz'],
    ['/%ff?x=%ff', '/%25ff?x=%ff'],
    ['*', '/*'],
  ])('is reached with the path %p as %p', async (path, url) => {
    expect(await send(path)).toMatchObject({ url });
  });
});
