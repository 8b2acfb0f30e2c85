import { readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { ATTACHED } from '../store/open-store.ts';
import { decodeRecord, type EntryRecord } from './entry-records.ts';
import { recordPath } from './live-view.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { readRecords } from './record-file.ts';
import type { TableShape } from './table-shape.ts';

/** A file of records that is in no segment. */
export interface RecoveredFile {
  readonly file: number;
  readonly bytes: number;
  readonly tables: ReadonlyMap<string, { readonly shape: TableShape; readonly hasRepeated: boolean }>;
}

/** What a folder of live entries holds at start. */
export interface Recovered {
  readonly manifest: Manifest;
  readonly files: readonly RecoveredFile[];
  /** The greatest number that any file has. */
  readonly lastFile: number;
}

const RECORDS = /^records-(\d+)\.log$/;
const SEGMENT = /^segment-(\d+)\.db/;

/**
 * Reads what a folder holds, however the process that wrote it ended, and removes what no one needs. Where the end of a file of
 * records is damaged, as a write that was under way leaves it, it is cut off. Throws a ConfigurationError.
 */
export async function recoverFiles(directory: string, warn: (message: string) => void): Promise<Recovered> {
  const manifest = await readManifest(directory);
  await rm(join(directory, ATTACHED), { recursive: true, force: true });
  const names = await namesIn(directory);
  const named = new Set(manifest.segments.map(({ file }) => file));
  const missing = [...named].find((file) => !names.includes(file));
  if (missing !== undefined) {
    throw new ConfigurationError(
      `${join(directory, missing)}: it is missing, and the entries in it; put it back, or move the folder away`,
    );
  }
  let lastFile = manifest.sealedRecords;
  const files: RecoveredFile[] = [];
  for (const name of names) {
    const number = Number((RECORDS.exec(name) ?? SEGMENT.exec(name))?.[1] ?? 0);
    lastFile = Math.max(lastFile, number);
    const isStale = SEGMENT.test(name)
      ? !named.has(name)
      : RECORDS.test(name) && number <= manifest.sealedRecords;
    if (isStale) await rm(join(directory, name), { force: true });
    else if (RECORDS.test(name)) {
      const recovered = await recoverRecords(directory, number, warn);
      if (recovered.tables.size > 0) files.push(recovered);
      else await rm(join(directory, name), { force: true });
    }
  }
  return { manifest, files: files.sort((a, b) => a.file - b.file), lastFile };
}

async function recoverRecords(
  directory: string,
  file: number,
  warn: (message: string) => void,
): Promise<RecoveredFile> {
  const path = recordPath(directory, file);
  const { records, end, size } = await readRecords(path);
  if (size > end.offset) {
    warn(`${path}: ${size - end.offset} bytes at its end are not complete entries, and were left out`);
    await truncate(path, end.offset);
  }
  const tables = new Map<string, { shape: TableShape; hasRepeated: boolean }>();
  for (const bytes of records) {
    const record = decoded(path, bytes);
    const known = tables.get(record.source);
    if (record.kind === 'shape')
      tables.set(record.source, { shape: record.shape, hasRepeated: known?.hasRepeated ?? false });
    else if (known !== undefined && record.repeated !== null)
      tables.set(record.source, { ...known, hasRepeated: true });
  }
  return { file, bytes: end.offset, tables };
}

function decoded(path: string, bytes: Buffer): EntryRecord {
  try {
    return decodeRecord(bytes);
  } catch {
    throw new ConfigurationError(
      `${path}: this version of this program did not write it; use the version that did, or move the folder away`,
    );
  }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new ConfigurationError(`${directory}: it cannot be read (${code})`);
  }
}
