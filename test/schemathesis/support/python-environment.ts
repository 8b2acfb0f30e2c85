import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const REQUIREMENTS = join(import.meta.dirname, '..', 'requirements.txt');

const run = promisify(execFile);

/** The folder of a Python with what requirements.txt pins. It is made once for each content of that file. */
export async function pythonEnvironment(): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex');
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'log-query-endpoints', `schemathesis-${digest.slice(0, 16)}`);
  // Written last: without it the folder is what an interrupted run has left.
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return folder;
  process.stdout.write('Installing schemathesis …\n');
  await rm(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', '--no-deps', '-r', REQUIREMENTS]);
  await writeFile(complete, '');
  return folder;
}
