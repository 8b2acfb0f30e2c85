import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogSink } from '../../../ingest/log-sink.ts';
import type { TableSchemas } from '../../../schema/table-schema.ts';
import { readProblem } from '../loading/read-lines.ts';
import { type FileIdentity, type FoundFile, listLogFolder } from '../loading/source-files.ts';
import { hasIds } from './entry-id.ts';
import { type FaultReports, faultReports } from './fault-reports.ts';
import { contentOf } from './file-content.ts';
import { type FollowState, writeFollowState } from './follow-state.ts';
import { FollowedFile, type FollowedFileContext, type TurnOutcome } from './followed-file.ts';
import { isContinued } from './known-content.ts';
import { type ProblemReports, problemReports } from './problem-reports.ts';
import { fileKey, type ReadPosition } from './read-position.ts';
import { takeEntries } from './take-entries.ts';

/** Where following starts: after what the database has. */
export interface FollowStart {
  /** The folder of live entries beside the database, which keeps how far files were read. */
  readonly liveDirectory: string;
  readonly positions: FollowState;
  /** What keeps files from being read and was named already, by path. */
  readonly faults: ReadonlyMap<string, string>;
}

export interface FollowOptions extends FollowStart {
  readonly directory: string;
  /** The sources as they were declared. */
  readonly schemas: TableSchemas;
  readonly sink: LogSink;
  /** Receives what is left out and what keeps files from being read, a line each. */
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
  /** Never runs backwards, in milliseconds. */
  readonly nowMs?: () => number;
  readonly intervalMs?: number;
}

/** The time between two looks at the folder; longer where one takes long, so that many files cost a fifth of a core at most. */
const INTERVAL_MS = 200;
const LONGEST_INTERVAL_MS = 1_000;
const SHARE_OF_TIME = 5;
/** How long a file that was removed or moved away is read on: its writer may have it open for a while. */
const GONE_MS = 10_000;
const MOST_FILES = 10_000;
/** Files that are held open, so that a file that goes between two looks is read to its end. */
const MOST_OPEN = 256;
/** Contents of former files that are remembered, to know their copies. */
const MOST_FORMER = 1_000;
const SAVE_EVERY_MS = 1_000;
const RETRY_MS = 1_000;

/**
 * Reads on the files of a folder until the signal is aborted, and stores what is added to them: what `--logs` would load, line by
 * line. Files may grow, appear, be renamed, copied and truncated, and be compressed afterwards.
 *
 * It looks at the folder five times a second rather than being notified: network and container file systems send no notifications, nor do
 * the targets of symbolic links, so that it would have to look all the same.
 *
 * Nothing is lost or stored twice, however the process ends. How far files were read is written after their entries are durable,
 * so a crash makes it read some lines again; these have the same ids as before (`entry-id.ts`), and an id is taken once. A
 * position in the same record as the entries would be atomic by itself, but would have to live on in segments when records are sealed and merged, and would know
 * no copies. Where a source has no column `id`, the position is written after each batch instead, and a crash between both repeats
 * that batch.
 *
 * Throws what the sink throws besides refusals.
 */
