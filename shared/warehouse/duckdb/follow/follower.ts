import { open } from 'node:fs/promises';
import { readProblem } from '../loading/read-lines.ts';
import { type FileIdentity, type FoundFile, listLogFolder } from '../loading/source-files.ts';
import { hasIds } from './entry-id.ts';
import { type FaultReports, faultReports } from './fault-reports.ts';
import { contentOf } from './file-content.ts';
import type { FollowOptions } from './follow-options.ts';
import { FollowedFile, type FollowedFileContext, type TurnOutcome } from './followed-file.ts';
import { KeptPositions } from './kept-positions.ts';
import { isContinued } from './known-content.ts';
import { type ProblemReports, problemReports } from './problem-reports.ts';
import { fileKey, type ReadPosition } from './read-position.ts';
import { isSystemError } from './system-error.ts';
import { takeEntries } from './take-entries.ts';

/** How long a file that was removed or moved away is read on: its writer may have it open for a while. */
const GONE_MS = 10_000;
const MOST_FILES = 10_000;
/** Files that are held open, so that a file that goes between two looks is read to its end. */
const MOST_OPEN = 256;
const RETRY_MS = 1_000;

/** The files of a folder as they are followed. One call at a time. */
export class Follower {
  readonly #options: FollowOptions;
  readonly #nowMs: () => number;
  readonly #files = new Map<string, FollowedFile>();
  /** Since when files that are still open are not in the folder any more. */
  readonly #gone = new Map<FollowedFile, number>();
  /** In the order of use. */
  readonly #open = new Set<FollowedFile>();
  readonly #busy = new Set<FollowedFile>();
  readonly #positions: KeptPositions;
  readonly #unreadable = new Map<FollowedFile, { readonly message: string; readonly atMs: number }>();
  readonly #faults: FaultReports;
  readonly #problems: ProblemReports;
  #compressed: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(options: FollowOptions, nowMs: () => number) {
    this.#options = options;
    this.#nowMs = nowMs;
    this.#faults = faultReports(options.warn, options.faults);
    this.#problems = problemReports(options.warn, nowMs);
    this.#positions = new KeptPositions({
      ...options,
      nowMs,
      current: () => [...this.#files.values()].flatMap(({ position }) => position ?? []),
    });
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
    await this.#positions.saveWhenDue();
  }

  async close(): Promise<void> {
    await this.#compressed;
    this.#problems.tick(true);
    await this.#positions.close();
    for (const file of this.#files.values()) await file.close();
  }

  /** Why a file is not followed; empty for one that need not be, null for one that is. */
  #faultOf(file: FoundFile, count: number): string | null {
    const { path, format, bytes, modifiedMs } = file;
    if (format === 'parquet') {
      const loaded = this.#positions.former(fileKey(file.source, file))?.complete;
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
    const position = this.#positions.takeFormer(key);
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
      const former = this.#positions.former(key);
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
    if (file.position !== null) this.#positions.retire(file.position);
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
      known: () => this.#positions.all(),
      retire: (position) => this.#positions.retire(position),
      take: async (entries, { content, path }) => {
        await this.#positions.ensureKnown(content);
        await takeEntries(entries, {
          ...{ sink, source, hasId, content, signal },
          refuse: (line, problem) => this.#problems.report(path, line, problem),
          onWait: ({ message }) => warn(`${path} waits, and is read on by itself: ${message}`),
        });
      },
      advanced: async () => {
        this.#positions.change();
        if (!hasId) await this.#positions.save();
      },
    };
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
