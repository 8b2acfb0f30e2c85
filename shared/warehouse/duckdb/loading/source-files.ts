import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../../../errors/configuration-error.ts';

/** A file of a source's entries. */
export interface SourceFile {
  readonly path: string;
  readonly format: 'ndjson' | 'ndjson.gz' | 'parquet';
  readonly bytes: number;
  /** What it has to be when it is read; without it, whatever is at the path then. */
  readonly pinned?: PinnedFile;
}

/** A file that may grow, be renamed or cut while it is read. */
export interface PinnedFile extends Pick<FileIdentity, 'device' | 'inode'> {
  /** Nothing is read from this byte on; all is read without it. */
  readonly upTo?: number;
}

/** What was read of a file, after decompression. */
export interface FileContent {
  readonly bytes: number;
  readonly lines: number;
}

const FORMATS = ['ndjson.gz', 'ndjson', 'parquet'] as const;
const ACCEPTED = '.ndjson, .ndjson.gz and .parquet';
/** More edits than this and a name is not a slip of the other. */
const MAX_EDITS = 3;

/** What identifies a file on this machine, and shows that it has changed. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** A file of a source's entries, as it was found. */
export interface FoundFile extends SourceFile, FileIdentity {
  readonly source: string;
}

/** Something in a folder of logs that is not loaded. */
export interface FolderFault {
  readonly path: string;
  readonly message: string;
  /** Whether it ends a load; else it is only named. */
  readonly isFatal: boolean;
  /** The regular file that has a name of no source; null for all else. */
  readonly file: FileIdentity | null;
}

/** The log files of a folder, and what in it is not loaded. */
export interface FolderListing {
  /** In the order they are loaded. */
  readonly files: readonly FoundFile[];
  readonly faults: readonly FolderFault[];
}

/**
 * The files of each source in the order they are loaded: `<source>.ndjson`, `.ndjson.gz`, `.parquet`, then those
 * in the folder `<source>/` by name. What belongs to no source is named in a warning; hidden files are passed
 * over. Throws a ConfigurationError for a missing folder and for a file in a source's folder that cannot be read.
 */
export async function findSourceFiles(
  directory: string,
  sources: readonly string[],
  warn: (message: string) => void,
): Promise<ReadonlyMap<string, readonly SourceFile[]>> {
  const { files, faults } = await listLogFolder(directory, sources);
  for (const { message, isFatal } of faults) {
    if (isFatal) throw new ConfigurationError(message);
    warn(message);
  }
  return bySource(files, sources);
}

/** Files by their source, every source included. */
export function bySource<File extends { readonly source: string }>(
  files: readonly File[],
  sources: readonly string[],
): ReadonlyMap<string, readonly File[]> {
  const found = new Map<string, File[]>(sources.map((source) => [source, []]));
  for (const file of files) found.get(file.source)?.push(file);
  return found;
}

/** The same files with what identifies them, and everything that keeps others from being loaded. Never throws. */
export async function listLogFolder(directory: string, sources: readonly string[]): Promise<FolderListing> {
  const known = new Set(sources);
  const files: FoundFile[] = [];
  const faults: FolderFault[] = [];
  for (const one of await inspectFolder(directory, faults)) {
    const { name, path, kind } = one;
    const isFolder = kind === 'folder';
    const format = isFolder ? undefined : formatOf(name);
    const source = format === undefined ? name : name.slice(0, -format.length - 1);
    if (!known.has(source) || (format === undefined && !isFolder)) {
      const message = `${path} is not loaded: ${whyUnknown(name, sources)}`;
      faults.push({ path, message, isFatal: false, file: kind === 'file' ? one : null });
    } else if (format !== undefined) addRegular(one, { source, format }, files, faults);
    else await listSourceFolder(path, source, files, faults);
  }
  return { files, faults };
}

async function listSourceFolder(
  folder: string,
  source: string,
  files: FoundFile[],
  faults: FolderFault[],
): Promise<void> {
  for (const one of await inspectFolder(folder, faults)) {
    const { name, path, kind } = one;
    const format = kind === 'folder' ? undefined : formatOf(name);
    if (format === undefined) {
      const message = `${path}: only ${ACCEPTED} files can lie in a source's folder; move or rename it`;
      faults.push({ path, message, isFatal: true, file: kind === 'file' ? one : null });
    } else addRegular(one, { source, format }, files, faults);
  }
}

/** Reading from a pipe or a device may never end, and nothing can stop it. */
function addRegular(
  one: Inspected,
  { source, format }: Pick<FoundFile, 'source' | 'format'>,
  files: FoundFile[],
  faults: FolderFault[],
): void {
  const { path, kind, device, inode, bytes, modifiedMs } = one;
  if (kind === 'file') files.push({ source, path, format, device, inode, bytes, modifiedMs });
  else {
    const message = `${path}: it is no regular file but a pipe, a socket or a device; write its entries into a file first`;
    faults.push({ path, message, isFatal: true, file: null });
  }
}

interface Inspected extends FileIdentity {
  readonly name: string;
  readonly path: string;
  readonly kind: 'folder' | 'file' | 'other';
}

/** Names in one order on every machine: files before the folder of the same source, else by code unit. */
async function inspectFolder(folder: string, faults: FolderFault[]): Promise<readonly Inspected[]> {
  const fatal = (path: string, message: string) =>
    faults.push({ path, message: `${path}: ${message}`, isFatal: true, file: null });
  let names: string[];
  try {
    names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
  } catch {
    fatal(folder, 'there is no such folder that can be read');
    return [];
  }
  const inspected: Inspected[] = [];
  for (const name of names.sort((a, b) => (a < b ? -1 : 1))) {
    const path = join(folder, name);
    try {
      const found = await stat(path, { bigint: true });
      const kind = found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other';
      const { dev: device, ino: inode } = found;
      inspected.push({
        ...{ name, path, kind, device, inode },
        bytes: Number(found.size),
        modifiedMs: Number(found.mtimeMs),
      });
    } catch {
      fatal(path, 'it cannot be read');
    }
  }
  return inspected;
}

function formatOf(name: string): SourceFile['format'] | undefined {
  return FORMATS.find((format) => name.endsWith(`.${format}`));
}

function whyUnknown(name: string, sources: readonly string[]): string {
  const stem = name.split('.', 1)[0] ?? name;
  if (sources.includes(stem)) return `only ${ACCEPTED} files can be loaded`;
  const nearest = nearestName(stem, sources);
  return nearest === null ? 'no source has this name' : `no source has this name; did you mean ${nearest}?`;
}

function nearestName(name: string, candidates: readonly string[]): string | null {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: editDistance(name.toLowerCase(), candidate) }))
    .sort((a, b) => a.edits - b.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= MAX_EDITS ? best.candidate : null;
}

/** Levenshtein's distance. File names are at most 255 characters, so this stays small. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
