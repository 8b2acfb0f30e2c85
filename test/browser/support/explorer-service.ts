import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NOW = '2026-01-31T12:00:00Z';

/** A service on its demo logs. */
export interface ExplorerService {
  /** With a slash at its end. */
  readonly url: string;
  /** The explorer's address as it was printed. */
  readonly link: string;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** Starts `lqe start` on a free port of the loopback address. */
export async function startExplorer(
  environment: Readonly<Record<string, string>> = {},
): Promise<ExplorerService> {
  const folder = await mkdtemp(join(tmpdir(), 'explorer-'));
  const child = spawn(process.execPath, ['--max-http-header-size=65536', 'cli/lqe.ts', 'start'], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      LQE_PORT: '0',
      LQE_HOST: '127.0.0.1',
      LQE_TOKENS: join(folder, 'tokens.json'),
      LQE_NOW: NOW,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const text = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${printed}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      if (printed.includes('Ctrl-C')) resolve(printed);
    });
  });
  const [, url = ''] = /Listening on (http:\S+)/.exec(text) ?? [];
  const [, link = ''] = /^Explorer: (\S+)$/m.exec(text) ?? [];
  return {
    url: `${url}/`,
    link,
    pid: child.pid,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
