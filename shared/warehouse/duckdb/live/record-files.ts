import { mkdir } from 'node:fs/promises';
import { syncDirectory } from './durable-files.ts';
import { type EntryBatch, encodeRecord } from './entry-records.ts';
import type { LiveLimits } from './live-limits.ts';
import { recordPath } from './live-view.ts';
import { createRecordFile, type RecordFile } from './record-file.ts';
import { isSameShape, type TableShape } from './table-shape.ts';

/** What a file of records has of a source. */
export interface FileTable {
  readonly shape: TableShape;
  readonly hasRepeated: boolean;
}

/** A file of records that is complete and waits to become a segment. */
export interface WaitingFile {
  readonly file: number;
  readonly bytes: number;
  readonly tables: ReadonlyMap<string, FileTable>;
}

/** The file that records are appended to. */
interface ActiveFile {
  readonly file: number;
  readonly records: RecordFile;
  readonly tables: Map<string, FileTable>;
  /** The sources whose shape is on the disk. */
  readonly shaped: Set<string>;
  entries: number;
}

export interface RecordFilesOptions {
  readonly directory: string;
  readonly limits: Pick<LiveLimits, 'sealEntries' | 'sealBytes'>;
  /** The number of a file that does not exist yet. */
  readonly nextFile: () => number;
  /** Called when files have other tables, or are others. */
  readonly onChange: () => void;
  /** Called when a file is complete. */
  readonly onComplete: () => void;
}

/** The files of records that are in no segment: one that is appended to, and those that wait. */
export class RecordFiles {
  readonly #options: RecordFilesOptions;
  #waiting: readonly WaitingFile[];
  #active: ActiveFile | null = null;

  constructor(options: RecordFilesOptions, recovered: readonly WaitingFile[]) {
    this.#options = options;
    this.#waiting = recovered;
  }

  get waiting(): readonly WaitingFile[] {
    return this.#waiting;
  }

  get all(): readonly Omit<WaitingFile, 'bytes'>[] {
    return this.#active === null ? this.#waiting : [...this.#waiting, this.#active];
  }

  /** How much of each file is durable. */
  get positions(): readonly { readonly file: number; readonly bytes: number }[] {
    const positions = this.#waiting.map(({ file, bytes }) => ({ file, bytes }));
    const active = this.#active;
    if (active !== null) positions.push({ file: active.file, bytes: active.records.position.offset });
    return positions;
  }

  /** Begins to write a batch; the promise that it answers with resolves when it is durable. One at a time. */
  async append(batch: EntryBatch, shape: TableShape): Promise<{ readonly durable: Promise<void> }> {
    const { source, rows, repeated } = batch;
    const active = await this.#fileFor(source, shape);
    const { records, tables, shaped } = active;
    const known = tables.get(source);
    const hasRepeated = (known?.hasRepeated ?? false) || repeated !== null;
    const writes: Promise<void>[] = [];
    if (!shaped.has(source)) {
      // Until it is durable, each batch brings it along: the one before may fail while this does not.
      const shapeWritten = records.append(encodeRecord({ kind: 'shape', source, shape }));
      writes.push(shapeWritten.then(() => void shaped.add(source)));
    }
    if (known?.hasRepeated !== hasRepeated) {
      tables.set(source, { shape, hasRepeated });
      this.#options.onChange();
    }
    writes.push(records.append(encodeRecord({ kind: 'batch', ...batch })));
    active.entries += rows.count;
    return { durable: Promise.all(writes).then(() => {}) };
  }

  /** Completes the file that is appended to if it has so many entries. Not while a batch begins to be written. */
  async complete(leastEntries: number): Promise<void> {
    if (this.#active !== null && this.#active.entries >= leastEntries) await this.#rotate(this.#active);
  }

  /** Forgets a file that is in a segment. */
  remove(file: WaitingFile): void {
    this.#waiting = this.#waiting.filter((one) => one !== file);
  }

  async close(): Promise<void> {
    await this.#active?.records.close();
  }

  /** The file to append to: a new one when the last is full, or has entries of the source in another shape. */
  async #fileFor(source: string, shape: TableShape): Promise<ActiveFile> {
    const { directory, limits, nextFile } = this.#options;
    const active = this.#active;
    if (active !== null) {
      const known = active.tables.get(source);
      const isFull =
        active.entries >= limits.sealEntries || active.records.position.offset >= limits.sealBytes;
      const fits = known === undefined || isSameShape(known.shape, shape);
      if (!isFull && fits && !active.records.hasFailed) return active;
      await this.#rotate(active);
    }
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const file = nextFile();
    const records = await createRecordFile(recordPath(directory, file));
    await syncDirectory(directory);
    this.#active = { file, records, tables: new Map(), shaped: new Set(), entries: 0 };
    return this.#active;
  }

  async #rotate(active: ActiveFile): Promise<void> {
    await active.records.close();
    const { file, records, tables } = active;
    const bytes = records.position.offset;
    this.#active = null;
    // Readers see the same: the file is one of those that they read on.
    this.#waiting = [...this.#waiting, { file, bytes, tables }];
    this.#options.onComplete();
  }
}
