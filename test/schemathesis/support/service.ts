import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** The service's clock, so that each run has the same demo logs. */
const NOW = '2026-01-31T12:10:00Z';

/** The service in its own process. */
export interface RunningService {
  readonly url: string;
  readonly token: string;
  stop(): Promise<void>;
}

/** Starts the service as `npm start` does, with its demo logs, on a free port. */
export async function startService(folder: string): Promise<RunningService> {
  const token = 'token-of-the-schemathesis-run';
  const child = spawn('npm', ['start', '--silent', '--', '--port', '0', '--now', NOW], {
    cwd: ROOT,
    env: {
      ...process.env,
      LQE_TOKEN: token,
      LQE_TOKENS: join(folder, 'tokens.json'),
      LQE_MEMORY_LIMIT: '512',
      LQE_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A separate group, so that what npm starts ends with it.
    detached: true,
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  };
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^Listening on (http:\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    // What follows is shown, so that a 500 has its reason beside it.
    child.stdout.pipe(process.stdout);
    return { url, token, stop };
  }
  throw new Error('the service ended before it listened');
}
