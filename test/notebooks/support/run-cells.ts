import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const DRIVER = join(import.meta.dirname, 'run_cells.py');

/**
 * Runs the cells one after the other in one Python, and answers what each prints. Rejects with the Python's complaint where
 * one fails. Files that cells write are in the folder that `HOME` names.
 */
export async function runCells(
  python: string,
  cells: readonly string[],
  env: { readonly HOME: string; readonly LQE_TOKEN: string },
): Promise<readonly string[]> {
  const child = spawn(join(python, 'bin', 'python'), [DRIVER], {
    cwd: env.HOME,
    env: { PATH: process.env.PATH, ...env },
  });
  child.stdin.end(JSON.stringify(cells));
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as string[];
}
