import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigurationError } from '../../shared/errors/configuration-error.ts';

/** A file to be written; a new one must not be there, another one takes the place of what is there. */
export interface PlannedFile {
  readonly path: string;
  readonly text: string;
  readonly isNew: boolean;
}

/** Writes all of the files or, with a ConfigurationError, none. */
export async function writeFiles(files: readonly PlannedFile[]): Promise<void> {
  const made: string[] = [];
  const waiting: { readonly from: string; readonly to: string }[] = [];
  try {
    for (const { path, text, isNew } of files) {
      const target = isNew ? path : `${path}.new`;
      const folder = await mkdir(dirname(path), { recursive: true });
      if (folder !== undefined) made.push(folder);
      await writeFile(target, text, { flag: 'wx' });
      made.push(target);
      if (!isNew) waiting.push({ from: target, to: path });
    }
    for (const { from, to } of waiting) await rename(from, to);
  } catch (error) {
    for (const path of made.reverse()) await rm(path, { recursive: true, force: true });
    const { code, path = 'the folder' } = error as NodeJS.ErrnoException;
    throw new ConfigurationError(
      code === 'EEXIST'
        ? `${path}: it exists already; choose another name, or remove it`
        : `${path}: it cannot be written (${code ?? 'for an unknown reason'}); nothing was`,
    );
  }
}
