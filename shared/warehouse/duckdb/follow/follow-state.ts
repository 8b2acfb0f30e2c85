import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readState, type StateFile, writeState } from '../live/state-file.ts';
import { type ReadPosition, readPosition } from './read-position.ts';

/** Grows whenever the file is written in another way; a later one is refused. */
const VERSION = 1;
const FILE = 'followed.json';

const followState = z.strictObject({ version: z.literal(VERSION), files: z.array(readPosition) });

/** How far the log files have been read whose entries a database has. */
export type FollowState = readonly ReadPosition[];

/** What a folder of live entries has; null where nothing was followed. Throws a ConfigurationError for a file that cannot be read. */
export async function readFollowState(liveDirectory: string): Promise<FollowState | null> {
  return (await readState(stateFile(liveDirectory)))?.files ?? null;
}

/** Replaces it: after a power cut there is the old one or the new one. One call at a time. */
export async function writeFollowState(liveDirectory: string, files: FollowState): Promise<void> {
  await mkdir(liveDirectory, { recursive: true, mode: 0o700 });
  await writeState(stateFile(liveDirectory), JSON.stringify({ version: VERSION, files }));
}

function stateFile(liveDirectory: string): StateFile<z.infer<typeof followState>> {
  return { path: join(liveDirectory, FILE), format: followState, otherwise: 'another database file' };
}
