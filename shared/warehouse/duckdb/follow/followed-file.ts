import { type FileHandle, open } from 'node:fs/promises';
import { MAX_ENTRY_BYTES, type RawEntry } from '../loading/raw-entry.ts';
import { readProblem } from '../loading/read-lines.ts';
import type { FoundFile } from '../loading/source-files.ts';
import { contentOf, decompressed, gzipContentOf, type ReadContent } from './file-content.ts';
import { findPosition, isContinued } from './known-content.ts';
import type { ReadPosition } from './read-position.ts';
import { splitLines } from './split-lines.ts';

/** What a followed file needs of those who follow it. */
export interface FollowedFileContext {
  /** What is known of other files and of former contents. */
  known(): Iterable<ReadPosition>;
  /** Resolves when the entries are durable; `at` is where they begin. */
  take(entries: readonly RawEntry[], at: ReadPosition): Promise<void>;
  /** Called when the position of a file has moved on over entries. */
  advanced(position: ReadPosition): Promise<void>;
  /** Receives the position of a content that the file has no more. */
  retire(position: ReadPosition): void;
  warn(message: string): void;
  nowMs(): number;
}

/** What a turn came to: whether it has to be repeated at once, later without a change of the file, or after one. */
export type TurnOutcome = 'more' | 'unsettled' | 'done';

/** What one turn reads at most, unless a line is longer. */
const TURN_BYTES = 1024 * 1024;
/** A last line without an end is an entry where nothing was added for so long, in ms, if it is a whole object. */
const SETTLED_MS = 1_000;
/** A compressed file that is cut short is reported where nothing was added for so long, in ms. */
const CUT_SHORT_MS = 10_000;
/** A compressed file is read from its start each time, so not while it is being written. */
const GZIP_SETTLED_MS = 300;

/** A file that is read on as it grows, by whatever name it has. Turns are taken one after the other. */
export class FollowedFile {
  readonly #context: FollowedFileContext;
  #file: FoundFile;
  #position: ReadPosition | null;
  #handle: FileHandle | null = null;
  /** What the file was when there was nothing more to read in it. */
  #read: { readonly bytes: number; readonly modifiedMs: number } | null = null;
  #changedMs: number;
  #isUnsettled = true;
  #partialBytes = 0;
  /** Whether its name is one of a source's files; another one, such as after a rotation, is read to its end only. */
  #hasName: boolean;

  constructor(
    file: FoundFile,
    position: ReadPosition | null,
    context: FollowedFileContext,
    hasName: boolean,
  ) {
    this.#file = file;
    this.#hasName = hasName;
    this.#position = position;
    this.#context = context;
    this.#changedMs = context.nowMs();
  }

  get position(): ReadPosition | null {
    return this.#position === null ? null : { ...this.#position, path: this.#file.path };
  }

  get isCompressed(): boolean {
    return this.#file.format === 'ndjson.gz';
  }

  get path(): string {
    return this.#file.path;
  }

  get isOpen(): boolean {
    return this.#handle !== null;
  }

  /** For how long the file has been as it is, in ms. */
  get idleMs(): number {
    return this.#context.nowMs() - this.#changedMs;
  }

  /** Whether a turn may find something. */
  get isDue(): boolean {
    const { bytes, modifiedMs } = this.#file;
    return this.#isUnsettled || this.#read?.bytes !== bytes || this.#read.modifiedMs !== modifiedMs;
  }

  /** Takes what the file is now. */
  update(file: FoundFile, hasName = this.#hasName): void {
    // As long as it is open, it is the file that had the name, whatever its content is now.
    this.#hasName = hasName || (this.#hasName && this.isOpen);
    const { bytes, modifiedMs } = this.#file;
    if (file.bytes !== bytes || file.modifiedMs !== modifiedMs) this.#changedMs = this.#context.nowMs();
    this.#file = file;
  }

  /** Reads on a little. Throws what the system throws when the file cannot be read. */
  async turn(): Promise<TurnOutcome> {
    const { bytes, modifiedMs, format } = this.#file;
    const outcome = format === 'ndjson.gz' ? await this.#gzipTurn() : await this.#lineTurn();
    this.#isUnsettled = outcome !== 'done';
    if (outcome === 'done') this.#read = { bytes, modifiedMs };
    return outcome;
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close().catch(() => {});
  }

