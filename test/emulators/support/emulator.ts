import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** An emulator that runs in its own processes. */
export interface Emulator {
  /** `host:port`, as the Google clients read it from the environment. */
  readonly host: string;
  /** Ends all its processes; resolves when they are gone. */
  stop(): Promise<void>;
}

/**
 * Starts a command and resolves when what it prints matches `ready`; rejects with what it printed when it ends
 * before, or is not ready in time. It leads a process group, so that stopping it ends what it started in turn.
 */
export async function startProcess(
  command: string,
  args: readonly string[],
  options: { readonly ready: RegExp; readonly deadlineMs: number; readonly env?: NodeJS.ProcessEnv },
): Promise<{ stop(): Promise<void> }> {
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
  });
  try {
    await printed(child, options.ready, options.deadlineMs);
  } catch (error) {
    await endGroup(child);
    throw error;
  }
  return { stop: () => endGroup(child) };
}

function printed(child: ChildProcess, ready: RegExp, deadlineMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (why: string) => reject(new Error(`${child.spawnargs.join(' ')} ${why}:\n${output}`));
    const timer = setTimeout(() => fail(`is not ready after ${deadlineMs} ms`), deadlineMs);
    const read = (chunk: Buffer) => {
      if (output.length > 100_000) return;
      output += chunk.toString();
      if (!ready.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('error', (error) => fail(String(error)));
    child.on('exit', (code) => {
      clearTimeout(timer);
      fail(`ended with code ${code}`);
    });
  });
}

async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const gone = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  await gone;
}
