import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
});
