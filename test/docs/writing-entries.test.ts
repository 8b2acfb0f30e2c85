import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RealService, startWritableService } from '../data/support/real-service.ts';
import { call } from '../shared/http/support/http-client.ts';
import { codeBlocks, shapeProblems } from './support/code-blocks.ts';

const WRITER = 'lqe_test-token-that-writes-for-the-pages';

let running: RealService;
beforeAll(async () => {
  running = await startWritableService(WRITER);
});
afterAll(() => running.close());

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
