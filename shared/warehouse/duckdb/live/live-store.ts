import type { AppendResult, LogSink } from '../../../ingest/log-sink.ts';
import { PROJECT_COLUMN } from '../../stored-dataset.ts';
import { ID_COLUMN, keyColumns } from '../loading/entry-key.ts';
import type { Store } from '../store/open-store.ts';
import { Compaction } from './compaction.ts';
import { EntryAppender } from './entry-appender.ts';
import { FileLeases } from './file-leases.ts';
import { type KeyRelation, KnownKeys } from './known-keys.ts';
import { LIVE_LIMITS, type LiveLimits } from './live-limits.ts';
import { columnsRelation } from './live-parts.ts';
import type { LiveReader } from './live-reader.ts';
import type { LiveSnapshot, LiveView, LiveViews, LoadedPart } from './live-view.ts';
import { liveTables } from './make-snapshot.ts';
import { ReadAhead } from './read-ahead.ts';
import { RecordFiles } from './record-files.ts';
import { type Recovered, recoverFiles } from './recover-files.ts';
import { SegmentWriter } from './segment-writer.ts';
import { treeOf } from './table-shape.ts';

export interface LiveStoreOptions {
  /** Locked. It sees what arrives through `reader`. */
  readonly store: Store;
  readonly reader: LiveReader;
  /** The tables as they were loaded. */
  readonly loaded: ReadonlyMap<string, LoadedPart>;
  /** Entries that are older are neither seen nor kept, in microseconds; null for no limit. */
  readonly retentionMicros: bigint | null;
  readonly nowMicros: () => bigint;
  readonly limits?: Partial<LiveLimits>;
  readonly warn: (message: string) => void;
}

/** Once in this time, old entries are dropped, and what could not be written is tried again, in ms. */
const UPKEEP_EVERY_MS = 60_000;

/** A file with fewer entries than that is left as it is: new processes read it quickly. */
const UPKEEP_ENTRIES = 256;

/** The entries that arrive while a service runs: durable, and seen by queries. */
export interface LiveStore extends LogSink, LiveViews {
  /** Waits until everything that waits for it is in segments, and those are merged. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the entries of a folder. Throws a ConfigurationError for one that cannot be read, or does not fit what is loaded. */
export async function openLiveStore(options: LiveStoreOptions): Promise<LiveStore> {
  return new Live(options, await recoverFiles(options.store.liveDirectory, options.warn));
}

class Live implements LiveStore {
  readonly #options: LiveStoreOptions;
  readonly #appender: EntryAppender;
  readonly #leases: FileLeases;
  readonly #files: RecordFiles;
  readonly #compaction: Compaction;
  readonly #readAhead: ReadAhead;
  readonly #upkeep: NodeJS.Timeout;
  /** Names of files are numbered, those of segments and of records together. */
  #lastFile: number;
  #snapshot: LiveSnapshot;

  constructor(options: LiveStoreOptions, { manifest, files, lastFile }: Recovered) {
    const { store, reader, loaded, warn } = options;
    const { liveDirectory: directory, temporaryDirectory } = store;
    this.#options = options;
    const limits = { ...LIVE_LIMITS, ...options.limits };
    this.#lastFile = lastFile;
    this.#leases = new FileLeases(warn);
    const nextFile = () => {
      this.#lastFile += 1;
      return this.#lastFile;
    };
    this.#files = new RecordFiles(
      {
        directory,
        limits,
        nextFile,
        onChange: () => this.#publish(),
        onComplete: () => this.#compaction.start(),
      },
      files,
    );
    this.#compaction = new Compaction(
      {
        directory,
        writer: new SegmentWriter({ directory, temporaryDirectory }),
        files: this.#files,
        leases: this.#leases,
        limits,
        nextFile,
        oldestMicros: () => this.#oldestMicros(),
        onChange: () => this.#publish(),
        warn,
      },
      manifest,
    );
    this.#snapshot = this.#makeSnapshot(1);
    const { tables } = this.#snapshot;
    this.#appender = new EntryAppender({
      shapes: new Map([...loaded].map(([source, { shape }]) => [source, tables.get(source)?.shape ?? shape])),
      keys: new KnownKeys((source, work) => this.#askEntries(source, work)),
      files: this.#files,
      mostWaiting: limits.mostWaiting,
      onMostWaiting: () => this.#compaction.start(),
    });
    this.#readAhead = new ReadAhead(reader, () => this.#acquire());
    this.#upkeep = setInterval(() => this.#keepUp(), UPKEEP_EVERY_MS);
    this.#upkeep.unref();
    this.#compaction.start();
  }

  get current(): LiveSnapshot {
    return this.#snapshot;
  }

  acquire(): { readonly view: LiveView; release(): void } {
    this.#readAhead.onQuery();
    return this.#acquire();
  }

  #acquire(): { readonly view: LiveView; release(): void } {
    const snapshot = this.#snapshot;
    const { positions } = this.#files;
    return { view: { snapshot, positions }, release: this.#leases.acquire(snapshot.version) };
  }

  async append(source: string, texts: readonly string[]): Promise<AppendResult> {
    await this.#options.reader.queries.turn();
    const result = await this.#appender.append(source, texts);
    this.#readAhead.onEntries();
    return result;
  }

  async settle(): Promise<void> {
    await this.#appender.settle();
    await this.#compaction.settle();
  }

  async close(): Promise<void> {
    clearInterval(this.#upkeep);
    this.#readAhead.close();
    await this.#appender.close();
    await this.#compaction.close();
    await this.#options.reader.close();
    await this.#files.close();
  }

  /** Makes the snapshot of what there is now; answers the version of the last one. */
  #publish(): number {
    const { version } = this.#snapshot;
    this.#snapshot = this.#makeSnapshot(version + 1);
    return version;
  }

  #makeSnapshot(version: number): LiveSnapshot {
    const { store, loaded } = this.#options;
    const oldestMicros = this.#oldestMicros();
    const parts = { loaded, segments: this.#compaction.segments, files: this.#files.all };
    return { version, directory: store.liveDirectory, tables: liveTables(parts, oldestMicros), oldestMicros };
  }

  #oldestMicros(): bigint | null {
    const { retentionMicros, nowMicros } = this.#options;
    return retentionMicros === null ? null : nowMicros() - retentionMicros;
  }

  /** Moves the limit of retention on, and drops the segments that lie before it. */
  #keepUp(): void {
    this.#appender.inTurn(() => this.#files.complete(UPKEEP_ENTRIES)).catch(() => {});
    this.#compaction.start();
    const oldest = this.#oldestMicros();
    if (oldest === null) return;
    this.#publish();
    // What could not be dropped is the next time.
    this.#compaction.dropOld(oldest).catch(() => {});
  }

  async #askEntries<T>(source: string, work: (entries: KeyRelation) => Promise<T>): Promise<T> {
    const { view, release } = this.#acquire();
    try {
      const { store, reader, loaded } = this.#options;
      const shape = view.snapshot.tables.get(source)?.shape ?? loaded.get(source)?.shape;
      const hasProject = shape !== undefined && keyColumns(treeOf(shape).root).project !== undefined;
      const columns = hasProject ? [ID_COLUMN, PROJECT_COLUMN] : [ID_COLUMN];
      const { relation, units } = columnsRelation(source, columns, view.snapshot.tables.get(source));
      return await reader.use(view, new Set(units), () =>
        store.use((connection) => work({ connection, relation, hasProject })),
      );
    } finally {
      release();
    }
  }
}
