import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { MAX_ENTRY_BYTES, type RawEntries, type RawEntry } from './raw-entry.ts';
import type { SourceFile } from './source-files.ts';

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The lines of an NDJSON file that are not blank, numbered from 1. `onBytes` receives how much of the file has been
 * read. Throws a ConfigurationError when the file cannot be read, and when a gzip file is damaged or cut short.
 */
export async function* readLines(file: SourceFile, onBytes: (bytes: number) => void): RawEntries {
  const input = createReadStream(file.path, { highWaterMark: CHUNK_BYTES });
  const gunzip = file.format === 'ndjson.gz' ? createGunzip({ chunkSize: CHUNK_BYTES }) : null;
  if (gunzip !== null) input.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  const stream: AsyncIterable<Buffer> = gunzip ?? input;
  const splitter = lineSplitter();
  try {
    for await (const chunk of stream) {
      onBytes(input.bytesRead);
      yield splitter.push(chunk);
    }
  } catch (error) {
    throw new ConfigurationError(`${file.path}: ${readProblem(error)}`);
  } finally {
    input.destroy();
    gunzip?.destroy();
  }
  yield splitter.end();
}

function readProblem(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') return 'the gzip data is cut short; fetch or compress the file again';
  if (typeof code === 'string' && code.startsWith('Z_')) return 'it is not valid gzip data';
  return 'it cannot be read';
}

interface LineSplitter {
  push(chunk: Buffer): readonly RawEntry[];
  end(): readonly RawEntry[];
}

/** Cuts bytes into lines; keeps no more than one line's limit of what is not complete yet. */
function lineSplitter(): LineSplitter {
  let line = 1;
  let rest: Buffer[] = [];
  let restBytes = 0;

  function keep(part: Buffer): void {
    restBytes += part.length;
    if (restBytes <= MAX_ENTRY_BYTES) rest.push(part);
    else rest = [];
  }

  function finish(lastPart: Buffer, into: RawEntry[]): void {
    keep(lastPart);
    addLine(restBytes > MAX_ENTRY_BYTES ? null : Buffer.concat(rest), line, into);
    line += 1;
    rest = [];
    restBytes = 0;
  }

  return {
    push: (chunk) => {
      const entries: RawEntry[] = [];
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        const part = chunk.subarray(start, end);
        if (restBytes > 0 || part.length > MAX_ENTRY_BYTES) finish(part, entries);
        else {
          addLine(part, line, entries);
          line += 1;
        }
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
      return entries;
    },
    end: () => {
      const entries: RawEntry[] = [];
      if (restBytes > 0) finish(Buffer.alloc(0), entries);
      return entries;
    },
  };
}

function addLine(bytes: Buffer | null, line: number, into: RawEntry[]): void {
  if (bytes === null) {
    into.push({ position: line, problem: `it is longer than ${MAX_ENTRY_BYTES / 1024 / 1024} MiB` });
    return;
  }
  if (!isUtf8(bytes)) {
    into.push({ position: line, problem: 'it is not valid UTF-8' });
    return;
  }
  const marked = line === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const text = bytes.toString('utf8', marked ? 3 : 0);
  if (text.trim() !== '') into.push({ position: line, text });
}
