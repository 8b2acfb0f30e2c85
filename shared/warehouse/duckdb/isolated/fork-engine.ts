import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** How a process that runs an engine is started. */
export interface EngineFork {
  /** The file that it runs. */
  readonly entry: string;
  /** Where compiled code is kept: what the first process compiles, the next need not. */
  readonly temporaryParent: string;
  readonly stderr: 'ignore' | 'pipe';
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a process with an IPC channel, and with nothing of the service's environment, where tokens may be. */
export function forkEngine({ entry, temporaryParent, stderr, env = {} }: EngineFork): ChildProcess {
  return fork(entry, [], {
    serialization: 'advanced',
    execArgv: [],
    env: { ...env, NODE_COMPILE_CACHE: join(temporaryParent, 'compiled') },
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
  });
}
