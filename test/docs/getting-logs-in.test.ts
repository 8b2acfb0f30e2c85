import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { updateTokenFile } from '../../shared/access/token-file.ts';
import { type RealService, rowsOf, startRealService } from '../data/support/real-service.ts';
import { tokenRecord } from '../shared/access/support/token-record.ts';
import { call } from '../shared/http/support/http-client.ts';
import { codeBlocks, shapeProblems } from './support/code-blocks.ts';
import { sendingCommands } from './support/sending-commands.ts';

const WRITER = 'lqe_test-token-that-writes-for-the-pages';
const commands = sendingCommands('docs/getting-logs-in.md');

let folder: string;
let running: RealService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'getting-logs-in-'));
  const tokens = join(folder, 'tokens.json');
  await updateTokenFile(tokens, () => [tokenRecord(WRITER, { writes: ['edge_logs'] })]);
  running = await startRealService('--logs', folder, '--tokens', tokens);
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true });
});

const entriesOf = async (project: string) =>
  rowsOf(await running.ask('logs.all', `project=${project}&lql=f:edge_logs+s:event_message`));

describe('the commands in docs/getting-logs-in.md', () => {
  test('are there', () => expect(commands.length).toBeGreaterThanOrEqual(2));

  test.each(commands.map(({ line, text }) => [line, text] as const))(
    'send the lines of a file (line %i)',
    async (line, text) => {
      const project = `page${line}`;
      const entries = ['first', "it's \\ 100%"].map((message) => JSON.stringify({ message, project }));
      await writeFile(join(folder, 'app.ndjson'), `${entries.join('\n')}\n`);
      const env = {
        PATH: process.env.PATH,
        BASE_URL: `http://127.0.0.1:${running.port}`,
        LQE_WRITE_TOKEN: WRITER,
      };
      // What follows a file does not end.
      const once = text.replace('tail -n +1 -F', 'cat');
      await promisify(execFile)('bash', ['--norc', '-c', once], { cwd: folder, env });
      expect(await entriesOf(project)).toHaveLength(entries.length);
    },
  );
});

const post = (entries: unknown) =>
  call(running.port, '/api/logs?source=edge_logs', {
    method: 'POST',
    headers: { 'X-API-KEY': WRITER, 'Content-Type': 'application/json' },
    body: JSON.stringify(entries),
  });

test('an answer to entries has the shape in docs/http-api.md', async () => {
  const documented = codeBlocks('docs/http-api.md').find(({ text }) =>
    text.startsWith('{"message":"Logged!"'),
  );
  const answer = await post([
    { message: 'one', project: 'demo' },
    { message: 'two', project: 'demo' },
  ]);
  expect(shapeProblems(JSON.parse(documented?.text ?? ''), answer.json())).toEqual([]);
});

test('the entry in docs/deploy.md is taken as it is', async () => {
  const entry = codeBlocks('docs/deploy.md').find(({ text }) => text.startsWith('{"id":"8f14e45f"'));
  expect((await post(JSON.parse(entry?.text ?? ''))).json()).toMatchObject({ taken: 1 });
});
