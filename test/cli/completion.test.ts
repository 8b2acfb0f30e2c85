import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { COMMANDS } from '../../cli/commands/table.ts';
import { fishQuote, shellQuote } from '../../cli/completion/values.ts';
import { runCompletion } from '../../cli/completion.ts';
import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import { runHere } from './support/run-here.ts';

const { all } = await loadEndpoints('queries');
const endpoints = all.map(({ name }) => name);

const script = async (shell: string) => (await runHere(runCompletion, [shell])).stdout;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lqe-completion-'));
  await writeFile(join(folder, 'completion.bash'), await script('bash'));
  await writeFile(join(folder, 'a token'), '');
  await mkdir(join(folder, 'a folder'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What bash offers after these words, the last of which is being written. */
async function offered(...words: readonly string[]): Promise<string[]> {
  const commands = [
    'source ./completion.bash',
    `COMP_WORDS=(${['lqe', ...words].map(shellQuote).join(' ')})`,
    `COMP_CWORD=${words.length}`,
    '_lqe',
    `printf '%s\\n' "\${COMPREPLY[@]}"`,
  ];
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', commands.join('\n')], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  return stdout.split('\n').filter((line) => line !== '');
}

describe('bash is offered', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['commands', [''], ['--help', ...Object.keys(COMMANDS)]],
    ['commands that begin so', ['t'], ['tail', 'tokens']],
    ['options', ['tail', 'logs.all', '--l'], ['--lql', '--lines', '--late']],
    ['the help', ['load', '--h'], ['--help']],
    ['endpoints', ['query', ''], endpoints],
    ['actions', ['warm', 're'], ['resume']],
    ['endpoints after an action', ['warm', 'run', 'u'], endpoints.filter((name) => name.startsWith('u'))],
    ['choices', ['query', 'logs.all', '--format', ''], ['table', 'json', 'ndjson', 'csv']],
    ['choices after a sign', ['query', 'logs.all', '--format', '=', 'n'], ['ndjson']],
    ['all choices directly after a sign', ['check', '--cache', '='], ['memory', 'firestore']],
    ['files', ['query', 'logs.all', '--token-file', 'a '], ['a folder', 'a token']],
    ['folders', ['load', '--logs', 'a'], ['a folder']],
    ['nothing where anything can stand', ['query', 'logs.all', '--sql', ''], []],
    ['nothing for an invalid command', ['nope', '--'], []],
  ])('%s', async (_, words, expected) => {
    expect((await offered(...words)).sort()).toEqual([...expected].sort());
  });
});

describe.each(['bash', 'zsh', 'fish'])('the script for %s', (shell) => {
  test('knows every command and option', async () => {
    const text = await script(shell);
    for (const { name, options } of Object.values(COMMANDS)) {
      expect(text).toContain(name);
      for (const { flag } of options)
        expect(text).toContain(shell === 'fish' ? `-l ${flag.slice(2)} ` : flag);
    }
  });

  test('closes every quote', async () => {
    const text = (await script(shell)).replaceAll("\\'", '');
    expect(text.split("'").length % 2).toBe(1);
  });
});

test.each([
  ["it's", "'it'\\''s'", "'it\\'s'"],
  ['a\\b', "'a\\b'", "'a\\\\b'"],
])('%s is quoted', (text, shell, fish) => {
  expect([shellQuote(text), fishQuote(text)]).toEqual([shell, fish]);
});

test('a shell that is not known is refused', async () => {
  await expect(script('powershell')).rejects.toThrow('SHELL is one of bash, zsh, fish');
});
