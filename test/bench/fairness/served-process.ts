import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileTokenRegistry } from '../../../shared/access/file-token-registry.ts';
import { issueToken } from '../../../shared/access/issue-token.ts';
import { NO_LIMITS } from '../../../shared/access/token-limits.ts';

/** A service in its own process, as it is deployed. */
export interface ServedProcess {
  readonly port: number;
  /** A separate token for each name. */
  readonly tokens: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

const FILE = fileURLToPath(new URL('../../emulators/service/support/service-process.ts', import.meta.url));

/** Starts a service that the environment describes, with tokens for callers of these names. */
export async function startServedProcess(
  names: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ServedProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'lqe-bench-fairness-'));
  const file = join(folder, 'tokens.json');
  const registry = fileTokenRegistry(file);
  const tokens = new Map<string, string>();
  for (const name of names) {
    const { token, record } = issueToken(
      { name, endpoints: null, projects: null, expiresAtMs: null, limits: NO_LIMITS },
      Date.now(),
    );
    await registry.add(record);
    tokens.set(name, token);
  }
  const child = fork(FILE, [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, LQE_TOKENS: file, LQE_LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const port = await portOf(child);
  return {
    port,
    tokens,
    close: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  const ending = new AbortController();
  const { signal } = ending;
  const died = once(child, 'exit', { signal }).then(() => {
    throw new Error('the service did not start');
  });
  try {
    const [port] = (await Promise.race([once(child, 'message', { signal }), died])) as [number];
    return port;
  } finally {
    died.catch(() => {});
    ending.abort();
  }
}
