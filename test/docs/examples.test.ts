import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RealService, startRealService } from '../data/support/real-service.ts';
import { callsAmongCommands, codeBlocks, documentedCalls, shapeProblems } from './support/code-blocks.ts';
import { documentedQueries } from './support/documented-queries.ts';
import { PAGES } from './support/pages.ts';

/** The clock that the pages' answers were given at; demo logs are the same at the same time. */
const NOW = '2026-01-31T12:10:00Z';

let running: RealService;
let queries: string;
beforeAll(async () => {
  queries = await documentedQueries();
  running = await startRealService('--now', NOW, '--queries', queries);
});
afterAll(async () => {
  await running.close();
  await rm(queries, { recursive: true });
});

async function runCommand(command: string): Promise<string> {
  const here = command.replaceAll('http://localhost:8080', `http://127.0.0.1:${running.port}`);
  const env = {
    PATH: process.env.PATH,
    LQE_TOKEN: running.service.localToken,
    // Where a deployed service is, it is this one.
    BASE_URL: `http://127.0.0.1:${running.port}`,
  };
  const { stdout } = await promisify(execFile)(
    'sh',
    ['-c', `set -e\n${here.replace(/^curl /, 'curl -sS ')}`],
    {
      env,
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  return stdout;
}

describe.each([...PAGES])('the calls in %s', (page) => {
  const calls = documentedCalls(page);

  test('have answers', () => {
    expect(calls.filter(({ answer }) => answer === null).map(({ name }) => name)).toEqual([]);
  });

  if (calls.length > 0) {
    test.each(calls.map((one) => [one.name, one] as const))(
      'answer what the page says (%s)',
      async (_, one) => {
        const actual = await runCommand(one.command);
        const documented = one.answer?.text.trim() ?? '';
        if (one.answer?.info !== 'json shape')
          expect(actual.replaceAll('\r\n', '\n').trim()).toBe(documented);
        else expect(shapeProblems(JSON.parse(documented), JSON.parse(actual))).toEqual([]);
      },
    );
  }
});

test('calls that stand among other commands are answered', async () => {
  const calls = PAGES.flatMap(callsAmongCommands);
  expect(calls.length).toBeGreaterThan(0);
  for (const command of calls) {
    const answer = await runCommand(command.trim());
    expect(JSON.parse(answer)).toEqual({ result: expect.anything() });
  }
});

test('README.md and docs/http-api.md do have calls', () => {
  expect(documentedCalls('README.md').length).toBeGreaterThanOrEqual(3);
  expect(documentedCalls('docs/http-api.md').length).toBeGreaterThanOrEqual(10);
});

test('the log line in README.md is one that loads', async () => {
  const line = codeBlocks('README.md').find(({ info }) => info === 'json line');
  const { startWithLogs } = await import('../data/support/real-service.ts');
  const own = await startWithLogs({ edge_logs: [JSON.parse(line?.text ?? '')] });
  try {
    const { status, text } = await own.ask('logs.all', 'project=demo');
    expect([status, text]).toEqual([200, expect.stringContaining('"path":"/rest/v1/todos"')]);
    expect(own.service.logs?.report?.sources.get('edge_logs')).toMatchObject({ rows: 1, addedFields: [] });
  } finally {
    await own.close();
  }
});
