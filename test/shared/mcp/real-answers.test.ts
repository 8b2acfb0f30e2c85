import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type RealService, startRealService } from '../../data/support/real-service.ts';

const NOW = '2026-01-31T12:10:00Z';

let running: RealService;
let client: Client;
beforeAll(async () => {
  running = await startRealService('--now', NOW);
  client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${running.service.localToken}` } };
  const url = new URL(`http://127.0.0.1:${running.port}/mcp`);
  const transport = new StreamableHTTPClientTransport(url, { requestInit });
  await client.connect(transport as Parameters<Client['connect']>[0]);
});
afterAll(async () => {
  await client.close();
  await running.close();
});

interface Rows {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

async function use(name: string, given: Record<string, unknown>): Promise<Rows> {
  const { content } = await client.callTool({ name, arguments: given });
  return JSON.parse((content as { text: string }[])[0]?.text ?? '') as Rows;
}

describe('the answers of tools over demo logs', () => {
  test.each<[string, Record<string, unknown>]>([
    ['logs_all', { project: 'demo' }],
    ['query', { sql: 'select timestamp from auth_logs limit 2', parameters: { project: 'demo' } }],
    ['query', { lql: 'f:auth_logs s:timestamp', parameters: { project: 'demo' } }],
  ])('have times in ISO 8601: %s', async (name, given) => {
    const { rows } = await use(name, given);
    expect(rows.length).toBeGreaterThan(1);
    for (const { timestamp } of rows)
      expect(timestamp).toMatch(/^2026-01-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/);
  });

  test('take parameters of the query', async () => {
    const given = { sql: 'select @level as level', parameters: { project: 'demo', level: 'error' } };
    expect(await use('query', given)).toMatchObject({ rows: [{ level: 'error' }] });
  });

  test('say why there are no rows', async () => {
    const parameters = { project: 'demo', iso_timestamp_end: '2000-01-01' };
    const answer = await use('query', { sql: 'select id from edge_logs', parameters });
    expect(answer).toMatchObject({
      rows: [],
      notes: [expect.stringContaining('the newest is of 2026-01-31')],
    });
  });
});
