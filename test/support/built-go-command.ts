import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The first build on a machine downloads and compiles everything that the command needs. */
const BUILD_DEADLINE_MS = 30 * 60_000;

/** A command in Go that tests run: a package, built in the folder of a module. */
export interface GoCommand {
  readonly name: string;
  /** The folder of its go.mod. */
  readonly module: string;
  readonly package: string;
  /** The files of the folder that decide what is built. */
  readonly files: readonly string[];
}

/** The path of a command, which is built once for each state of its files and kept in the user's cache. */
export async function builtGoCommand(command: GoCommand): Promise<string> {
  const hash = createHash('sha256');
  for (const file of command.files) hash.update(await readFile(join(command.module, file)));
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const digest = hash.digest('hex').slice(0, 16);
  const folder = join(cache, 'log-query-endpoints', `${command.name}-${digest}`);
  const binary = join(folder, command.name);
  const isBuilt = await access(binary).then(
    () => true,
    () => false,
  );
  if (isBuilt) return binary;
  await mkdir(folder, { recursive: true });
  const unfinished = `${binary}.${process.pid}`;
  await promisify(execFile)('go', ['build', '-o', unfinished, command.package], {
    cwd: command.module,
    timeout: BUILD_DEADLINE_MS,
    maxBuffer: 2 ** 26,
  });
  await rename(unfinished, binary);
  return binary;
}