  /** Names what is left of a line that will not end any more. */
  reportCutLine(): void {
    if (this.#partialBytes === 0) return;
    const line = (this.#position?.lines ?? 0) + 1;
    this.#context.warn(`${this.#file.path}, line ${line}: it has no end, and was left out`);
    this.#partialBytes = 0;
  }

  async #lineTurn(): Promise<TurnOutcome> {
    const handle = await this.#open();
    if (handle === null) return 'unsettled';
    const { size } = await handle.stat();
    this.update({ ...this.#file, bytes: size });
    const read = contentOf(handle);
    if (this.#position !== null && !(await this.#isSame(this.#position, size, read))) this.#restart();
    if (this.#position === null) {
      if (size === 0 || !this.#hasName) return 'done';
      this.#position = await findPosition(this.#file, this.#context.known(), read);
    }
    const from = this.#position;
    const missing = size - from.offset;
    if (missing === 0) return 'done';
    let bytes = await read(from.offset, Math.min(missing, TURN_BYTES));
    if (!bytes.includes('\n') && missing > bytes.length && !from.isInLongLine)
      bytes = await read(from.offset, Math.min(missing, MAX_ENTRY_BYTES + 1));
    const isEnd = bytes.length === missing;
    let { entries, next } = splitLines(bytes, from, false);
    this.#partialBytes = isEnd ? missing - (next.offset - from.offset) : 0;
    const isWaiting = this.#partialBytes > 0;
    const isSettled = this.idleMs >= SETTLED_MS;
    if (isWaiting && isSettled && isObject(bytes.subarray(-this.#partialBytes))) {
      ({ entries, next } = splitLines(bytes, from, true));
      this.#partialBytes = 0;
    }
    await this.#advance(entries, from, next);
    if (!isEnd) return 'more';
    return isWaiting && !isSettled ? 'unsettled' : 'done';
  }

  async #advance(entries: readonly RawEntry[], from: ReadPosition, next: ReadPosition): Promise<void> {
    if (entries.length > 0) await this.#context.take(entries, from);
    this.#position = next;
    if (next.offset !== from.offset) await this.#context.advanced(next);
  }

  async #isSame(position: ReadPosition, size: number, read: ReadContent): Promise<boolean> {
    return size >= position.offset && (await isContinued(position, read));
  }

  /** The file was truncated or written anew. */
  #restart(): void {
    if (this.#position === null) return;
    this.reportCutLine();
    this.#context.retire(this.#position);
    this.#position = null;
  }

  /** Null where the path has another file by now. */
  async #open(): Promise<FileHandle | null> {
    if (this.#handle !== null) return this.#handle;
    const handle = await open(this.#file.path);
    const { dev, ino } = await handle.stat({ bigint: true });
    if (dev !== this.#file.device || ino !== this.#file.inode) {
      await handle.close();
      return null;
    }
    this.#handle = handle;
    return handle;
  }

  async #gzipTurn(): Promise<TurnOutcome> {
    const { path, bytes, modifiedMs } = this.#file;
    const complete = this.#position?.complete;
    if (complete?.bytes === bytes && complete.modifiedMs === modifiedMs) return 'done';
    if (this.idleMs < GZIP_SETTLED_MS) return 'unsettled';
    try {
      await this.#readGzip();
      return 'done';
    } catch (error) {
      if (!isZlibError(error)) throw error;
      // What has arrived is complete where it ends with a line; the rest may still come.
      if (error.code === 'Z_BUF_ERROR' && this.idleMs < CUT_SHORT_MS) return 'unsettled';
      this.#context.warn(`${path}: ${readProblem(error)}`);
      return 'done';
    }
  }

  async #readGzip(): Promise<void> {
    const { path, bytes, modifiedMs } = this.#file;
    const read = gzipContentOf(path);
    if (this.#position !== null && !(await isContinued(this.#position, read))) this.#restart();
    this.#position ??= await findPosition(this.#file, this.#context.known(), read);
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of decompressed(path, this.#position.offset)) {
      const content: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      rest = await this.#takeLines(content, false);
    }
    await this.#takeLines(rest, true);
    this.#position = { ...this.#position, complete: { bytes, modifiedMs } };
    await this.#context.advanced(this.#position);
  }

  /** Answers what is left. */
  async #takeLines(content: Buffer, isLast: boolean): Promise<Buffer> {
    const from = this.#position;
    if (from === null) throw new TypeError('a file is read from nowhere');
    const { entries, next } = splitLines(content, from, isLast);
    await this.#advance(entries, from, next);
    return content.subarray(next.offset - from.offset);
  }
}

/** Nothing can follow a whole object on its line, so it is not the beginning of a longer one. */
function isObject(bytes: Buffer): boolean {
  const text = bytes.toString('utf8').trim();
  if (!text.startsWith('{') || !text.endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isZlibError(error: unknown): error is { readonly code: string } {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && code.startsWith('Z_');
}
