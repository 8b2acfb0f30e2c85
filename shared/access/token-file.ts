import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ServiceError } from '../errors/service-error.ts';
import type { AccessToken } from './access-token.ts';
import { errorCode } from './error-code.ts';
import { type FileLock, takeFileLock } from './file-lock.ts';
import { formatTokenRecords, tokenRecords } from './token-record.ts';

const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Only the owner may read and write: digests cannot be turned back, but names and limits are private. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const LOCK_WAIT_MS = 5_000;

/**
 * The tokens in a file; none when there is no such file. Throws a ServiceError (invalid_argument) that names the
 * file and what is wrong with it.
 */
export async function readTokenFile(path: string): Promise<readonly AccessToken[]> {
  const text = await readText(path);
  if (text === null) return [];
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw fault(path, 'it is not JSON', cause);
  }
  const parsed = tokenRecords.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw fault(path, place + (issue?.message ?? 'it has another form'), parsed.error);
}

/**
 * Replaces the file's tokens by what `change` makes of them, for one caller at a time, in any process: whoever
 * comes second sees what the first wrote. The file is replaced at once and as a whole, so no reader meets half
 * of it, not even after a crash. Nothing is written when `change` throws or answers null.
 *
 * Throws a ServiceError: what `readTokenFile` throws, or unavailable when the file cannot be written or another
 * process holds `<path>.lock` for longer than `lockWaitMs`; that of a process which has died is taken over.
 */
export async function updateTokenFile(
  path: string,
  change: (tokens: readonly AccessToken[]) => readonly AccessToken[] | null,
  lockWaitMs: number = LOCK_WAIT_MS,
): Promise<void> {
  const lock = `${path}.lock`;
  await makeFolder(path);
  const held = await takeLock(path, lock, lockWaitMs);
  try {
    const changed = change(await readTokenFile(path));
    if (changed !== null) await replaceFile(path, formatTokenRecords(changed));
  } finally {
    await held.release();
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

async function takeLock(path: string, lock: string, waitMs: number): Promise<FileLock> {
  const taken = await takeFileLock(lock, waitMs).catch((cause: unknown) => {
    throw unwritable(path, cause);
  });
  if (taken !== null) return taken;
  throw new ServiceError(
    'unavailable',
    `Another process is changing ${path}; try again, or delete ${lock} if none is.`,
  );
}

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const handle = await open(temporary, 'wx', FILE_MODE);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
    await syncFolder(dirname(path));
  } catch (cause) {
    await rm(temporary, { force: true });
    throw unwritable(path, cause);
  }
}

/** Makes the new name last through a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    if ((await stat(path)).size > MAX_FILE_BYTES)
      throw fault(path, `it is larger than ${MAX_FILE_BYTES} bytes`);
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return null;
    throw cause instanceof ServiceError
      ? cause
      : fault(path, `it cannot be read (${errorCode(cause) ?? 'for an unknown reason'})`, cause);
  }
}

function fault(path: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'invalid_argument',
    `The file of access tokens ${path} cannot be used: ${reason}.`,
    { cause },
  );
}

function unwritable(path: string, cause: unknown): ServiceError {
  return new ServiceError(
    'unavailable',
    `The file of access tokens ${path} cannot be written (${errorCode(cause) ?? 'for an unknown reason'}).`,
    {
      cause,
    },
  );
}
