import { isUtf8 } from 'node:buffer';
import { createReadStream, type ReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { ConfigurationError } from '../../../errors/configuration-error.ts';
import { MAX_ENTRY_BYTES, type RawEntries, type RawEntry } from './raw-entry.ts';
import type { FileContent, PinnedFile, SourceFile } from './source-files.ts';

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The lines of an NDJSON file that are not blank, numbered from 1. `onBytes` receives how much of the file has been
 * read, `onContent` at the end what was in it. Throws a ConfigurationError when the file cannot be read, when a gzip file is damaged or
 * cut short, and when a file is not any more what it was pinned to.
 */
export async function* readLines(
  file: SourceFile,
  onBytes: (bytes: number) => void,
  onContent: (content: FileContent) => void = () => {},
): RawEntries {
  const { pinned } = file;
  if (pinned?.upTo === 0) return;
  const input =
    pinned === undefined
      ? createReadStream(file.path, { highWaterMark: CHUNK_BYTES })
      : await openPinned(file.path, pinned);
  const gunzip = file.format === 'ndjson.gz' ? createGunzip({ chunkSize: CHUNK_BYTES }) : null;
  if (gunzip !== null) input.on('error', (error) => gunzip.destroy(error)).pipe(gunzip);
  const stream: AsyncIterable<Buffer> = gunzip ?? input;
  const splitter = lineSplitter();
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      bytes += chunk.length;
      onBytes(input.bytesRead);
      yield splitter.push(chunk);
    }
  } catch (error) {
    throw new ConfigurationError(`${file.path}: ${readProblem(error)}`);
  } finally {
    input.destroy();
    gunzip?.destroy();
  }
  if (pinned?.upTo !== undefined && bytes < pinned.upTo) throw replaced(file.path);
  yield splitter.end();
  onContent({ bytes, lines: splitter.lines() });
}

async function openPinned(path: string, { device, inode, upTo }: PinnedFile): Promise<ReadStream> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path);
  } catch (error) {
    throw new ConfigurationError(`${path}: ${readProblem(error)}`);
  }
  const { dev, ino } = await handle.stat({ bigint: true });
  if (dev === device && ino === inode) {
    return handle.createReadStream({
      highWaterMark: CHUNK_BYTES,
      ...(upTo === undefined ? {} : { start: 0, end: upTo - 1 }),
    });
  }
  await handle.close();
  throw replaced(path);
}

function replaced(path: string): ConfigurationError {
  return new ConfigurationError(`${path}: it was replaced or cut while it was read; start again`);
}

/** Why a file cannot be read, in words that follow its path. */
export function readProblem(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'Z_BUF_ERROR') return 'the gzip data is cut short; fetch or compress the file again';
  if (typeof code === 'string' && code.startsWith('Z_')) return 'it is not valid gzip data';
  return 'it cannot be read';
}

interface LineSplitter {
  push(chunk: Buffer): readonly RawEntry[];
  end(): readonly RawEntry[];
  /** How many lines have been begun. */
  lines(): number;
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
    lines: () => line - 1,
  };
}

function addLine(bytes: Buffer | null, line: number, into: RawEntry[]): void {
  const entry = lineEntry(bytes, line);
  if (entry !== null) into.push(entry);
}

/** A line, numbered from 1, as an entry; null for a blank one. No bytes stand for a line that is too long. */
export function lineEntry(bytes: Buffer | null, line: number): RawEntry | null {
  if (bytes === null) {
    return { position: line, problem: `it is longer than ${MAX_ENTRY_BYTES / 1024 / 1024} MiB` };
  }
  if (!isUtf8(bytes)) return { position: line, problem: 'it is not valid UTF-8' };
  const marked = line === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
  const text = bytes.toString('utf8', marked ? 3 : 0);
  return text.trim() === '' ? null : { position: line, text };
}
