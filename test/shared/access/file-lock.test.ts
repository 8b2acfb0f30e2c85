import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { takeFileLock } from '../../../shared/access/file-lock.ts';
import { currentHolder, isDead } from '../../../shared/access/lock-holder.ts';
import { readTokenFile, updateTokenFile } from '../../../shared/access/token-file.ts';

let folder: string;
let lock: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-lock-'));
  lock = join(folder, 'tokens.json.lock');
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs a script with the modules of locks at hand; resolves when it ends. */
function run(script: string): { readonly child: ReturnType<typeof spawn>; readonly ended: Promise<unknown> } {
  const from = (name: string) => `await import(${JSON.stringify(resolve(`shared/access/${name}.ts`))})`;
  const head = `const { takeFileLock } = ${from('file-lock')}; const { updateTokenFile } = ${from('token-file')};`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', head + script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, ended: once(child, 'close') };
}

/** Leaves the lock of a process that was killed while it held it. */
async function leaveBehind(path: string): Promise<void> {
  const { child, ended } = run(
    `await takeFileLock(${JSON.stringify(path)}, 0); process.stdout.write('held'); setInterval(() => {}, 1000);`,
  );
  await once(child.stdout!, 'data');
  expect(await takeFileLock(path, 0)).toBeNull();
  child.kill('SIGKILL');
  await ended;
}

describe('a lock', () => {
  test('is held by one at a time, and names its holder', async () => {
    const held = await takeFileLock(lock, 0);
    expect(JSON.parse(await readFile(lock, 'utf8'))).toMatchObject({
      pid: process.pid,
      started: expect.any(String),
      place: expect.any(String),
    });
    expect(await takeFileLock(lock, 0)).toBeNull();
    await held?.release();
    const next = await takeFileLock(lock, 0);
    expect(next).not.toBeNull();
    await next?.release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('of a process that was killed is taken over', async () => {
    await leaveBehind(lock);
    const held = await takeFileLock(lock, 0);
    expect(held).not.toBeNull();
    await held?.release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('of a process that was killed as it took one over is taken over, too', async () => {
    await leaveBehind(lock);
    await leaveBehind(`${lock}.guard`);
    expect(await takeFileLock(lock, 0)).not.toBeNull();
  });

  test.each([
    [
      'of another machine',
      async () => JSON.stringify({ ...(await currentHolder('n')), pid: 999_999_999, place: 'elsewhere' }),
    ],
    ['of an earlier version', async () => ''],
    ['that names no process', async () => '{"pid":0}'],
  ])('%s is left alone', async (_, text) => {
    await writeFile(lock, await text());
    expect(await takeFileLock(lock, 0)).toBeNull();
    expect(await readFile(lock, 'utf8')).toBe(await text());
  });

  test('of a dead process is taken over by one of many, in this process and in others', async () => {
    await leaveBehind(lock);
    const path = join(folder, 'tokens.json');
    const token = (name: string) =>
      `{ name: ${JSON.stringify(name)}, digest: ${JSON.stringify(Buffer.from(name).toString('hex').padStart(64, '0'))}, createdAtMs: 0, expiresAtMs: null, revokedAtMs: null, endpoints: null, projects: null, limits: { maxRows: null, maxBytesBilled: null, maxWindowSeconds: null, requestsPerMinute: null } }`;
    const script = (one: string) => `await Promise.all([0, 1, 2, 3].map((index) => updateTokenFile(
      ${JSON.stringify(path)}, (tokens) => [...tokens, { ...${token(one)}, name: '${one}' + index, digest: String(index) + '${one}'.padStart(63, '0').replace(/[^0-9a-f]/g, 'a') }], 60000)));`;
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => run(script(name)).ended));
    expect(await readTokenFile(path)).toHaveLength(16);
    expect(await readdir(folder)).toEqual(['tokens.json']);
    await updateTokenFile(path, () => []);
  });
});

describe('a holder', () => {
  test('is not dead while its process runs', async () => {
    expect(await isDead(await currentHolder('n'))).toBe(false);
    const { child, ended } = run('setInterval(() => {}, 1000)');
    expect(await isDead({ ...(await currentHolder('n')), pid: child.pid!, started: null })).toBe(false);
    child.kill('SIGKILL');
    await ended;
    expect(await isDead({ ...(await currentHolder('n')), pid: child.pid!, started: null })).toBe(true);
  });

  test('is dead where another process has its pid', async () => {
    expect(await isDead({ ...(await currentHolder('n')), started: 'earlier' })).toBe(true);
  });
});
