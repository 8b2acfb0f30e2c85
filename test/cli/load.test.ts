import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UsageError } from '../../cli/arguments/usage-error.ts';
import { runLoad } from '../../cli/load.ts';
import { ConfigurationError } from '../../shared/errors/configuration-error.ts';
import { rowsOf, startRealService } from '../data/support/real-service.ts';
import { runHere } from './support/run-here.ts';
import { runLqe } from './support/run-lqe.ts';
import { entry, lines, makeStarts, type Starts } from './support/starts.ts';

let starts: Starts;
beforeAll(async () => {
  starts = await makeStarts();
});
afterAll(() => starts.end());

const load = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runHere(runLoad, argv, { env: { LQE_MEMORY_LIMIT: '512', ...env } });

/** What a service says is in the file. */
async function entriesIn(database: string): Promise<string[]> {
  const running = await startRealService('--database', database);
  try {
    return rowsOf<{ id: string }>(await running.ask('logs.all', 'project=mine')).map(({ id }) => id);
  } finally {
    await running.close();
  }
}

describe('lqe load', () => {
  test('loads a folder into a file that a start serves, and stops', async () => {
    const logs = await starts.folderOf('good', {
      'edge_logs.ndjson': lines(entry('1'), entry('2', { extra: 'x' })),
    });
    const database = join(starts.folder, 'good.db');
    const { ended } = runLqe(['load', '--database', 'good.db', '--logs', 'good'], { cwd: starts.folder });
    expect(await ended).toEqual({
      code: 0,
      signal: null,
      stdout: `Loaded 2 entries into ${database}.\n`,
      stderr: expect.stringContaining('edge_logs: fields added to its schema: extra STRING'),
    });
    expect((await entriesIn(database)).sort()).toEqual(['1', '2']);
    expect(await readdir(logs)).toEqual(['edge_logs.ndjson']);
  });

  test('replaces what the file held, or leaves it as it was when a line is malformed', async () => {
    const database = join(starts.folder, 'twice.db');
    const first = await starts.folderOf('first', { 'edge_logs.ndjson': lines(entry('a')) });
    const bad = await starts.folderOf('bad', { 'edge_logs.ndjson': `${lines(entry('b'))}{"id":\n` });
    expect((await load(['--database', database, '--logs', first])).code).toBe(0);
    await expect(load(['--database', database, '--logs', bad])).rejects.toThrow(ConfigurationError);
    await expect(load(['--database', database, '--logs', bad])).rejects.toThrow(/edge_logs\.ndjson.*2/);
    expect(await entriesIn(database)).toEqual(['a']);

    const skipped = await load(['--skip-invalid'], {
      LQE_DATABASE: database,
      LQE_LOGS: bad,
      LQE_PORT: 'none',
    });
    expect(skipped.stdout).toBe(`Loaded 1 entry into ${database}, 1 malformed line skipped.\n`);
    expect(skipped.stderr).toContain('edge_logs: 1 malformed line skipped');
    expect(await entriesIn(database)).toEqual(['b']);
  });

  test.each<[string, readonly string[], string]>([
    ['no file', ['--logs', '.'], 'Say what goes where'],
    ['no logs', ['--database', 'x.db'], 'Say what goes where'],
    ['an option of another command', ['--port', '1'], "no option '--port'"],
    ['an operand', ['logs'], "takes no 'logs'"],
  ])('refuses %s', async (_, argv, words) => {
    await expect(load(argv)).rejects.toThrow(UsageError);
    await expect(load(argv)).rejects.toThrow(words);
  });

  test.each<[string, readonly string[], string]>([
    ['a folder that is not there', ['--database', 'x.db', '--logs', 'no-such'], 'does not exist'],
    ['a file where no folder is', ['--database', 'no-such/x.db', '--logs', '.'], 'there is no folder'],
  ])('refuses %s and makes nothing', async (_, argv, words) => {
    await expect(load(argv)).rejects.toThrow(words);
    await expect(stat('x.db')).rejects.toThrow('ENOENT');
  });

  test('on a disk that is full says so in one line and leaves the file as it was', async () => {
    const [few, many] = await Promise.all([
      starts.folderOf('few', { 'edge_logs.ndjson': manyLines(50) }),
      starts.folderOf('many', { 'edge_logs.ndjson': manyLines(3000) }),
    ]);
    const database = join(starts.folder, 'tight.db');
    expect((await load(['--database', database, '--logs', few])).code).toBe(0);
    const kept = await entriesIn(database);
    const least = Math.ceil((await stat(database)).size / 1024) + 1;
    // A file that may not grow is to the engine what a full disk is, and needs no separate disk.
    for (const kib of [least, least + 200, least + 400]) {
      const { code, stdout, stderr } = await loadUpTo(kib, ['--database', database, '--logs', many]);
      expect({ kib, code, stdout }).toEqual({ kib, code: 2, stdout: '' });
      expect(stderr).toMatch(
        /^(?:edge_logs: 3,000 entries\n)?lqe: [^\n]+ may not grow any more: [^\n]+; nothing was changed\n$/,
      );
      expect(await entriesIn(database)).toEqual(kept);
    }
    expect((await load(['--database', database, '--logs', many])).code).toBe(0);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stopped by %s answers %i and leaves the file as it was', async (name, code) => {
    const first = await starts.folderOf(`first-${name}`, { 'edge_logs.ndjson': lines(entry('a')) });
    const database = join(starts.folder, `${name}.db`);
    expect((await load(['--database', database, '--logs', first])).code).toBe(0);
    const logs = await starts.folderOf(`long-${name}`, { 'auth_logs.ndjson': lines(entry('a')) });
    await writeFile(join(logs, 'edge_logs.ndjson.gz'), gzipSync(manyLines(400_000)));
    const loading = runLqe(['load', '--database', database, '--logs', logs], { cwd: starts.folder });
    await loading.complained(/auth_logs: 1 entry/);
    loading.signal(name);
    expect(await loading.ended).toMatchObject({
      code,
      signal: null,
      stdout: '',
      stderr: 'auth_logs: 1 entry\n',
    });
    expect(await entriesIn(database)).toEqual(['a']);
  });

  test.each([
    ['a pipe among the logs', ['--logs', 'pipes'], /pipes\/edge_logs\.ndjson: it is no regular file/],
    ['a pipe in a folder of the logs', ['--logs', 'deeper'], /edge_logs\/a\.ndjson: it is no regular file/],
    [
      'a pipe for the logs',
      ['--logs', 'pipes/edge_logs.ndjson'],
      /--logs .*which is a pipe, a socket or a device/,
    ],
    ['a device for the logs', ['--logs', '/dev/null'], /--logs .*which is a pipe, a socket or a device/],
    [
      'a device for the database',
      ['--logs', 'first', '--database', '/dev/full'],
      /--database .*which is a pipe/,
    ],
  ])('refuses %s', async (_, argv, message) => {
    await starts.folderOf('pipes', {});
    await starts.folderOf('deeper', {});
    await starts.folderOf('deeper/edge_logs', {});
    for (const pipe of ['pipes/edge_logs.ndjson', 'deeper/edge_logs/a.ndjson']) {
      await promisify(execFile)('mkfifo', ['-m', '600', join(starts.folder, pipe)]).catch(() => {});
    }
    const given = argv.includes('--database') ? argv : [...argv, '--database', 'x.db'];
    const { code, stderr } = await runLqe(['load', ...given], { cwd: starts.folder }).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

/** Entries that cannot be compressed to nothing, in order of time. */
function manyLines(count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const id = createHash('sha256').update(String(index)).digest('base64');
    return `{"id":"${id}","timestamp":${index},"project":"mine","event_message":"${id}${id.slice(7)}${id.slice(3)}"}\n`;
  }).join('');
}

/** `lqe load` in a process whose files may not grow beyond a size. */
async function loadUpTo(
  kib: number,
  argv: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const script = `ulimit -f ${kib} && exec "$@"`;
  const child = spawn('bash', [
    '-c',
    script,
    'bash',
    process.execPath,
    resolve('cli/lqe.ts'),
    'load',
    ...argv,
  ]);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}
