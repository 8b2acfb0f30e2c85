import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './error-code.ts';
import { currentHolder, isDead, parseHolder } from './lock-holder.ts';

const POLL_MS = 20;
/** Only the owner may read and write. */
const FILE_MODE = 0o600;
/** A guard of a lock is a lock itself, and its holder may die, too. */
const MAX_GUARDS = 2;

/** A lock that this process holds. */
export interface FileLock {
  release(): Promise<void>;
}

/**
 * Takes the lock that a file is, for one holder at a time, in any process. A lock whose holder is dead is taken over, by
 * one of those who wait. Answers null when another holder kept it for `waitMs`; throws the file system's error where the
 * file cannot be made.
 */
export async function takeFileLock(
  path: string,
  waitMs: number,
  guards = MAX_GUARDS,
): Promise<FileLock | null> {
  const text = JSON.stringify(await currentHolder(randomUUID()));
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    if (await create(path, text)) return { release: () => rm(path, { force: true }) };
    const isFreed = guards > 0 && (await removeDead(path, guards));
    if (isFreed) continue;
    if (waitedMs >= waitMs) return null;
    await sleep(POLL_MS);
  }
}

/** Makes the file with its whole text, or answers false because it is there. */
async function create(path: string, text: string): Promise<boolean> {
  const complete = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(complete, text, { flag: 'wx', mode: FILE_MODE });
    await link(complete, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    // Some file systems have no links; a reader may then see an empty file for a moment, and waits.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    return createInPlace(path, text);
  } finally {
    await rm(complete, { force: true });
  }
}

async function createInPlace(path: string, text: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx', FILE_MODE);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the file if its holder is dead; answers whether it did. Of two who saw the same dead holder, the second would
 * remove the lock that the first has made since: whoever removes one holds a guard, and looks again.
 */
async function removeDead(path: string, guards: number): Promise<boolean> {
  if (!(await isHeldByDead(path))) return false;
  const guard = await takeFileLock(`${path}.guard`, 0, guards - 1);
  if (guard === null) return false;
  try {
    if (!(await isHeldByDead(path))) return false;
    await rm(path, { force: true });
    return true;
  } finally {
    await guard.release();
  }
}

async function isHeldByDead(path: string): Promise<boolean> {
  const holder = parseHolder(await readFile(path, 'utf8').catch(() => ''));
  return holder !== null && isDead(holder);
}
