import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';

const CHUNK_BYTES = 1024 * 1024;

/** Bytes of a file's content, decompressed: fewer than `length` where it ends before. */
export type ReadContent = (start: number, length: number) => Promise<Buffer>;

/** The content of a file that is not compressed. The handle stays open, and an error of reading it is thrown as it is. */
export function contentOf(handle: FileHandle): ReadContent {
  return async (start, length) => {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await handle.read(bytes, filled, length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  };
}

/** Reads all before `start` to get there. Throws as `decompressed` does, unless enough was found before. */
export function gzipContentOf(path: string): ReadContent {
  return async (start, length) => {
    const parts: Buffer[] = [];
    let missing = length;
    if (missing === 0) return Buffer.alloc(0);
    for await (const chunk of decompressed(path, start)) {
      parts.push(chunk.subarray(0, missing));
      missing -= parts.at(-1)?.length ?? 0;
      if (missing === 0) break;
    }
    return Buffer.concat(parts);
  };
}

/** The content of a gzip file from a byte of it on. Throws what reading and zlib throw: Z_BUF_ERROR for a file that is cut short. */
export async function* decompressed(path: string, from: number): AsyncGenerator<Buffer> {
  const input = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  input.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  let position = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      const start = Math.min(chunk.length, Math.max(0, from - position));
      position += chunk.length;
      if (start < chunk.length) yield chunk.subarray(start);
    }
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}
