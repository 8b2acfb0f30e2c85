import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../concurrency/is-alive.ts';
import { ConfigurationError } from '../../../errors/configuration-error.ts';

/** A folder of this process alone. */
export interface TemporaryDirectory {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes a folder in `parent` that only this user can read. It goes away with `remove`, or else when the process exits;
 * of a process that was killed, the next call on the same machine removes it.
 */
export async function makeTemporaryDirectory(parent: string): Promise<TemporaryDirectory> {
  await removeLeftovers(parent);
  const path = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`)).catch(
    (error: NodeJS.ErrnoException) => {
      throw new ConfigurationError(
        `${parent}: no temporary folder can be made in it (${error.code}); free some space or set TMPDIR`,
      );
    },
  );
  const onExit = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', onExit);
  return {
    path,
    remove: async () => {
      process.off('exit', onExit);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Process ids mean something on one machine only, and containers may share a folder: the machine's name is part of it. */
const PREFIX = `lqe-${hostname().replace(/[^A-Za-z0-9.-]/g, '_')}-`;

async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const [, pid] =
      /^(\d+)-[A-Za-z0-9]{6}$/.exec(name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '') ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    // Another user's folder cannot be removed, and need not be.
    await rm(join(parent, name), { recursive: true, force: true }).catch(() => {});
  }
}
