import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { publishFile } from './durable-files.ts';
import { tableShape } from './table-shape.ts';

/** Grows whenever the files are written in another way; a manifest of a later version is refused. */
const VERSION = 2;
const FILE = 'manifest.json';

const micros = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt);
const segmentTable = z.strictObject({
  source: z.string(),
  shape: tableShape,
  /** Entries in the source's table, and how many of them are in the one beside it too; a table without entries is not there. */
  rows: z.int().nonnegative(),
  repeatedRows: z.int().nonnegative(),
  firstMicros: micros,
  lastMicros: micros,
});
const segment = z.strictObject({
  file: z.string().regex(/^segment-\d+\.db$/),
  tables: z.array(segmentTable),
});
const manifest = z.strictObject({
  version: z.literal(VERSION),
  /** All files of records up to this number are in segments. */
  sealedRecords: z.int().nonnegative(),
  segments: z.array(segment),
});

/** A source's entries in a segment. */
export type SegmentTable = z.infer<typeof segmentTable>;
/** A DuckDB file with entries, sorted by time. It does not change. */
export type Segment = z.infer<typeof segment>;
/** What a folder of live entries holds, besides files of records that are not in segments yet. */
export type Manifest = z.infer<typeof manifest>;

const EMPTY: Manifest = { version: VERSION, sealedRecords: 0, segments: [] };

/** The manifest of a folder; an empty one where there is none yet. Throws a ConfigurationError for one that cannot be read. */
export async function readManifest(directory: string): Promise<Manifest> {
  const path = join(directory, FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY;
    throw new ConfigurationError(`${path}: it cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    throw new ConfigurationError(
      `${path}: this version of this program did not write it; use the version that did, or move the folder away`,
    );
  }
}

/** Replaces the manifest: after a power cut there is the old one or the new one. */
export async function writeManifest(directory: string, content: Manifest): Promise<void> {
  const path = join(directory, FILE);
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(
      JSON.stringify(content, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    );
  } finally {
    await file.close();
  }
  await publishFile(temporary, path);
}

export function rowsOf({ tables }: Segment): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}
