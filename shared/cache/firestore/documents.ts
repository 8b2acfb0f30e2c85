import * as z from 'zod';

/** Bytes of an answer in one document: Firestore takes 1 MiB less the names and the other fields. */
export const CHUNK_BYTES = 1000 * 1024;
/** Bytes of an answer in all, about 30 MiB of rows: one commit is one message, and gRPC takes 4 MiB where no caller asks for more. */
export const MAX_ANSWER_BYTES = 3.5 * 1024 * 1024;
const MAX_CHUNKS = Math.ceil(MAX_ANSWER_BYTES / CHUNK_BYTES) - 1;
const MAX_TTL_SECONDS = 7 * 24 * 60 * 60;

const head = z.object({
  /** Of the write that the document is from. */
  generation: z.string().min(1).max(64),
  /** The first part of the answer. */
  data: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  /** How many further documents hold the rest. */
  chunks: z.int().min(0).max(MAX_CHUNKS),
  computedAtMs: z.number().min(0).max(Number.MAX_SAFE_INTEGER),
  ttlSeconds: z.number().positive().max(MAX_TTL_SECONDS),
});
const chunk = head.pick({ generation: true, data: true });

/** The document that an answer is found by. */
export type StoredHead = z.infer<typeof head>;

/** Reads that document; null where there is none, or where it is not as it is written. */
export function parseHead(data: unknown): StoredHead | null {
  return head.safeParse(data).data ?? null;
}

/** The bytes of an answer from its document and the further ones; null where one is missing or of another write. */
export function joinChunks(first: StoredHead, chunks: readonly unknown[]): Uint8Array | null {
  if (chunks.length === 0) return first.data;
  const parts = [first.data];
  for (const data of chunks) {
    const part = chunk.safeParse(data).data;
    if (part === undefined || part.generation !== first.generation) return null;
    parts.push(part.data);
  }
  return Buffer.concat(parts);
}

/** Cuts bytes into parts of at most so many, in order; no copies are made. */
export function splitBytes(bytes: Uint8Array, partBytes: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / partBytes);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * partBytes, (index + 1) * partBytes),
  );
}
