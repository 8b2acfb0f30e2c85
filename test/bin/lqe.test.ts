import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };

const LAUNCHER = resolve('bin/lqe.js');
const FLAG = '--max-http-header-size=65536';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lqe-bin-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The launcher as its own process; in its environment are the path and what is given. */
function launch(argv: readonly string[], { flags = [] as readonly string[], env = {} } = {}) {
  const child = spawn(process.execPath, [...flags, LAUNCHER, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH, LQE_TOKEN: 'token-of-the-launcher-tests', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8');
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return { child, ended };
}

async function listening({ child }: ReturnType<typeof launch>): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const [, url] = /^Listening on (\S+) /m.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`ended without an address: ${text}`);
}

describe('bin/lqe.js', () => {
  test('is the command of the package, and executable as it lies there', async () => {
    expect(resolve(manifest.bin.lqe)).toBe(LAUNCHER);
    // npm would change the mode otherwise, and git show a changed file.
    expect((await stat(LAUNCHER)).mode & 0o111).toBe(0o111);
  });

  test('is what npm start runs, with the flag that it would have to start another process for', async () => {
    expect(manifest.scripts.start).toBe(`node ${FLAG} bin/lqe.js start`);
  });

  test('passes arguments, output and the exit code on', async () => {
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [LAUNCHER, '--version']);
    expect(stdout).toBe(`${manifest.version}\n`);
    await expect(run(process.execPath, [LAUNCHER, 'start', '--prot', '0'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean --port?'),
    });
  });

  test.each([
    ['its own process', []],
    ['its own process', [FLAG]],
  ])('serves long URLs from %s, and ends with 0 however often one Ctrl-C arrives', async (_, flags) => {
    const running = launch(['start', '--port', '0'], { flags });
    const url = await listening(running);
    const target = `${url}/api/endpoints/query/logs.all?project=demo&other=${'x'.repeat(30_000)}`;
    const answer = await fetch(target, { headers: { 'x-api-key': 'token-of-the-launcher-tests' } });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    running.child.kill('SIGINT');
    // Well within the time that counts as one, and until its very end: Node takes handlers of signals down before that.
    const until = performance.now() + 250;
    const repeating = setInterval(() => {
      if (performance.now() > until) clearInterval(repeating);
      else running.child.kill('SIGINT');
    }, 2);
    expect(await running.ended).toEqual({ code: 0, signal: null });
  });

  test('ends when the shell that npm started it from has ended', async () => {
    // The shell of `npm start`, which dash ends with the signal that npm passes on.
    const shell = spawn('sh', ['-c', `"${process.execPath}" ${FLAG} "${LAUNCHER}" start --port 0; :`], {
      cwd: folder,
      env: { PATH: process.env.PATH, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('Ctrl-C')) shell.kill('SIGKILL');
    });
    // The pipe closes when the last process that holds it ends.
    await once(shell.stdout, 'close');
    expect(text).toContain('Ctrl-C');
  });
});
