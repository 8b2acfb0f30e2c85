import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { FoundFile } from '../loading/source-files.ts';
import { contentMark, NO_CONTENT } from './content-mark.ts';

/**
 * How far a file has been read. A file is known by device and inode, so that it may be renamed; that it is still the same
 * content is known by its first bytes and by those before `offset`.
 */
export const readPosition = z.strictObject({
  source: z.string(),
  /** Where it was last. */
  path: z.string(),
  device: z.string(),
  inode: z.string(),
  /** Identifies the content: a copy of it has the same, and what is written after the file was truncated another. */
  content: z.string(),
  /** Bytes of the content, decompressed, whose entries are durable. */
  offset: z.int().nonnegative(),
  /** Lines that end before `offset`. */
  lines: z.int().nonnegative(),
  /** The first bytes of the content, and the last before `offset`. */
  head: contentMark,
  tail: contentMark,
  /** Whether `offset` is within a line that is too long, the rest of which is passed over. */
  isInLongLine: z.boolean(),
  /** Of a compressed file: what it was when all of it was read. */
  complete: z.strictObject({ bytes: z.int().nonnegative(), modifiedMs: z.number() }).nullable(),
});
/** A place in a followed file, as it is stored between two runs of the service. */
export type ReadPosition = z.infer<typeof readPosition>;

/** Where a file with new content is read from. */
export function startOf({ source, path, device, inode }: FoundFile): ReadPosition {
  return {
    source,
    path,
    device: String(device),
    inode: String(inode),
    content: randomUUID(),
    offset: 0,
    lines: 0,
    head: NO_CONTENT,
    tail: NO_CONTENT,
    isInLongLine: false,
    complete: null,
  };
}

/** What a file of a source is known by. One file may be linked into several sources. */
export function fileKey(
  source: string,
  { device, inode }: { readonly device: bigint | string; readonly inode: bigint | string },
): string {
  return `${source} ${device}:${inode}`;
}
