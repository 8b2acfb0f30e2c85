import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runEndpoints } from '../../cli/endpoints.ts';
import { makeGateway } from '../../functions/gateway.ts';
import { type Host, serve } from '../shared/http/support/hosts.ts';
import { close, listen } from '../shared/http/support/http-client.ts';
import { makeTestService, NARROW_TOKEN, TOKEN } from '../shared/http/support/test-service.ts';
import { runHere } from './support/run-here.ts';

const hosts: Host[] = [];
beforeAll(async () => void hosts.push(await serve(makeGateway(makeTestService()))));
afterAll(() => hosts[0]?.close());

const url = () => `http://127.0.0.1:${hosts[0]?.port}`;
const endpoints = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runHere(runEndpoints, argv, { env: { LQE_URL: url(), LQE_TOKEN: TOKEN, ...env } });

describe('lqe endpoints', () => {
  test('lists what the service serves, with parameters and sources', async () => {
    const { code, stdout, stderr } = await endpoints([]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^logs\.all {2}fb4b865d-/);
    expect(stdout).toContain('\n  project              The project (required)\n');
    expect(stdout).toContain('\n  sources: edge_logs\n');
    expect(stdout).toContain('\nusage.api-counts  9b4f8df4-');
    expect(stdout).toContain('At most 500 rows, cached for 900 s.');
  });

  test('lists only what the token may use', async () => {
    const { stdout } = await endpoints(['--json'], { LQE_TOKEN: NARROW_TOKEN });
    expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ name: 'logs.all' })]);
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['a wrong token', { LQE_TOKEN: 'wrong' }, 1, 'token is unknown'],
    ['a service that is not there', { LQE_URL: 'http://127.0.0.1:1' }, 3, 'cannot be reached'],
  ])('fails for %s', async (_, env, expected, words) => {
    const { code, stdout, stderr } = await endpoints([], env);
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toContain(words);
  });

  describe('of something else', () => {
    const answer = { status: 404, body: '' };
    const server = createServer((_, res) => res.writeHead(answer.status).end(answer.body));
    const at: { url?: string } = {};
    beforeAll(async () => {
      at.url = `http://127.0.0.1:${await listen(server)}`;
    });
    afterAll(() => close(server));

    test('that does not say lists the built-in ones and says so', async () => {
      Object.assign(answer, { status: 404, body: '' });
      const { code, stdout, stderr } = await endpoints([], { LQE_URL: at.url ?? '' });
      expect(code).toBe(0);
      expect(stdout).toMatch(/^logs\.all /m);
      expect(stderr).toContain('the ones that come with this program');
    });

    test.each([
      [200, '<html>', 1, 'does not come from this service'],
      [200, '{"endpoints":[{}]}', 1, 'does not come from this service'],
      [502, '<html>', 3, 'not from this service'],
      [302, '', 1, 'not from this service'],
    ])('that answers %i %j fails', async (status, body, expected, words) => {
      Object.assign(answer, { status, body });
      const { code, stdout, stderr } = await endpoints([], { LQE_URL: at.url ?? '' });
      expect([code, stdout]).toEqual([expected, '']);
      expect(stderr).toContain(words);
    });
  });
});
