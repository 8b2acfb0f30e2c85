import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

/** A process that takes signals and goes on working; `rest` runs after that, with `stop` at hand. */
async function endOf(
  rest: string,
  send: (child: ReturnType<typeof spawn>) => void,
): Promise<readonly unknown[]> {
  const module = JSON.stringify(resolve('cli/terminal/stop-signals.ts'));
  const script = `const { takeStopSignals } = await import(${module});
    const work = setInterval(() => {}, 1000);
    ${rest}
    process.stdout.write('ready');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  await once(child.stdout!, 'data');
  send(child);
  return ended;
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  'work that does not stop in time is ended by %s itself',
  async (name) => {
    const rest = 'takeStopSignals(process, 10);';
    expect(await endOf(rest, (child) => child.kill(name))).toEqual([null, name]);
  },
);

test('work that stops in time chooses its exit code', async () => {
  const rest = `const stop = takeStopSignals(process, 1e6);
    stop.signal.addEventListener('abort', () => { clearInterval(work); process.exitCode = stop.exitCode(); stop.release(); });`;
  expect(await endOf(rest, (child) => child.kill('SIGTERM'))).toEqual([143, null]);
  expect(await endOf(rest, (child) => child.kill('SIGINT'))).toEqual([130, null]);
});

test('what has settled is given all the time that it takes', async () => {
  const rest = `const stop = takeStopSignals(process, 10);
    stop.settle();
    stop.signal.addEventListener('abort', () => setTimeout(() => process.exit(7), 100));`;
  expect(await endOf(rest, (child) => child.kill('SIGTERM'))).toEqual([7, null]);
});
