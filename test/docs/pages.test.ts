import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { commandHelp } from '../../cli/arguments/help-text.ts';
import { parseArguments } from '../../cli/arguments/parse-arguments.ts';
import { COMMANDS, findCommand } from '../../cli/commands/table.ts';
import { TOKENS_HELP } from '../../cli/tokens/help.ts';
import { runTokens } from '../../cli/tokens.ts';
import { codeBlocks, shapeProblems } from './support/code-blocks.ts';
import { type DocumentedCommand, inlineCommands, lqeCommands, readCommand } from './support/lqe-commands.ts';
import { PAGES, USER_PAGES } from './support/pages.ts';

const text = (page: string) => readFileSync(page, 'utf8');

describe.each([...PAGES])('%s', (page) => {
  test('links to files that are there', () => {
    const links = [...text(page).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  });

  test('links to headings that are there', () => {
    const links = [...text(page).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)];
    const missing = links.filter(([, link = '', anchor = '']) => {
      const target = link === '' ? page : join(dirname(page), link);
      return target.endsWith('.md') && existsSync(target) && !anchorsOf(text(target)).includes(anchor);
    });
    expect(missing.map(([link]) => link)).toEqual([]);
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
    const known = `${commands} ${text('cli/tokens/help.ts')} ${text('test/bench/options.ts')} ${text('test/scale/run.ts')}`;
    expect(options.filter((option) => !known.includes(option))).toEqual([]);
  });

  test('has commands of lqe that can be called so', async () => {
    for (const command of lqeCommands(page)) {
      expect([command.line, await problemOf(command)]).toEqual([command.line, null]);
    }
    for (const command of inlineCommands(text(page))) {
      expect([command.line, flagProblem(command)]).toEqual([command.line, null]);
    }
  });

  test('calls lqe as it can be called in the folder of the code', () => {
    const calls = lqeCommands(page).map(({ line }) => line);
    expect(calls.filter((line) => !/^npx (?:--package \S+ )?lqe /.test(line))).toEqual([]);
    expect(text(page)).not.toMatch(/npm run (?:--silent )?lqe/);
  });

  test('has JSON that is JSON', () => {
    for (const block of codeBlocks(page).filter(({ info }) => info.startsWith('json'))) {
      expect(() => JSON.parse(block.text)).not.toThrow();
    }
  });
});

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): readonly string[] {
  const headings = [...page.replace(/^```.*\n[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/\[(.*?)\]\(.*?\)/g, '$1')
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** What is wrong with a command that is written out; null for nothing. */
async function problemOf({ name, argv }: DocumentedCommand): Promise<string | null> {
  if (name.startsWith('--') || name === 'help') return null;
  const calling = name === 'tokens' ? callTokens(argv) : call(name, argv);
  return calling.catch((error: Error) => error.message);
}

/** What is wrong with the name and the flags of a command that a sentence mentions, and may leave the rest out of. */
function flagProblem({ name, argv }: DocumentedCommand): string | null {
  if (name === 'help' || name === '--version' || name === '--help') return null;
  const command = Object.values(COMMANDS).find((one) => one.name === name);
  if (command === undefined) return `no command ${name}`;
  const flags = [...command.options.map(({ flag }) => flag as string), '--help', '-h'];
  const unknown = argv.filter((word) => word.startsWith('-') && !flags.includes(word.split('=')[0] ?? ''));
  return unknown.length === 0 ? null : `no option ${unknown.join(', ')}`;
}

/** Reads the arguments of a command; throws a UsageError. */
async function call(name: string, argv: readonly string[]): Promise<null> {
  const command = findCommand(name);
  parseArguments(argv, command);
  return null;
}

/** What an action takes depends on the action, so it is called: on a file that is not there. */
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

describe('what the program itself shows', () => {
  const commands = Object.values(COMMANDS);

  test.each(commands.map((command) => [command.name, command] as const))(
    'names commands and options that there are in the help of lqe %s',
    (name, command) => {
      const help = name === 'tokens' ? TOKENS_HELP : commandHelp(command);
      const lines = [...help.matchAll(/(?:^ +|<\(|: )(lqe [a-z]+[^\n)]*)/gm)].map(([, line = '']) => line);
      const shown = [...inlineCommands(help.replaceAll(/\n(?=\S)/g, ' ')), ...lines.map(readCommand)];
      for (const one of shown) expect([one.line, flagProblem(one)]).toEqual([one.line, null]);
    },
  );

  test('names commands and options that there are in its messages', () => {
    const sources = ['bin', 'cli', 'shared', 'explorer', 'functions'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|js|html)$/.test(name))
        .map((name) => join(folder, name)),
    );
    const shown = sources.flatMap((file) =>
      inlineCommands(
        text(file)
          .replaceAll(/\$\{[^}]*\}/g, 'x')
          .replaceAll(/<\/?code>/g, '`'),
      ),
    );
    expect(shown.length).toBeGreaterThan(10);
    // Where the name itself is filled in, it comes from the table.
    for (const one of shown.filter(({ name }) => name !== 'x'))
      expect([one.line, flagProblem(one)]).toEqual([one.line, null]);
  });
});

describe('the two commands that README.md begins with', () => {
  const lines = codeBlocks('README.md')
    .filter(({ info }) => info === 'sh')
    .map(({ text: block }) => block.trim());
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
  const ci = text('.ci/run')
    .split('\n')
    .map((line) => line.trim());

  test('warn as often as the page says where Node is older than packages ask for', () => {
    const { packages } = JSON.parse(text('package-lock.json')) as {
      packages: Record<string, { engines?: { node?: string } }>;
    };
    const newer = Object.values(packages).filter(({ engines }) => /^>=2[1-9]/.test(engines?.node ?? ''));
    expect(text('README.md')).toContain(`prints ${newer.length} warnings \`EBADENGINE\``);
  });

  test('run it and test it, a line each', () => {
    expect(lines.slice(0, 2)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test']));
  });

  test('are what .ci/run calls: the same install, then the same tests', () => {
    const [install = '', tests = ''] = (lines[1] ?? '').split(' && ');
    const installs = ci.findIndex((line) => line.startsWith(`${install} `) || line === install);
    const stages = ci.indexOf(`stage test ${tests}`);
    expect(installs).toBeGreaterThan(-1);
    expect(stages).toBeGreaterThan(installs);
    expect(ci[installs]).toBe(`${install} || exit 1`);
  });

  test('are what npm run check ends with', () => {
    expect(scripts.check).toMatch(/ && npm test$/);
  });

  test('every other stage of .ci/run is a script', () => {
    const named = ci.flatMap((line) => /^(?:stage|step) \S+ npm run ([a-z:]+)/.exec(line)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

test('ARCHITECTURE.md maps every folder of the code, and no other', () => {
  const map = codeBlocks('ARCHITECTURE.md')[0]?.text ?? '';
  const folders = (parent: string) =>
    readdirSync(parent, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  const listed = [...map.matchAll(/^ {2}([a-z0-9-]+)\/ /gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(folders('shared').sort());
});

describe('the start page', () => {
  const start = text('docs/README.md');

  test.each(USER_PAGES.filter((page) => !['README.md', 'docs/README.md'].includes(page)))(
    'has a link to %s',
    (page) => {
      expect(start).toMatch(new RegExp(`\\]\\(${relative('docs', page)}[#)]`));
    },
  );
});

test('README.md links to the other pages', () => {
  for (const page of [
    'docs/README.md',
    'docs/http-api.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'LICENSE',
  ]) {
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
