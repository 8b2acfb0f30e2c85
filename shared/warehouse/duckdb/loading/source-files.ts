import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../../../errors/configuration-error.ts';

/** A file of a source's entries. */
export interface SourceFile {
  readonly path: string;
  readonly format: 'ndjson' | 'ndjson.gz' | 'parquet';
  readonly bytes: number;
}

const FORMATS = ['ndjson.gz', 'ndjson', 'parquet'] as const;
const ACCEPTED = '.ndjson, .ndjson.gz and .parquet';
/** More edits than this and a name is not a slip of the other. */
const MAX_EDITS = 3;

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
  const found = new Map<string, SourceFile[]>(sources.map((source) => [source, []]));
  for (const name of await listFolder(directory)) {
    const path = join(directory, name);
    const { kind, bytes } = await inspect(path);
    const isFolder = kind === 'folder';
    const format = isFolder ? undefined : formatOf(name);
    const source = format === undefined ? name : name.slice(0, -format.length - 1);
    const files = found.get(source);
    if (files !== undefined && isFolder) files.push(...(await filesInFolder(path)));
    else if (files !== undefined && format !== undefined)
      files.push({ path: regular(path, kind), format, bytes });
    else warn(`${path} is not loaded: ${whyUnknown(name, sources)}`);
  }
  return found;
}

async function filesInFolder(folder: string): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  for (const name of await listFolder(folder)) {
    const path = join(folder, name);
    const { kind, bytes } = await inspect(path);
    const format = kind === 'folder' ? undefined : formatOf(name);
    if (format === undefined) {
      throw new ConfigurationError(
        `${path}: only ${ACCEPTED} files can lie in a source's folder; move or rename it`,
      );
    }
    files.push({ path: regular(path, kind), format, bytes });
  }
  return files;
}

function formatOf(name: string): SourceFile['format'] | undefined {
  return FORMATS.find((format) => name.endsWith(`.${format}`));
}

/** Names in one order on every machine: files before the folder of the same source, else by code unit. */
async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.'));
    return names.sort((a, b) => (a < b ? -1 : 1));
  } catch {
    throw new ConfigurationError(`${folder}: there is no such folder that can be read`);
  }
}

type Kind = 'folder' | 'file' | 'other';

async function inspect(path: string): Promise<{ readonly kind: Kind; readonly bytes: number }> {
  try {
    const found = await stat(path);
    return { kind: found.isDirectory() ? 'folder' : found.isFile() ? 'file' : 'other', bytes: found.size };
  } catch {
    throw new ConfigurationError(`${path}: it cannot be read`);
  }
}

/** Reading from a pipe or a device may never end, and nothing can stop it. */
function regular(path: string, kind: Kind): string {
  if (kind === 'file') return path;
  throw new ConfigurationError(
    `${path}: it is no regular file but a pipe, a socket or a device; write its entries into a file first`,
  );
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
