import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { publishFile } from '../live/durable-files.ts';
import { type ReadPosition, readPosition } from './read-position.ts';

/** Grows whenever the file is written in another way; a later one is refused. */
const VERSION = 1;
const FILE = 'followed.json';

const followState = z.strictObject({ version: z.literal(VERSION), files: z.array(readPosition) });

/** How far the log files have been read whose entries a database has. */
export type FollowState = readonly ReadPosition[];

/** What a folder of live entries has; null where nothing was followed. Throws a ConfigurationError for a file that cannot be read. */
export async function readFollowState(liveDirectory: string): Promise<FollowState | null> {
  const path = join(liveDirectory, FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new ConfigurationError(`${path}: it cannot be read (${code})`);
  }
  try {
    return followState.parse(JSON.parse(text)).files;
  } catch {
    throw new ConfigurationError(
      `${path}: this version of this program did not write it; use the version that did, or another database file`,
    );
  }
}

/** Replaces it: after a power cut there is the old one or the new one. One call at a time. */
export async function writeFollowState(liveDirectory: string, files: FollowState): Promise<void> {
  await mkdir(liveDirectory, { recursive: true, mode: 0o700 });
  const path = join(liveDirectory, FILE);
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify({ version: VERSION, files }));
  } finally {
    await file.close();
  }
  await publishFile(temporary, path);
}