export async function followLogs(options: FollowOptions): Promise<void> {
  const { signal, intervalMs = INTERVAL_MS, nowMs = () => performance.now() } = options;
  const follower = new Follower(options, nowMs);
  try {
    while (!signal.aborted) {
      const begunMs = nowMs();
      await follower.look();
      const tookMs = nowMs() - begunMs;
      let hasMore = true;
      while (hasMore && !signal.aborted && nowMs() - begunMs < intervalMs + tookMs)
        hasMore = await follower.readOn();
      await follower.endRound();
      if (hasMore) continue;
      const pauseMs = Math.min(Math.max(intervalMs, tookMs * SHARE_OF_TIME), LONGEST_INTERVAL_MS);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await follower.close();
  }
}

class Follower {
  readonly #options: FollowOptions;
  readonly #nowMs: () => number;
  readonly #files = new Map<string, FollowedFile>();
  /** Since when files that are still open are not in the folder any more. */
  readonly #gone = new Map<FollowedFile, number>();
  /** In the order of use. */
  readonly #open = new Set<FollowedFile>();
  readonly #busy = new Set<FollowedFile>();
  /** Positions of files that are not there, and of contents that files do not have any more. */
  #former: ReadPosition[];
  readonly #unreadable = new Map<FollowedFile, { readonly message: string; readonly atMs: number }>();
  readonly #faults: FaultReports;
  readonly #problems: ProblemReports;
  /** Contents that the positions on the disk have. */
  readonly #saved: Set<string>;
  #savedMs: number;
  #isDirty = false;
  #saving: Promise<void> = Promise.resolve();
  #compressed: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(options: FollowOptions, nowMs: () => number) {
    this.#options = options;
    this.#nowMs = nowMs;
    this.#former = [...options.positions];
    this.#saved = new Set(options.positions.map(({ content }) => content));
    this.#faults = faultReports(options.warn, options.faults);
    this.#problems = problemReports(options.warn, nowMs);
    this.#savedMs = nowMs();
  }

  /** Looks for files that have appeared, changed or gone. */
  async look(): Promise<void> {
    const { directory, schemas } = this.#options;
    const listing = await listLogFolder(directory, [...schemas.keys()]);
    const faults = new Map<string, string>();
    const found = new Set<string>();
    for (const file of listing.files) {
      const key = fileKey(file.source, file);
      if (found.has(key)) continue;
      const fault = this.#faultOf(file, found.size);
      if (fault === null) {
        found.add(key);
        this.#see(key, file, true);
      } else if (fault !== '') faults.set(file.path, fault);
    }
    for (const fault of listing.faults) {
      const renamed = fault.file === null ? [] : await this.#renamed(fault.path, fault.file);
      for (const file of renamed) {
        const key = fileKey(file.source, file);
        if (!found.has(key)) this.#see(key, file, false);
        found.add(key);
      }
      if (renamed.length === 0) faults.set(fault.path, fault.message);
    }
    for (const [key, file] of this.#files) if (!found.has(key)) await this.#miss(key, file);
    for (const [file, { message }] of this.#unreadable) faults.set(file.path, message);
    this.#faults.update(faults);
  }

  /** Gives each file that may have more a turn; answers whether one has more still. */
  async readOn(): Promise<boolean> {
    let hasMore = false;
    for (const file of this.#files.values()) {
      const isDue = file.isDue || this.#gone.has(file);
      const failed = this.#unreadable.get(file);
      const isTooSoon = failed !== undefined && this.#nowMs() - failed.atMs < RETRY_MS;
      if (!isDue || isTooSoon || this.#busy.has(file)) continue;
      if (!file.isCompressed) hasMore = (await this.#turn(file)) === 'more' || hasMore;
      else this.#compressed ??= this.#compressedTurn(file);
    }
    return hasMore;
  }

  async endRound(): Promise<void> {
    if (this.#failure !== null) throw this.#failure.error;
    this.#problems.tick();
    if (this.#isDirty && this.#nowMs() - this.#savedMs >= SAVE_EVERY_MS) await this.#save();
  }

  async close(): Promise<void> {
    await this.#compressed;
    this.#problems.tick(true);
    await this.#saving;
    if (this.#isDirty) await this.#write().catch((error: unknown) => this.#warnOfSaving(error));
    for (const file of this.#files.values()) await file.close();
  }

  /** Why a file is not followed; empty for one that need not be, null for one that is. */
  #faultOf(file: FoundFile, count: number): string | null {
    const { path, format, bytes, modifiedMs } = file;
    if (format === 'parquet') {
      const key = fileKey(file.source, file);
      const loaded = this.#former.find((one) => fileKey(one.source, one) === key)?.complete;
      return loaded?.bytes === bytes && loaded.modifiedMs === modifiedMs
        ? ''
        : `${path} is not loaded: while files are followed, Parquet files are loaded into a new database only`;
    }
    return count < MOST_FILES ? null : `${path} is not loaded: at most ${MOST_FILES} files are followed`;
  }

  #see(key: string, found: FoundFile, hasName: boolean): void {
    const known = this.#files.get(key);
    if (known !== undefined) {
      this.#gone.delete(known);
      known.update(found, hasName);
      return;
    }
    const index = this.#former.findIndex((one) => fileKey(one.source, one) === key);
    const [position = null] = index === -1 ? [] : this.#former.splice(index, 1);
    this.#files.set(key, new FollowedFile(found, position, this.#contextOf(found), hasName));
  }

  /** The files that a name of no source is known to be, by their content too: the system gives inodes again. */
  async #renamed(path: string, identity: FileIdentity): Promise<readonly FoundFile[]> {
    const files: FoundFile[] = [];
    for (const source of this.#options.schemas.keys()) {
      const key = fileKey(source, identity);
      const file: FoundFile = { ...identity, path, source, format: 'ndjson' };
      const known = this.#files.get(key);
      if (known !== undefined) {
        if (!known.isCompressed) files.push(file);
        continue;
      }
      const former = this.#former.find((one) => fileKey(one.source, one) === key);
      if (former?.complete === null && (await hasContent(path, former))) files.push(file);
    }
    return files;
  }

  /** A file that is not in the folder any more is read on for a while, where it is open. */
  async #miss(key: string, file: FollowedFile): Promise<void> {
    const sinceMs = this.#gone.get(file);
    if (file.isOpen && sinceMs === undefined) this.#gone.set(file, this.#nowMs());
    if (this.#busy.has(file)) return;
    const isOver =
      sinceMs !== undefined && this.#nowMs() - sinceMs >= GONE_MS && file.idleMs >= GONE_MS && !file.isDue;
    if (file.isOpen && !isOver) return;
    file.reportCutLine();
    await file.close();
    this.#open.delete(file);
    this.#gone.delete(file);
    this.#unreadable.delete(file);
    this.#files.delete(key);
    if (file.position !== null) this.#retire(file.position);
  }

  async #turn(file: FollowedFile): Promise<TurnOutcome> {
    try {
      const outcome = await file.turn();
      this.#unreadable.delete(file);
      return outcome;
    } catch (error) {
      if (!isSystemError(error)) throw error;
      // A file that is gone will be missed.
      const message = `${file.path}: ${readProblem(error)}; change its permissions or move it away`;
      if (error.code !== 'ENOENT') this.#unreadable.set(file, { message, atMs: this.#nowMs() });
      return 'unsettled';
    } finally {
      await this.#limitOpen(file);
    }
  }

  async #limitOpen(used: FollowedFile): Promise<void> {
    this.#open.delete(used);
    if (used.isOpen) this.#open.add(used);
    const [oldest] = this.#open;
    if (this.#open.size <= MOST_OPEN || oldest === undefined) return;
    this.#open.delete(oldest);
    await oldest.close();
  }

  /** Beside all others, which would wait long for a large one. */
  async #compressedTurn(file: FollowedFile): Promise<void> {
    this.#busy.add(file);
    try {
      await this.#turn(file);
    } catch (error) {
      if (!this.#options.signal.aborted) this.#failure ??= { error };
    } finally {
      this.#busy.delete(file);
      this.#compressed = null;
    }
  }

  #contextOf({ source }: FoundFile): FollowedFileContext {
    const { sink, warn, signal, schemas } = this.#options;
    const hasId = hasIds(schemas.get(source) ?? []);
    return {
      warn,
      nowMs: this.#nowMs,
      known: () => this.#positions(),
      retire: (position) => this.#retire(position),
      take: async (entries, { content, path }) => {
        // The content has to be known after a crash, or its entries would have other ids then.
        if (!this.#saved.has(content)) await this.#save();
        await takeEntries(entries, {
          ...{ sink, source, hasId, content, signal },
          refuse: (line, problem) => this.#problems.report(path, line, problem),
          onWait: ({ message }) => warn(`${path}: ${message}`),
        });
      },
      advanced: async () => {
        this.#isDirty = true;
        if (!hasId) await this.#save();
      },
    };
  }

  #retire(position: ReadPosition): void {
    this.#isDirty = true;
    this.#former.push(position);
    if (this.#former.length > MOST_FORMER + this.#options.positions.length) this.#former.shift();
  }

  /** Those of files that are there first. */
  #positions(): readonly ReadPosition[] {
    return [...[...this.#files.values()].flatMap(({ position }) => position ?? []), ...this.#former];
  }

  /** Writes the positions, again and again where that fails. Throws when the signal is aborted meanwhile. */
  async #save(): Promise<void> {
    const { signal } = this.#options;
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      try {
        this.#saving = this.#saving.then(() => this.#write());
        await this.#saving;
        return;
      } catch (error) {
        this.#saving = Promise.resolve();
        if (isFirst) this.#warnOfSaving(error);
        await sleep(RETRY_MS, undefined, { signal });
      }
    }
  }

  async #write(): Promise<void> {
    this.#isDirty = false;
    const positions = this.#positions();
    try {
      await writeFollowState(this.#options.liveDirectory, positions);
    } catch (error) {
      this.#isDirty = true;
      throw error;
    }
    this.#savedMs = this.#nowMs();
    for (const { content } of positions) this.#saved.add(content);
  }

  #warnOfSaving(error: unknown): void {
    const code = isSystemError(error) ? error.code : String(error);
    this.#options.warn(
      `${this.#options.liveDirectory}: it cannot be written how far the log files were read (${code}); no new entries are taken until it can`,
    );
  }
}

async function hasContent(path: string, position: ReadPosition): Promise<boolean> {
  try {
    const handle = await open(path);
    try {
      return await isContinued(position, contentOf(handle));
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}

function isSystemError(error: unknown): error is { readonly code: string } {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code);
}
