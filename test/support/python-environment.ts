import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The folder of a Python with the packages that a file of requirements pins, all that they need included. It is made once
 * for each name and content of the file.
 */
export async function pythonEnvironment(name: string, requirements: string): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'log-query-endpoints', `${name}-${digest.slice(0, 16)}`);
  // Written last: without it the folder is what an interrupted run has left.
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  process.stdout.write(`Installing the Python packages of ${name} …\n`);
  await rm(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--no-deps', '-r', requirements]);
  await writeFile(complete, '');
  return folder;
}
