import * as z from 'zod';
import { type TableShape, tableShape } from './table-shape.ts';

/**
 * What a file of records has. A `shape` says how the batches of a source after it were written; a file has one for each
 * source at most. The texts of a batch are those that `tableInput` reads.
 */
export type EntryRecord =
  | { readonly kind: 'shape'; readonly source: string; readonly shape: TableShape }
  | ({ readonly kind: 'batch' } & EntryBatch);

export interface EntryBatch {
  readonly source: string;
  /** The texts of the entries, joined by commas; empty for none. */
  readonly entries: string;
  /** Those of the entries that have a flat record twice. */
  readonly repeated: string;
  readonly count: number;
}

const header = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('shape'), source: z.string(), shape: tableShape }),
  z.strictObject({
    kind: z.literal('batch'),
    source: z.string(),
    count: z.int().positive(),
    entriesBytes: z.int().nonnegative(),
  }),
]);

const LINE_END = '\n'.charCodeAt(0);

/** The bytes of a record: a line of JSON, and the texts after it. */
export function encodeRecord(record: EntryRecord): Uint8Array {
  if (record.kind === 'shape') return Buffer.from(`${JSON.stringify(record)}\n`);
  const { kind, source, count, entries, repeated } = record;
  const entriesBytes = Buffer.byteLength(entries);
  return Buffer.from(`${JSON.stringify({ kind, source, count, entriesBytes })}\n${entries}${repeated}`);
}

/** Throws for bytes that `encodeRecord` did not make. */
export function decodeRecord(bytes: Buffer): EntryRecord {
  const lineEnd = bytes.indexOf(LINE_END);
  const parsed = header.parse(JSON.parse(bytes.toString('utf8', 0, lineEnd)));
  if (parsed.kind === 'shape') return parsed;
  const { kind, source, count, entriesBytes } = parsed;
  const start = lineEnd + 1;
  const middle = start + entriesBytes;
  return {
    kind,
    source,
    count,
    entries: bytes.toString('utf8', start, middle),
    repeated: bytes.toString('utf8', middle),
  };
}
