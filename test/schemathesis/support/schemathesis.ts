import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { RunningService } from './service.ts';

/** Far more than a run takes. */
const TIMEOUT_MS = 10 * 60 * 1000;

const HERE = join(import.meta.dirname, '..');

/** Runs all checks on every operation; resolves to the exit code, 0 for no finding. What it keeps goes to `folder`. */
export async function runSchemathesis(
  python: string,
  folder: string,
  { url, token }: RunningService,
  options: readonly string[],
): Promise<number> {
  const config = ['--config-file', join(HERE, 'schemathesis.toml')];
  // One worker: Python 3.11 can fail to parse its own source when two do so at once.
  const fixed = [
    '--workers',
    '1',
    '--continue-on-failure',
    '--report',
    'json',
    '--header',
    `X-API-KEY: ${token}`,
  ];
  const args = [...config, 'run', `${url}/openapi.json`, ...fixed, ...options];
  const child = spawn(join(python, 'bin', 'st'), args, {
    cwd: folder,
    env: { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: HERE, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: TIMEOUT_MS,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
