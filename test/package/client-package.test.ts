import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import client from '../../client/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { type RealService, startRealService } from '../data/support/real-service.ts';
import { codeBlocks } from '../docs/support/code-blocks.ts';
import { makeShell, type Shell } from './support/shell.ts';

const README = 'client/README.md';
/** The clock that the page's answers were given at. */
const NOW = '2026-01-31T12:10:00Z';
const blocks = (info: string) =>
  codeBlocks(README)
    .filter((block) => block.info === info)
    .map(({ text }) => text);

let running: RealService;
/** A folder elsewhere in which the packed client is installed. */
let folder: string;
let shell: Shell;
let packed: readonly string[];
beforeAll(async () => {
  running = await startRealService('--now', NOW);
  folder = await mkdtemp(join(tmpdir(), 'lqe-client-'));
  shell = makeShell({ LQE_TOKEN: running.service.localToken ?? '', npm_config_loglevel: 'error' });
  const root = resolve('.');
  const pack = await shell.run('npm', ['pack', '--json', join(root, 'client')], folder);
  if (pack.code !== 0) throw new Error(pack.stderr);
  const [archive] = JSON.parse(pack.stdout) as [{ filename: string; files: { path: string }[] }];
  packed = archive.files.map(({ path }) => path);
  // Without the network: all that the client needs is in the archive.
  const argv = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', archive.filename];
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const installation = await shell.run('npm', argv, folder);
  if (installation.code !== 0) throw new Error(installation.stderr);
});
afterAll(async () => {
  await running.close();
  await rm(folder, { recursive: true });
});

/** What the compiler reports of a program beside the installed client, under settings of TypeScript. */
async function compile(program: string, settings: object): Promise<string> {
  await writeFile(join(folder, 'program.ts'), program);
  const compilerOptions = { strict: true, skipLibCheck: false, noEmit: true, ...settings };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const { stdout } = await shell.run(resolve('node_modules/.bin/tsc'), ['-p', folder], folder);
  return stdout;
}

describe('the package of the client', () => {
  test('holds the client, its types and its page, and nothing else', () => {
    expect([...packed].sort()).toEqual([
      ...['LICENSE', 'README.md', 'answer-facts.js', 'client.d.ts', 'client.js', 'endpoints.d.ts'],
      ...['package.json', 'query-error.js'],
    ]);
  });

  test('has the version of the service, and needs no other package', () => {
    expect(client.version).toBe(manifest.version);
    expect(Object.keys(client).filter((name) => /dependencies/i.test(name))).toEqual([]);
  });

  test('has the licence of the service', async () => {
    expect(await readFile('client/LICENSE', 'utf8')).toBe(await readFile('LICENSE', 'utf8'));
  });

  test('runs the examples of its page, which print what the page says', async () => {
    const program = blocks('js').join('\n');
    expect(program).toContain(`from '${client.name}'`);
    const here = program.replaceAll('http://localhost:8080', `http://127.0.0.1:${running.port}`);
    await writeFile(join(folder, 'program.js'), here);
    const { code, stdout, stderr } = await shell.run('node', ['program.js'], folder);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.replaceAll('\r\n', '\n')).toBe(blocks('text').join(''));
  });

  test('is only one module', async () => {
    const program = `await import('${client.name}/client.js')`;
    const { stderr } = await shell.run('node', ['--input-type=module', '--eval', program], folder);
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

describe('the types of the package', () => {
  const node = { types: ['node'], typeRoots: [resolve('node_modules/@types')] };
  const program = () => `${blocks('ts').join('\n')}\n`;

  test.each<[string, object]>([
    [
      'as Node resolves packages',
      { ...node, target: 'es2022', module: 'nodenext', moduleResolution: 'nodenext' },
    ],
    [
      'as bundlers do, with the library of browsers',
      { types: [], lib: ['es2022', 'dom'], module: 'esnext', moduleResolution: 'bundler' },
    ],
  ])('compile in strict programs %s', async (_, settings) => {
    // A browser has no environment.
    const source = 'lib' in settings ? program().replace(/process\.env\.\w+ \?\? /, '') : program();
    expect(await compile(source, settings)).toBe('');
  });

  test.each([
    ['errors.by-path', "{ project: 'demo', kind: 'sever' }", /"sever"/],
    ['usage.api-counts', "{ project: 'demo', interval: 'weekly' }", /"weekly"/],
  ])('refuse a wrong value for %s', async (name, parameters, complaint) => {
    const source = `${program()}void client.query('${name}', ${parameters});\n`;
    expect(await compile(source, { ...node, module: 'nodenext' })).toMatch(complaint);
  });
});
