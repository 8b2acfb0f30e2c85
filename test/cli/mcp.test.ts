import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { runMcp } from '../../cli/mcp.ts';
import { makeGateway } from '../../functions/gateway.ts';
import { type Host, serve } from '../shared/http/support/hosts.ts';
import { close, listen } from '../shared/http/support/http-client.ts';
import { makeTestService, NARROW_TOKEN, TOKEN } from '../shared/http/support/test-service.ts';
import { runHere } from './support/run-here.ts';

const gateway = makeGateway(makeTestService());
/** A deployment without the explorer has no catalogue. */
const bare = createServer((req, res) =>
  req.url?.startsWith('/api/') ? void gateway(req, res) : void res.writeHead(404).end(),
);
const hosts: Host[] = [];
const urls: { served: string; bare: string } = { served: '', bare: '' };
beforeAll(async () => {
  hosts.push(await serve(gateway));
  Object.assign(urls, {
    served: `http://127.0.0.1:${hosts[0]?.port}`,
    bare: `http://127.0.0.1:${await listen(bare)}`,
  });
});
afterAll(async () => {
  await hosts[0]?.close();
  await close(bare);
});

/** Starts the command as an agent does, and uses its tools. */
async function withAgent<T>(url: string, token: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [resolve('cli/lqe.ts'), 'mcp'],
    env: { PATH: process.env.PATH ?? '', LQE_URL: url, LQE_TOKEN: token },
  });
  await client.connect(transport);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

describe('lqe mcp', () => {
  test('serves the endpoints that the token may use', async () => {
    const answer = await withAgent(urls.served, NARROW_TOKEN, async (client) => ({
      tools: (await client.listTools()).tools.map(({ name }) => name),
      rows: await client.callTool({ name: 'logs_all', arguments: { project: 'demo' } }),
    }));
    expect(answer.tools).toEqual(['query', 'explain', 'sources', 'logs_all']);
    expect(answer.rows.content).toEqual([{ type: 'text', text: expect.stringContaining('"row_count":2') }]);
  });

  test('serves the built-in endpoints where the service lists none', async () => {
    const answer = await withAgent(urls.bare, TOKEN, async (client) => ({
      tools: (await client.listTools()).tools.map(({ name }) => name),
      sources: await client.callTool({ name: 'sources', arguments: { source: 'edge_logs' } }),
      rows: await client.callTool({ name: 'logs_all', arguments: { project: 'demo' } }),
    }));
    expect(answer.tools).toEqual(['query', 'explain', 'sources', 'logs_all', 'usage_api_counts']);
    expect(answer.sources.content).toEqual([
      { type: 'text', text: expect.stringContaining('timestamp TIMESTAMP') },
    ]);
    expect(answer.rows.content).toEqual([{ type: 'text', text: expect.stringContaining('"row_count":2') }]);
  });

  test('ends with its standard input', async () => {
    const env = { LQE_URL: urls.served, LQE_TOKEN: TOKEN };
    expect(await runHere(runMcp, [], { env, stdin: '' })).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['a wrong token', { LQE_TOKEN: 'wrong' }, 1, 'token is unknown'],
    ['a service that is not there', { LQE_URL: 'http://127.0.0.1:1' }, 3, 'cannot be reached'],
  ])('fails for %s', async (_, changes, expected, words) => {
    const env = { LQE_URL: urls.served, LQE_TOKEN: TOKEN, ...changes };
    const { code, stdout, stderr } = await runHere(runMcp, [], { env });
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toContain(words);
  });
});
