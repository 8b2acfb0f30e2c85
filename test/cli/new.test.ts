import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { checkedDefinitions } from '../../build/checked-definitions.ts';
import { deployedFunctions } from '../../build/deployed-functions.ts';
import { UsageError } from '../../cli/arguments/usage-error.ts';
import { withFunction } from '../../cli/new/register-function.ts';
import { runNew } from '../../cli/new.ts';
import { ENDPOINT_SETTINGS } from '../../shared/endpoints/endpoint-settings.ts';
import { loadEndpoints } from '../../shared/endpoints/load-endpoints.ts';
import { PARAMETER_SETTINGS } from '../../shared/endpoints/parameter-settings.ts';
import { ConfigurationError } from '../../shared/errors/configuration-error.ts';
import { rowsOf, startRealService } from '../data/support/real-service.ts';
import { runHere } from './support/run-here.ts';
import { runLqe } from './support/run-lqe.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lqe-new-'));
});
afterEach(() => rm(folder, { recursive: true }));

const make = (name: string) => runHere(runNew, ['endpoint', name, '--queries', folder]);

describe('lqe new endpoint', () => {
  test('writes an endpoint that answers as it is, for rows and for consumers', async () => {
    const { code, stdout } = await make('errors.by-path');
    expect(code).toBe(0);
    expect(stdout).toContain(`lqe start --queries ${folder}`);
    expect((await readdir(folder)).sort()).toEqual(['errors.by-path.json', 'errors.by-path.sql']);
    const running = await startRealService('--queries', folder);
    try {
      const rows = rowsOf<{ id: string }>(await running.ask('errors.by-path', 'project=demo'));
      expect(rows).toHaveLength(100);
      const own = await running.ask('errors.by-path', `project=demo&lql=${encodeURIComponent('c:count(*)')}`);
      expect(own.status).toBe(200);
      expect(
        rowsOf(await running.ask('errors.by-path', 'project=demo&iso_timestamp_end=2000-01-01')),
      ).toEqual([]);
    } finally {
      await running.close();
    }
  });

  test('explains every setting in the query', async () => {
    await make('a');
    const sql = await readFile(join(folder, 'a.sql'), 'utf8');
    for (const [name, { means }] of [
      ...Object.entries(ENDPOINT_SETTINGS),
      ...Object.entries(PARAMETER_SETTINGS),
    ]) {
      expect(sql).toMatch(new RegExp(`^-- +${name} +${means.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'm'));
    }
  });

  test('gives each endpoint its own id', async () => {
    await make('a');
    await make('b');
    expect(new Set((await loadEndpoints(folder)).all.map(({ id }) => id)).size).toBe(2);
  });

  test('writes into ./queries or LQE_QUERIES outside a checkout, and makes the folder', async () => {
    const target = join(folder, 'deep/queries');
    const { code } = await runHere(runNew, ['endpoint', 'a'], { env: { LQE_QUERIES: target } });
    expect([code, (await readdir(target)).sort()]).toEqual([0, ['a.json', 'a.sql']]);
  });

  test.each(['json', 'sql'])('writes nothing where NAME.%s is there already', async (kind) => {
    await writeFile(join(folder, `a.${kind}`), 'mine');
    await expect(make('a')).rejects.toThrow(UsageError);
    await expect(make('a')).rejects.toThrow(`a.${kind} exists already; choose another name.`);
    expect(await readdir(folder)).toEqual([`a.${kind}`]);
    expect(await readFile(join(folder, `a.${kind}`), 'utf8')).toBe('mine');
  });

  test.each([
    ['upper case', 'Errors'],
    ['a slash', 'a/b'],
    ['a way up', '../a'],
    ['a dot in front', '.a'],
    ['two dots', 'a..b'],
    ['nothing', ''],
    ['101 characters', 'a'.repeat(101)],
    ['a UUID', '5d7bb0e5-8a36-4b76-9c1f-0c3b2e0e9f11'],
    ['a line break', 'a\nb'],
  ])('refuses a name of %s', async (_, name) => {
    await expect(make(name)).rejects.toThrow(UsageError);
    await expect(make(name)).rejects.toThrow('lower-case words');
    expect(await readdir(folder)).toEqual([]);
  });

  test('says which folder cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    const made = runHere(runNew, ['endpoint', 'a', '--queries', join(folder, 'file')]);
    await expect(made).rejects.toThrow(ConfigurationError);
    await expect(made).rejects.toThrow(/file.*: it (?:cannot be written|exists already)/);
  });

  test('in a checkout also writes and registers a function that the build finds', async () => {
    for (const part of [
      'cli',
      'shared',
      'functions',
      'queries',
      'client',
      'build',
      'package.json',
      'biome.json',
      '.gitignore',
    ]) {
      await cp(part, join(folder, part), { recursive: true }).catch(() => {});
    }
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    const run = (name: string) =>
      promisify(execFile)(process.execPath, [join(folder, 'cli/lqe.ts'), 'new', 'endpoint', name], {
        cwd: folder,
      });
    const { stdout } = await run('new.of_this_test');
    expect(stdout).toMatch(
      /^Wrote queries\/new\.of_this_test\.json\nWrote queries\/new\.of_this_test\.sql\nWrote functions\/new-of-this-test\.ts\nChanged functions\/index\.ts\n/,
    );
    const { endpoints } = await checkedDefinitions(folder);
    expect(endpoints.find('new.of_this_test')).toBeDefined();
    const functions = await deployedFunctions(folder, endpoints.all);
    expect(functions).toContainEqual({
      name: 'new-of-this-test',
      endpoints: ['new.of_this_test'],
      module: 'functions/new-of-this-test.ts',
      explorer: false,
      runs: ['new.of_this_test'],
    });
    await promisify(execFile)(resolve('node_modules/.bin/biome'), ['check', 'functions'], { cwd: folder });

    const before = await readFile(join(folder, 'functions/index.ts'), 'utf8');
    // Another name of the same function.
    await expect(run('new.of-this-test')).rejects.toMatchObject({ code: 2, stdout: '' });
    expect(await readdir(join(folder, 'queries'))).not.toContain('new.of-this-test.json');
    await expect(run('warm')).rejects.toMatchObject({ code: 2, stdout: '' });
    expect(await readFile(join(folder, 'functions/index.ts'), 'utf8')).toBe(before);
  });

  test('says so where functions/index.ts has another form', () => {
    expect(() => withFunction('// nothing', 'a', 'makeA')).toThrow(ConfigurationError);
  });

  test('answers wrong usage with exit code 2', async () => {
    const { code, stderr } = await runLqe(['new', 'endpont', 'a'], { cwd: folder }).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('WHAT is one of endpoint');
  });
});
