import { setTimeout as sleep } from 'node:timers/promises';
import { type FollowState, writeFollowState } from './follow-state.ts';
import { fileKey, type ReadPosition } from './read-position.ts';
import { isSystemError } from './system-error.ts';

export interface KeptPositionsOptions {
  /** The folder of live entries beside the database. */
  readonly liveDirectory: string;
  /** From the start before. */
  readonly positions: FollowState;
  /** Those of the files that are there. */
  readonly current: () => readonly ReadPosition[];
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
}

/** Positions of files that are gone, and contents that files do not have any more: so many are remembered, to know their copies. */
const MOST_FORMER = 1_000;
const SAVE_EVERY_MS = 1_000;
const RETRY_MS = 1_000;

/** All positions, those of files that are there and former ones, in memory and on the disk. */
export class KeptPositions {
  readonly #options: KeptPositionsOptions;
  #former: ReadPosition[];
  /** Contents that the positions on the disk have. */
  readonly #saved: Set<string>;
  #savedMs: number;
  #isDirty = false;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: KeptPositionsOptions) {
    this.#options = options;
    this.#former = [...options.positions];
    this.#saved = new Set(options.positions.map(({ content }) => content));
    this.#savedMs = options.nowMs();
  }

  /** Those of files that are there first. */
  all(): readonly ReadPosition[] {
    return [...this.#options.current(), ...this.#former];
  }

  /** The former position of a file by its key (`fileKey`); null for none. */
  former(key: string): ReadPosition | null {
    return this.#former.find((one) => fileKey(one.source, one) === key) ?? null;
  }

  /** The same, for a file that is there again. */
  takeFormer(key: string): ReadPosition | null {
    const position = this.former(key);
    if (position !== null) this.#former = this.#former.filter((one) => one !== position);
    return position;
  }

  retire(position: ReadPosition): void {
    this.#isDirty = true;
    this.#former.push(position);
    if (this.#former.length <= MOST_FORMER) return;
    // What was read as a whole may be there still.
    const oldest = this.#former.findIndex(({ complete }) => complete === null);
    this.#former.splice(Math.max(oldest, 0), 1);
  }

  /** Resolves when a content is known after a crash: its entries would have other ids then, and be taken twice. */
  async ensureKnown(content: string): Promise<void> {
    if (!this.#saved.has(content)) await this.save();
  }

  /** Marks what is on the disk as old. */
  change(): void {
    this.#isDirty = true;
  }

  async saveWhenDue(): Promise<void> {
    const { nowMs } = this.#options;
    if (this.#isDirty && nowMs() - this.#savedMs >= SAVE_EVERY_MS) await this.save();
  }

  /** Writes the positions, again and again where that fails. Throws when the signal is aborted meanwhile. */
  async save(): Promise<void> {
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

  /** Writes what is new for the last time. */
  async close(): Promise<void> {
    await this.#saving.catch(() => {});
    if (this.#isDirty) await this.#write().catch((error: unknown) => this.#warnOfSaving(error));
  }

  async #write(): Promise<void> {
    const positions = this.all();
    this.#isDirty = false;
    try {
      await writeFollowState(this.#options.liveDirectory, positions);
    } catch (error) {
      this.#isDirty = true;
      throw error;
    }
    this.#savedMs = this.#options.nowMs();
    for (const { content } of positions) this.#saved.add(content);
  }

  #warnOfSaving(error: unknown): void {
    const code = isSystemError(error) ? error.code : String(error);
    this.#options.warn(
      `${this.#options.liveDirectory}: how far the log files were read cannot be written there (${code}); until it can, files that are new are not read`,
    );
  }
}
