import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Where reading a file of records goes on. The checksum of each record continues that of the one before it. */
export interface RecordPosition {
  readonly offset: number;
  readonly checksum: number;
}

export const FILE_START: RecordPosition = { offset: 0, checksum: 0 };

/** Before each record: its length and its checksum, four bytes each, the lowest first. */
const HEADER_BYTES = 8;
/** A longer record cannot have been written: the length itself is damaged. */
export const MAX_RECORD_BYTES = 256 * 1024 * 1024;

/** The whole records that were read from a file, and where they end. */
export interface ReadRecords {
  readonly records: readonly Buffer[];
  /** The place after the last whole record. */
  readonly end: RecordPosition;
  /** The size of the file, in bytes. */
  readonly size: number;
}

/**
 * So few bytes are read at once, from the system's cache as a rule: a query that waits for them takes four turns of the event
 * loop less, and beside a writer each may take longer than to read them. Some batches of a thousand entries are that many.
 */
const READ_AT_ONCE_BYTES = 4 * 1024 * 1024;

/**
 * Reads the whole records from a position on, up to `upTo` bytes from the start of the file. What follows a record that is
 * cut off or damaged is left out.
 */
export async function readRecords(
  path: string,
  from: RecordPosition = FILE_START,
  upTo = Number.POSITIVE_INFINITY,
): Promise<ReadRecords> {
  const isShort = upTo - from.offset <= READ_AT_ONCE_BYTES;
  const { bytes, size } = isShort ? readAtOnce(path, from.offset, upTo) : await read(path, from.offset, upTo);
  return { ...splitRecords(bytes, from), size };
}

interface ReadBytes {
  readonly bytes: Buffer;
  readonly size: number;
}

async function read(path: string, from: number, upTo: number): Promise<ReadBytes> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(size, upTo) - from));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: bytes.subarray(0, filled), size };
  } finally {
    await file.close();
  }
}

function readAtOnce(path: string, from: number, upTo: number): ReadBytes {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(size, upTo) - from));
    let filled = 0;
    while (filled < bytes.length) {
      const bytesRead = readSync(file, bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { bytes: bytes.subarray(0, filled), size };
  } finally {
    closeSync(file);
  }
}

function splitRecords(bytes: Buffer, from: RecordPosition): Omit<ReadRecords, 'size'> {
  const records: Buffer[] = [];
  let { checksum } = from;
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(at);
    const start = at + HEADER_BYTES;
    if (length === 0 || length > MAX_RECORD_BYTES || start + length > bytes.length) break;
    const record = bytes.subarray(start, start + length);
    const expected = crc32(record, checksum);
    if (bytes.readUInt32LE(at + 4) !== expected) break;
    records.push(record);
    checksum = expected;
    at = start + length;
  }
  return { records, end: { offset: from.offset + at, checksum } };
}

/** A file that records are appended to. */
export interface RecordFile {
  readonly path: string;
  /** The place after the last record that is durable. */
  readonly position: RecordPosition;
  /**
   * Resolves when the record, given in parts, is on the disk. Records that are appended while others are being written are written together,
   * in their order, and fail together; the file then ends where it ended before.
   */
  append(record: readonly Uint8Array[]): Promise<void>;
  /** Whether nothing can be appended any more, because its end could not be restored. */
  readonly hasFailed: boolean;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

interface Pending {
  readonly record: readonly Uint8Array[];
  readonly length: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Creates a file of records; there must be none of this name. Its folder has to be synchronized by the caller. */
export async function createRecordFile(path: string): Promise<RecordFile> {
  const file = await open(path, 'wx', 0o600);
  let position = FILE_START;
  let pending: Pending[] = [];
  let writing: Promise<void> | null = null;
  /** Set where the file may have bytes after its end that could not be cut off. */
  let failure: unknown = null;

  const writeGroup = async (group: readonly Pending[]) => {
    let { checksum } = position;
    const parts: Uint8Array[] = [];
    for (const { record, length } of group) {
      for (const part of record) checksum = crc32(part, checksum);
      const header = Buffer.allocUnsafe(HEADER_BYTES);
      header.writeUInt32LE(length, 0);
      header.writeUInt32LE(checksum, 4);
      parts.push(header, ...record);
    }
    const bytes = Buffer.concat(parts);
    try {
      await writeFully(file, bytes, position.offset);
      await file.datasync();
    } catch (error) {
      await file.truncate(position.offset).catch((cause: unknown) => {
        failure = cause;
      });
      throw error;
    }
    position = { offset: position.offset + bytes.length, checksum };
  };

  const writeAll = async () => {
    while (pending.length > 0) {
      const group = pending;
      pending = [];
      try {
        if (failure !== null) throw failure;
        await writeGroup(group);
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    writing = null;
  };

  return {
    path,
    get position() {
      return position;
    },
    get hasFailed() {
      return failure !== null;
    },
    append: (record) => {
      const length = record.reduce((sum, part) => sum + part.length, 0);
      if (length === 0 || length > MAX_RECORD_BYTES)
        return Promise.reject(new RangeError(`a record of ${length} bytes`));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      pending.push({ record, length, resolve, reject });
      writing ??= Promise.resolve().then(writeAll);
      return promise;
    },
    close: async () => {
      await writing;
      await file.close();
    },
  };
}

async function writeFully(file: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, offset + written);
    written += bytesWritten;
  }
}
