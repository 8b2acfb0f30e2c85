import { join } from 'node:path';
import * as z from 'zod';
import { readState, type StateFile, writeState } from './state-file.ts';
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
  return (await readState(stateFile(directory))) ?? EMPTY;
}

/** Replaces the manifest: after a power cut there is the old one or the new one. */
export async function writeManifest(directory: string, content: Manifest): Promise<void> {
  const text = JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  await writeState(stateFile(directory), text);
}

function stateFile(directory: string): StateFile<Manifest> {
  return { path: join(directory, FILE), format: manifest, otherwise: 'move the folder away' };
}

/** The number of entries in a segment, of all sources together. */
export function rowsOf({ tables }: Segment): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}
