import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { SavedFile } from './parse-saved-query.ts';
import { SAVED_LIMITS } from './saved-query.ts';

/** What a folder holds: the files that can be read, and a line for each thing that cannot. */
export interface SavedFolder {
  readonly files: readonly SavedFile[];
  /** Each names the file, or the folder. */
  readonly faults: readonly string[];
}

const EXTENSIONS = ['.sql', '.lql'];

/** The names of the folder's queries in alphabetical order; subfolders, hidden files and other kinds of files are left alone. */
async function queryFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .filter((name) => EXTENSIONS.includes(extname(name)))
    .sort();
}

/**
 * What distinguishes this state of a folder from a later one: the names, sizes and times of its files. Null where the
 * folder cannot be read.
 */
export async function folderState(directory: string): Promise<string | null> {
  try {
    const names = (await queryFiles(directory)).slice(0, SAVED_LIMITS.files + 1);
    const states = await Promise.all(names.map((name) => fileState(join(directory, name))));
    return JSON.stringify([names, states]);
  } catch {
    return null;
  }
}

/** Of a link also where it leads, since mounted settings change by that. */
async function fileState(path: string): Promise<readonly unknown[]> {
  try {
    const target = await realpath(path);
    const { mtimeMs, ctimeMs, size, ino } = await lstat(target);
    return [target, mtimeMs, ctimeMs, size, ino];
  } catch (error) {
    return [(error as NodeJS.ErrnoException).code];
  }
}

/** Reads the queries of a folder, within its limits and nothing outside it. */
export async function readSavedFolder(directory: string): Promise<SavedFolder> {
  try {
    const root = await realpath(directory);
    return await readFiles(directory, root, await queryFiles(root));
  } catch (error) {
    return { files: [], faults: [`${directory}: the folder cannot be read (${codeOf(error)})`] };
  }
}

async function readFiles(directory: string, root: string, names: readonly string[]): Promise<SavedFolder> {
  const files: SavedFile[] = [];
  const faults: string[] = [];
  if (names.length > SAVED_LIMITS.files) {
    faults.push(
      `${directory}: there are ${names.length} queries; at most ${SAVED_LIMITS.files} are served, the first by name`,
    );
  }
  let bytes = 0;
  for (const name of names.slice(0, SAVED_LIMITS.files)) {
    const path = join(directory, name);
    const content = await readWithin(root, name);
    if (typeof content === 'string') {
      faults.push(`${path}: ${content}`);
      continue;
    }
    bytes += content.length;
    if (bytes > SAVED_LIMITS.totalBytes) {
      faults.push(`${path}: all queries together have more than ${SAVED_LIMITS.totalBytes} bytes`);
      break;
    }
    const text = decode(content);
    if (text === null) faults.push(`${path}: the file is not UTF-8 text`);
    else files.push({ file: name, text });
  }
  return { files, faults };
}

/** The content of a file, or why it is not read. A link may lead to a file of the folder, as those of mounted settings do. */
async function readWithin(root: string, name: string): Promise<Buffer | string> {
  try {
    const path = await realpath(join(root, name));
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) {
      return 'it is a link to a file outside the folder; put the file itself there';
    }
    // Opening a pipe would wait for its writer.
    if (!(await lstat(path)).isFile()) return 'it is no regular file';
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(SAVED_LIMITS.fileBytes + 1) });
      if (bytesRead > SAVED_LIMITS.fileBytes) return `the file has more than ${SAVED_LIMITS.fileBytes} bytes`;
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    return `the file cannot be read (${codeOf(error)})`;
  }
}

function decode(content: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}
