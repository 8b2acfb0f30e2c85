import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { type Ended, makeShell, type Running, type Shell } from './support/shell.ts';

const TOKEN = 'token-of-the-package-tests';
/** The demo logs are the same at the same time. */
const NOW = '2026-01-31T12:10:00Z';

/** What lies in the archive, as `npm pack --json` lists it. */
interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

let folder: string;
let shell: Shell;
let packed: Packed;
let archive: string;
/** An empty folder elsewhere in which the package is installed. */
let installed: string;
let lqe: (...argv: readonly string[]) => Promise<Ended>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lqe-package-'));
  installed = join(folder, 'installed');
  await mkdir(installed);
  // A separate cache: what npx installs would stay behind in that of the machine.
  const npm = { npm_config_cache: join(folder, 'cache'), npm_config_loglevel: 'error' };
  shell = makeShell({ LQE_TOKEN: TOKEN, ...npm });
  const { code, stdout, stderr } = await shell.run(
    'npm',
    ['pack', '--json', '--pack-destination', folder],
    '.',
  );
  if (code !== 0) throw new Error(stderr);
  [packed] = JSON.parse(stdout) as [Packed];
  archive = join(folder, packed.filename);
  const installation = await shell.run('npm', ['install', '--no-audit', '--no-fund', archive], installed);
  if (installation.code !== 0) throw new Error(installation.stderr);
  lqe = (...argv) => shell.run(resolve(installed, 'node_modules/.bin/lqe'), argv, installed);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the package holds what runs and what people read, and nothing else', () => {
  const folders = new Set(packed.files.map(({ path }) => (path.includes('/') ? path.split('/')[0] : path)));
  expect([...folders].sort()).toEqual(
    [
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'],
      // npm adds the file that `main` names to every package.
      ...['bin', 'client', 'dist', 'docs', 'explorer', 'functions', 'queries', 'terraform'],
    ].sort(),
  );
  const sources = packed.files.filter(({ path }) => path.endsWith('.ts') && !path.endsWith('.d.ts'));
  expect(sources.map(({ path }) => path)).toEqual(['functions/index.ts']);
  expect(packed.files.find(({ path }) => path === 'bin/lqe.js')?.mode).toBe(0o755);
});

test('packing leaves the repository as it was', async () => {
  const { stdout } = await shell.run('git', ['status', '--porcelain', '--', 'bin', 'dist', 'cli'], '.');
  expect(stdout).toBe('');
});

test('what builds, checks and tests the code is not installed', async () => {
  const { stdout } = await shell.run('npm', ['ls', '--all', '--parseable'], installed);
  const names = stdout.split('\n').map((path) => path.split('node_modules/').at(-1) ?? '');
  expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
  const tools = ['@biomejs/biome', '@swc/core', 'esbuild', 'fast-check', 'jest', 'typescript'];
  expect(Object.keys(manifest.devDependencies)).toEqual(expect.arrayContaining(tools));
  expect(tools.filter((name) => names.includes(name))).toEqual([]);
});

describe('lqe of the installed package', () => {
  let service: Running;
  let url: string;
  beforeAll(async () => {
    // As README.md has it, in an empty folder, where nothing is installed.
    const empty = join(folder, 'empty');
    await mkdir(empty);
    service = shell.start(
      'npx',
      ['--yes', '--package', archive, 'lqe', 'start', '--port', '0', '--now', NOW],
      empty,
    );
    [, url = ''] = await service.printed(/^Listening on (\S+) with/m);
  });
  // npm's shell ends of it and leaves the service to end itself.
  afterAll(() => service.end('SIGTERM'));

  const ask = (query: Readonly<Record<string, string>>) =>
    fetch(`${url}/api/endpoints/query/logs.all?${new URLSearchParams({ project: 'demo', ...query })}`, {
      headers: { 'x-api-key': TOKEN },
    });

  test('tells its version', async () => {
    expect(await lqe('--version')).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  test.each<[string, Record<string, string>]>([
    ['the stored query', {}],
    ['SQL', { sql: 'select count(*) as entries from edge_logs' }],
    ['LQL', { lql: 'f:auth_logs m.level:error' }],
    ['long SQL', { sql: `select id from edge_logs -- ${'x'.repeat(30_000)}` }],
  ])('answers %s', async (_, query) => {
    const answer = await ask(query);
    const { result } = (await answer.json()) as { result: object[] };
    expect([answer.status, result.length > 0]).toEqual([200, true]);
  });

  test('serves the explorer with every file that the page names', async () => {
    const page = await (await fetch(url)).text();
    const paths = [...page.matchAll(/"(\.\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    const scripts = paths.filter((path) => path.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(20);
    for (const path of scripts) expect((await fetch(new URL(path, `${url}/`))).status).toBe(200);
  });

  test('asks with query, which counts --last by the clock of the service', async () => {
    const argv = ['query', 'logs.all', '--project', 'demo', '--last', '1h', '--url', url];
    const { code, stdout, stderr } = await lqe(...argv, '--sql', 'select count(*) as entries from edge_logs');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout).entries).toBeGreaterThan(0);
  });

  test('follows with tail until Ctrl-C, which ends it with 0', async () => {
    const file = resolve(installed, 'node_modules/.bin/lqe');
    const argv = ['tail', 'logs.all', '--project', 'demo', '--lines', '3', '--url', url];
    const running = shell.start(file, argv, installed);
    await running.printed(/^(?:\{.*\}\n){3}/);
    expect(await running.end('SIGINT')).toEqual({ code: 0, signal: null });
  });

  test('issues a token that a service in the same folder takes', async () => {
    const { code, stdout } = await lqe('tokens', 'issue', '--name', 'package', '--project', 'demo');
    expect(code).toBe(0);
    const tokens = JSON.parse(await readFile(join(installed, '.lqe/tokens.json'), 'utf8')) as unknown;
    expect(JSON.stringify(tokens)).not.toContain(stdout.trim());
  });

  test('serves the logs of a folder', async () => {
    await mkdir(join(installed, 'my-logs'));
    const entry = { id: 'mine', timestamp: '2026-01-31T12:00:00Z', event_message: 'hello', project: 'mine' };
    await writeFile(join(installed, 'my-logs/edge_logs.ndjson'), `${JSON.stringify(entry)}\n`);
    const file = resolve(installed, 'node_modules/.bin/lqe');
    const running = shell.start(file, ['start', '--port', '0', '--logs', 'my-logs'], installed);
    const [, own = ''] = await running.printed(/^Listening on (\S+) with/m);
    const { stdout } = await lqe('query', 'logs.all', '--project', 'mine', '--url', own);
    expect(JSON.parse(stdout)).toMatchObject({ id: 'mine' });
    expect(await running.end('SIGINT')).toEqual({ code: 0, signal: null });
  });
});
