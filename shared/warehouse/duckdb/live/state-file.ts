import { open, readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { publishFile } from './durable-files.ts';

/** A file of JSON in the folder of live entries that is read at the start and replaced as a whole. */
export interface StateFile<T> {
  readonly path: string;
  readonly format: z.ZodType<T>;
  /** What to do about a file that another version wrote, in words that follow "use the version that did, or". */
  readonly otherwise: string;
}

/** What the file has; null where there is none. Throws a ConfigurationError for one that cannot be read. */
export async function readState<T>({ path, format, otherwise }: StateFile<T>): Promise<T | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new ConfigurationError(`${path}: it cannot be read (${code})`);
  }
  try {
    return format.parse(JSON.parse(text));
  } catch {
    throw new ConfigurationError(
      `${path}: this version of this program did not write it; use the version that did, or ${otherwise}`,
    );
  }
}

/** Replaces the file: after a power cut there is the old one or the new one. One call at a time. */
export async function writeState<T>({ path }: StateFile<T>, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
  await publishFile(temporary, path);
}
