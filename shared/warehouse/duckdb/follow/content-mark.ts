import { createHash } from 'node:crypto';
import * as z from 'zod';

/** Some bytes of a file, to know them again: how many they were, and a digest of them. */
export const contentMark = z.strictObject({
  length: z.int().nonnegative(),
  digest: z.string(),
});
/** The mark of some bytes: their number, and the first hexadecimal digits of their SHA-256 digest. */
export type ContentMark = z.infer<typeof contentMark>;

/** The most bytes that a mark is made of: enough for a line with a time in it. */
export const MARK_BYTES = 1024;

const DIGEST_CHARS = 32;

/** The mark of some bytes, by which `hasMark` knows them again. */
export function markOf(bytes: Uint8Array): ContentMark {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, DIGEST_CHARS);
  return { length: bytes.length, digest };
}

export const NO_CONTENT: ContentMark = markOf(new Uint8Array());

/** Whether the bytes are those that the mark was made of. */
export function hasMark(bytes: Uint8Array, mark: ContentMark): boolean {
  return bytes.length === mark.length && markOf(bytes).digest === mark.digest;
}
