import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const TOKEN = 'lqe_token-of-the-browser-suites';
const NOW = '2026-01-31T12:00:00Z';

/** Starts the service on its demo logs, as a person would, and tells the suites where it is. */
// biome-ignore lint/style/noDefaultExport: Jest calls the default export of a global setup
export default async function startService(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'explorer-'));
  const child = spawn(process.execPath, ['--max-http-header-size=65536', 'cli/lqe.ts', 'start'], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      LQE_PORT: '0',
      LQE_HOST: '127.0.0.1',
      LQE_TOKEN: TOKEN,
      LQE_TOKENS: join(folder, 'tokens.json'),
      LQE_NOW: NOW,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.env.EXPLORER_PID = String(child.pid);
  process.env.EXPLORER_URL = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${text}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const url = /Listening on (http:\S+)/.exec(text)?.[1];
      if (url !== undefined) resolve(`${url}/`);
    });
  });
}
