import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { updateTokenFile } from '../../shared/access/token-file.ts';
import { type RealService, startRealService } from '../data/support/real-service.ts';
import { tokenRecord } from '../shared/access/support/token-record.ts';
import { call } from '../shared/http/support/http-client.ts';
import { codeBlocks, shapeProblems } from './support/code-blocks.ts';

const WRITER = 'lqe_test-token-that-writes-for-the-pages';

let folder: string;
let running: RealService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'writing-entries-'));
  const tokens = join(folder, 'tokens.json');
  await updateTokenFile(tokens, () => [tokenRecord(WRITER, { writes: ['edge_logs'] })]);
  running = await startRealService('--logs', folder, '--tokens', tokens);
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true });
});

const blockOf = (page: string, begins: string) =>
  JSON.parse(codeBlocks(page).find(({ text }) => text.startsWith(begins))?.text ?? '') as unknown;

async function post(entries: unknown): Promise<unknown> {
  const answer = await call(running.port, '/api/logs?source=edge_logs', {
    method: 'POST',
    headers: { 'X-API-KEY': WRITER, 'Content-Type': 'application/json' },
    body: JSON.stringify(entries),
  });
  return answer.json();
}

test('an answer to entries has the shape in docs/http-api.md', async () => {
  const answer = await post([
    { message: 'one', project: 'demo' },
    { message: 'two', project: 'demo' },
  ]);
  expect(shapeProblems(blockOf('docs/http-api.md', '{"message":"Logged!"'), answer)).toEqual([]);
});

test('the entry in docs/deploy.md is taken as it is', async () => {
  expect(await post(blockOf('docs/deploy.md', '{"id":"8f14e45f"'))).toMatchObject({ taken: 1 });
});
