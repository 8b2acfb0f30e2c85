import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import type { Command } from '../../cli/commands/command.ts';
import { RUNNERS } from '../../cli/commands/runners.ts';
import { COMMANDS } from '../../cli/commands/table.ts';
import { TOKENS_HELP } from '../../cli/tokens/help.ts';
import { SETTINGS } from '../../shared/runtime/settings.ts';
import { runHere } from './support/run-here.ts';
import { type Ended, runLqe } from './support/run-lqe.ts';

const commands: readonly (readonly [string, Command])[] = Object.entries(COMMANDS);
const lqe = (...argv: readonly string[]): Promise<Ended> => runLqe(argv, { cwd: tmpdir() }).ended;

describe('lqe', () => {
  test.each(['--help', '-h', 'help'])('%s lists every command', async (option) => {
    const { code, stdout } = await lqe(option);
    expect(code).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}lqe (\S+) {2,}\S/gm)].map(([, name]) => name);
    expect(listed).toEqual(Object.keys(COMMANDS));
  });

  test('help describes a command as its --help does', async () => {
    expect(await lqe('help', 'query')).toEqual(await lqe('query', '--help'));
    const { code, stderr } = await lqe('help', 'qurey');
    expect([code, stderr]).toEqual([2, "lqe: There is no command 'qurey'; did you mean query?\n"]);
  });

  test('--version tells the version of the package', async () => {
    const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    expect(await lqe('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test('without a command prints the list and ends with 2', async () => {
    const { code, stdout, stderr } = await lqe();
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('lqe start');
  });

  test.each([
    ['strat', 'did you mean start?'],
    ['--versoin', 'see "lqe --help"'],
    ['\u001b[31mred', "no command '\\u{1b}[31mred'"],
  ])('refuses the command %s', async (name, words) => {
    const { code, stdout, stderr } = await lqe(name);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
  });

  test.each(commands)('%s --help names each of its options', async (_, { name, options }) => {
    const run = await RUNNERS[name]();
    const { code, stdout } = await runHere(run, ['--help']);
    expect(code).toBe(0);
    for (const { flag } of options) expect(stdout).toContain(flag);
  });

  test.each(commands)('%s --help begins with how it is called, and fits 80 columns', async (_, { name }) => {
    const { stdout } = await runHere(await RUNNERS[name](), ['-h']);
    expect(stdout).toMatch(new RegExp(`^Usage: lqe ${name}( \\S+)* \\[options\\]\\n\\n`));
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).not.toMatch(/[ \t]\n|\n\n\n/);
  });

  test('--help fits 80 columns', async () => {
    const { stdout } = await lqe('--help');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test.each(commands)('%s refuses an option that it does not have', async (name) => {
    const argv = name === 'tokens' ? ['list', '--no-such-thing'] : ['--no-such-thing'];
    const { code, stderr } = await lqe(name, ...argv);
    expect(code).toBe(2);
    expect(stderr).toContain("'--no-such-thing'");
  });
});

describe('the table of commands', () => {
  test('has every option of lqe tokens, and no other', () => {
    const documented = [...TOKENS_HELP.matchAll(/^ +(--[a-z-]+)|\[(--json)\]/gm)].map(
      ([, own, shared]) => own ?? shared,
    );
    expect([...new Set(documented)].sort()).toEqual(COMMANDS.tokens.options.map(({ flag }) => flag).sort());
  });

  test('has every option of lqe start, and no other', () => {
    const flags = Object.values(SETTINGS).flatMap(({ flag }) => (flag === null ? [] : [flag as string]));
    expect(COMMANDS.start.options.map(({ flag }) => flag as string)).toEqual(flags);
  });

  test.each(commands)('gives %s no option twice', (_, { options }) => {
    const flags = options.map(({ flag }) => flag);
    expect(new Set(flags).size).toBe(flags.length);
  });
});
