import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { isAlive, openService } from './open-isolated.ts';

const HELPER = new URL('./open-isolated.ts', import.meta.url).href;

const SERVICE = `
  const { openService, ENDLESS } = await import(${JSON.stringify(HELPER)});
  const { ask, isolated } = await openService({}, { databaseFile: null, temporaryParent: process.argv[1] });
  await ask('SELECT 1');
  ask(ENDLESS).catch(() => {});
  process.stdout.write(String(isolated.pids()[0]));
  process.stdin.resume();`;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'killed-'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a service that %s ends leaves no query process, and no files once another one started',
  async (signal) => {
    const service = spawn(process.execPath, ['--input-type=module', '-e', SERVICE, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [output] = await once(service.stdout, 'data');
    const pid = Number(String(output));
    expect(isAlive(pid)).toBe(true);
    expect(await readdir(folder)).toHaveLength(1);
    service.kill(signal);
    await once(service, 'exit');
    while (isAlive(pid)) await setImmediate();
    const next = await openService({}, { databaseFile: null, temporaryParent: folder });
    expect(await readdir(folder)).toHaveLength(1);
    await next.warehouse.close();
    expect(await readdir(folder)).toEqual([]);
  },
);
