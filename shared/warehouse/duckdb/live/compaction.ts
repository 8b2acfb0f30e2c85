import { join } from 'node:path';
import type { FileLeases } from './file-leases.ts';
import type { LiveLimits } from './live-limits.ts';
import { recordPath } from './live-view.ts';
import { type Manifest, type Segment, writeManifest } from './manifest.ts';
import { mergeCandidates } from './merge-policy.ts';
import type { RecordFiles, WaitingFile } from './record-files.ts';
import type { SegmentWriter } from './segment-writer.ts';

export interface CompactionOptions {
  readonly directory: string;
  readonly writer: SegmentWriter;
  readonly files: RecordFiles;
  readonly leases: FileLeases;
  readonly limits: LiveLimits;
  readonly nextFile: () => number;
  /** Entries before that time are dropped, in microseconds; null for none. */
  readonly oldestMicros: () => bigint | null;
  /** Called when files are replaced. Answers the last version in which there were those before. */
  readonly onChange: () => number;
  readonly warn: (message: string) => void;
}

/** Puts files of records into segments and merges these, one after the other, beside everything else. */
export class Compaction {
  readonly #options: CompactionOptions;
  #manifest: Manifest;
  #running: Promise<void> = Promise.resolve();
  #isRunning = false;
  #isClosed = false;

  constructor(options: CompactionOptions, manifest: Manifest) {
    this.#options = options;
    this.#manifest = manifest;
  }

  get segments(): readonly Segment[] {
    return this.#manifest.segments;
  }

  /** Begins, unless it is at work. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#running = this.#run()
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.#options.warn(
          `entries that arrived could not be put into a segment, and stay as they are: ${reason}`,
        );
      })
      .finally(() => {
        this.#isRunning = false;
      });
  }

  /** Waits until it has no more to do. */
  async settle(): Promise<void> {
    // What is under way may have begun before there was something to do.
    await this.#running;
    this.start();
    await this.#running;
  }

  /** Puts what waits into segments and merges no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
    await this.#options.writer.close();
  }

  /** Drops the segments that have old entries only, when it has no more to do. */
  async dropOld(oldestMicros: bigint): Promise<void> {
    await this.#running;
    const isOld = ({ tables }: Segment) => tables.every(({ lastMicros }) => lastMicros < oldestMicros);
    const old = this.#manifest.segments.filter(isOld);
    if (old.length > 0 && !this.#isRunning) await this.#replace(new Set(old), []);
  }

  async #run(): Promise<void> {
    for (;;) {
      const [next] = this.#options.files.waiting;
      if (next !== undefined) await this.#seal(next);
      else if (this.#isClosed || !(await this.#merge())) return;
    }
  }

  async #seal(waiting: WaitingFile): Promise<void> {
    const { directory, writer, files, leases, nextFile, onChange } = this.#options;
    const shapes = new Map([...waiting.tables].map(([source, { shape }]) => [source, shape]));
    const segment = await writer.seal({ ...waiting, shapes }, nextFile());
    const segments = segment.tables.length === 0 ? [] : [segment];
    await this.#write({
      ...this.#manifest,
      sealedRecords: waiting.file,
      segments: [...this.#manifest.segments, ...segments],
    });
    files.remove(waiting);
    leases.removeAfter(onChange(), recordPath(directory, waiting.file));
  }

  /** Merges segments of about one size; false where there are too few. */
  async #merge(): Promise<boolean> {
    const { writer, limits, nextFile, oldestMicros } = this.#options;
    const candidates = mergeCandidates(this.#manifest.segments, limits);
    if (candidates.length === 0) return false;
    const merged = await writer.merge(candidates, nextFile(), oldestMicros());
    await this.#replace(new Set(candidates), merged.tables.length === 0 ? [] : [merged]);
    return true;
  }

  async #replace(replaced: ReadonlySet<Segment>, by: readonly Segment[]): Promise<void> {
    const { directory, leases, onChange } = this.#options;
    const kept = this.#manifest.segments.filter((one) => !replaced.has(one));
    await this.#write({ ...this.#manifest, segments: [...kept, ...by] });
    const version = onChange();
    for (const { file } of replaced) leases.removeAfter(version, join(directory, file));
  }

  async #write(manifest: Manifest): Promise<void> {
    await writeManifest(this.#options.directory, manifest);
    this.#manifest = manifest;
  }
}
