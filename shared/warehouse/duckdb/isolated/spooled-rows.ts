import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { QueryResult, RunOptions } from '../../warehouse.ts';
import { failed } from './query-problems.ts';

/*
 * A query process hands long results over in files: what lies in a pipe between two processes lies in the memory of one of
 * them, whether the service has room for it or not.
 */

/** A result as a query process reports it: with its rows, or with where they are. */
export interface SpooledResult extends QueryResult {
  readonly spooled?: {
    readonly path: string;
    readonly bytes: number;
    /** What the rows take once they are read, in bytes, with the body that is made of them. */
    readonly memoryBytes: number;
  };
}

/** Shorter ones go with the message. */
const SPOOLED_CHARACTERS = 128 * 1024;

/** How much longer than its query a file that is not fetched is kept, in ms. */
const KEPT_MS = 5_000;

const LINE_END = 0x0a;

/**
 * Puts the rows of a long result into a file of `folder`, one a line, for `fetchRows`. A file that was not fetched
 * some seconds after the query's deadline is removed.
 */
export async function spoolRows(
  result: QueryResult,
  folder: string,
  deadlineMs: number,
): Promise<SpooledResult> {
  const length = result.rows.reduce((sum, row) => sum + row.length, 0);
  if (length <= SPOOLED_CHARACTERS) return result;
  const path = join(folder, `rows-${randomUUID()}`);
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  let isAscii = true;
  try {
    // JSON has no line ends outside of strings, and none in them but as escapes.
    for (const row of result.rows) {
      const line = Buffer.from(`${row}\n`);
      isAscii &&= line.length === row.length + 1;
      bytes += line.length;
      await writeWhole(file, line);
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  setTimeout(() => void rm(path, { force: true }), deadlineMs + KEPT_MS).unref();
  const memoryBytes = (isAscii ? 2 : 3) * bytes;
  return { ...result, rows: [], spooled: { path, bytes, memoryBytes } };
}

/**
 * The result with its rows, which are read when there is room for them. The file is opened and removed at once, so that
 * the end of its process takes nothing away. Throws what `grow` throws, or a ServiceError (unavailable) where it is gone.
 */
export async function fetchRows(
  { spooled, ...result }: SpooledResult,
  grow: RunOptions['grow'],
): Promise<QueryResult> {
  if (spooled === undefined) return result;
  const { path, bytes, memoryBytes } = spooled;
  const file = openRemoved(path);
  try {
    // Beside the rows, the whole file is there while it is read.
    await grow?.(memoryBytes + bytes);
    return { ...result, rows: readRows(file, bytes) };
  } finally {
    closeSync(file);
  }
}

function openRemoved(path: string): number {
  try {
    const file = openSync(path, 'r');
    rmSync(path, { force: true });
    return file;
  } catch (error) {
    throw failed(`the rows of a result are gone: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readRows(file: number, bytes: number): readonly string[] {
  const content = Buffer.allocUnsafeSlow(bytes);
  for (let at = 0; at < bytes; ) {
    const count = readSync(file, content, at, bytes - at, at);
    if (count === 0) throw failed('the rows of a result end early');
    at += count;
  }
  const rows: string[] = [];
  for (let start = 0; start < bytes; ) {
    const end = content.indexOf(LINE_END, start);
    rows.push(content.toString('utf8', start, end));
    start = end + 1;
  }
  return rows;
}

async function writeWhole(
  file: { write(buffer: Buffer, offset: number): Promise<{ readonly bytesWritten: number }> },
  line: Buffer,
): Promise<void> {
  for (let at = 0; at < line.length; ) at += (await file.write(line, at)).bytesWritten;
}
