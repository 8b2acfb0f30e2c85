import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bad-settings-'));
  await promisify(execFile)(process.execPath, ['build/run.ts', folder]);
  for (const name of ['gateway', 'warm']) {
    await symlink(resolve('node_modules'), join(folder, name, 'node_modules'));
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** Starts a function as the platform does, and waits for its end. */
async function start(cwd: string, target: string, env: Readonly<Record<string, string>>) {
  const framework = resolve('node_modules/@google-cloud/functions-framework/build/src/main.js');
  const child = spawn(process.execPath, [framework, `--target=${target}`, '--port=0'], {
    cwd,
    env: { PATH: process.env.PATH, METADATA_SERVER_DETECTION: 'none', ...env },
  });
  let [out, lines] = ['', ''];
  child.stdout.on('data', (data) => (out += String(data)));
  child.stderr.on('data', (data) => (lines += String(data)));
  const [code] = await once(child, 'close');
  return { code: code as number | null, out, lines };
}

const BAD = { LQE_WAREHOUSE: 'bigquery', LQE_BIGQUERY_DATASET: 'logs', LQE_CACHE: 'disk' };

describe.each([
  ['the bundle of the gateway', () => join(folder, 'gateway'), 'gateway'],
  ['the bundle of warm', () => join(folder, 'warm'), 'warm'],
  ['the functions out of the sources', () => process.cwd(), 'logs-all'],
])('%s', (_, folderOf, target) => {
  test('ends with 2 and one line before it listens, where settings are wrong', async () => {
    const { code, out, lines } = await start(folderOf(), target, BAD);
    expect([code, out]).toEqual([2, '']);
    expect(lines.trim().split('\n')).toHaveLength(1);
    const { severity, message } = JSON.parse(lines);
    expect(severity).toBe('CRITICAL');
    expect(message).toContain("--cache (or LQE_CACHE) was given 'disk'");
    expect(message).toContain('--google-project (or LQE_GOOGLE_PROJECT) is missing');
  });
});

test('a bundle ends so where a table is named for a source that it does not have', async () => {
  const { code, out, lines } = await start(join(folder, 'gateway'), 'gateway', {
    LQE_WAREHOUSE: 'bigquery',
    LQE_GOOGLE_PROJECT: 'acme-logs',
    LQE_LOG_TABLES: '{"edge_log":"raw.cloudflare"}',
  });
  expect([code, out]).toEqual([2, '']);
  const { message } = JSON.parse(lines);
  expect(message).toContain(
    'LQE_LOG_TABLES names "edge_log", which is no source; the sources are auth_logs,',
  );
  expect(message).toContain('LQE_LOG_TABLES has no table for auth_logs, edge_logs,');
});
