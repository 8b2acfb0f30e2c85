import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { commandHelp } from '../../cli/arguments/help-text.ts';
import { parseArguments } from '../../cli/arguments/parse-arguments.ts';
import { COMMANDS, findCommand } from '../../cli/commands/table.ts';
import { runTokens } from '../../cli/tokens.ts';
import { codeBlocks, shapeProblems } from './support/code-blocks.ts';
import { lqeCommands } from './support/lqe-commands.ts';

const PAGES = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const text = (page: string) => readFileSync(page, 'utf8');

describe.each(PAGES)('%s', (page) => {
  test('links to files that are there', () => {
    const links = [...text(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  });

  test('names npm scripts that exist, in the folder that it says', () => {
    const named = [
      ...text(page).matchAll(/npm (?:run (?:--silent )?([a-z:-]+)|(start|test)\b)(?:` in `([\w/]+)`)?/g),
    ];
    const missing = named.filter(([, run, short, folder = '.']) => {
      const { scripts } = JSON.parse(text(join(folder, 'package.json'))) as { scripts: object };
      return !((run ?? short ?? '') in scripts);
    });
    expect(missing.map(([command]) => command)).toEqual([]);
  });

  test('names options that exist', () => {
    const options = [...text(page).matchAll(/(?:npm start -- |`)(--[a-z][a-z-]+)/g)].map(
      ([, option = '']) => option,
    );
    const commands = Object.values(COMMANDS).map(commandHelp).join(' ');
    const known = `${commands} ${text('cli/tokens/help.ts')} ${text('test/bench/options.ts')}`;
    expect(options.filter((option) => !known.includes(option))).toEqual([]);
  });

  test('has commands of lqe that can be called so', async () => {
    for (const { line, name, argv } of lqeCommands(page)) {
      const calling = name === 'tokens' ? callTokens(argv) : call(name, argv);
      expect([line, await calling.catch((error: Error) => error.message)]).toEqual([line, null]);
    }
  });

  test('has JSON that is JSON', () => {
    for (const block of codeBlocks(page).filter(({ info }) => info.startsWith('json'))) {
      expect(() => JSON.parse(block.text)).not.toThrow();
    }
  });
});

/** Reads the arguments of a command; throws a UsageError. */
async function call(name: string, argv: readonly string[]): Promise<null> {
  parseArguments(argv, findCommand(name));
  return null;
}

/** What an action takes hangs on the action, so it is called: on a file that is not there. */
async function callTokens(argv: readonly string[]): Promise<null> {
  const folder = await mkdtemp(join(tmpdir(), 'lqe-docs-'));
  const nowhere = { write: () => true };
  const io = { stdout: nowhere, stderr: nowhere, env: {}, nowMs: () => 0 };
  try {
    await runTokens(argv, { ...io, tokensFile: join(folder, 'tokens.json') });
    return null;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('ARCHITECTURE.md maps every folder of the code, and no other', () => {
  const map = codeBlocks('ARCHITECTURE.md')[0]?.text ?? '';
  const folders = (parent: string) =>
    readdirSync(parent, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  const listed = [...map.matchAll(/^ {2}([a-z0-9-]+)\/ /gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(folders('shared').sort());
});

test('README.md links to the other pages', () => {
  for (const page of ['docs/http-api.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE']) {
    expect(text('README.md')).toContain(`](${page})`);
  }
});

describe('shapeProblems', () => {
  test.each<[unknown, unknown, string[]]>([
    [{ a: 1 }, { a: 2, b: 3 }, []],
    [{ a: 1 }, { b: 1 }, ['$.a is missing']],
    [{ a: 1 }, { a: '1' }, ['$.a is a string']],
    [{ a: [] }, { a: {} }, ['$.a is no list']],
    [{ a: [1] }, { a: [] }, ['$.a is empty']],
    [[{ a: 1 }], [{ b: 1 }, { a: 2 }], []],
    [[{ a: 1 }], [{ b: 1 }], ['$[].a is missing']],
    [{ a: { b: 1 } }, { a: null }, ['$.a is no object']],
  ])('of %j in %j are %j', (documented, actual, problems) => {
    expect(shapeProblems(documented, actual)).toEqual(problems);
  });
});
