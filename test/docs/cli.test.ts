import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../../cli/commands/table.ts';
import { type RealService, startRealService } from '../data/support/real-service.ts';
import { codeBlocks, shapeProblems } from './support/code-blocks.ts';
import { documentedQueries } from './support/documented-queries.ts';

const PAGE = 'docs/cli.md';
/** The clock that the page's answers were given at. */
const NOW = '2026-01-31T12:10:00Z';

/** The commands of the page that have an answer, each with it. */
const blocks = codeBlocks(PAGE);
const examples = blocks.flatMap((block, index) => {
  const answer = blocks[index + 1];
  const isAnswered = answer !== undefined && ['json', 'json shape', 'csv', 'text'].includes(answer.info);
  return block.info === 'sh' && isAnswered ? [[`line ${block.line}`, block.text, answer] as const] : [];
});

let running: RealService;
let queries: string;
let folder: string;
beforeAll(async () => {
  queries = await documentedQueries();
  running = await startRealService('--now', NOW, '--queries', queries);
  folder = await mkdtemp(join(tmpdir(), 'lqe-docs-'));
});
afterAll(async () => {
  await running.close();
  await rm(queries, { recursive: true });
  await rm(folder, { recursive: true });
});

/** What a shell prints for a command of the page, whatever it ends with. */
async function run(command: string): Promise<string> {
  // What npx finds in the folder of the code, without the second that npx takes.
  const npx = `npx() { shift; node '${resolve('bin/lqe.js')}' "$@"; }`;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    LQE_URL: `http://127.0.0.1:${running.port}`,
    LQE_TOKEN: running.service.localToken,
    LQE_TOKENS: join(folder, 'tokens.json'),
  };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', `${npx}\n${command}`], {
    cwd: folder,
    env,
  }).catch((error: { readonly stdout: string }) => error);
  return stdout;
}

describe('the commands in docs/cli.md', () => {
  test('are there', () => expect(examples.length).toBeGreaterThanOrEqual(8));

  test.each(examples)('print what the page says (%s)', async (_, command, answer) => {
    const actual = (await run(command)).replaceAll('\r\n', '\n').trim();
    if (answer.info !== 'json shape') expect(actual).toBe(answer.text.trim());
    else expect(shapeProblems(JSON.parse(answer.text), JSON.parse(actual))).toEqual([]);
  });

  test.each(Object.values(COMMANDS).map(({ name }) => name))('tell of lqe %s', async (name) => {
    expect(await readFile(PAGE, 'utf8')).toMatch(new RegExp(`^## .*lqe ${name}\\b`, 'm'));
  });
});
