import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '../../../errors/service-error.ts';
import type { AppendResult, LogSink } from '../../../ingest/log-sink.ts';
import type { WrittenEntry } from '../loading/record-writer.ts';
import type { Store } from '../store/open-store.ts';
import { syncDirectory } from './durable-files.ts';
import { encodeRecord } from './entry-records.ts';
import { EntryTable } from './entry-table.ts';
import { FileLeases } from './file-leases.ts';
import { KnownIds } from './known-ids.ts';
import { columnRelation } from './live-parts.ts';
import type { LiveReader } from './live-reader.ts';
import {
  type LiveSnapshot,
  type LiveTable,
  type LiveView,
  type LiveViews,
  type LoadedPart,
  recordPath,
} from './live-view.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { type MergeLimits, mergeCandidates } from './merge-policy.ts';
import { packEntries } from './pack-entries.ts';
import { createRecordFile, type RecordFile } from './record-file.ts';
import { recoverFiles } from './recover-files.ts';
import { SegmentWriter } from './segment-writer.ts';
import { isSameShape, mergeShapes, type TableShape } from './table-shape.ts';

export interface LiveLimits extends MergeLimits {
  /** A file of records becomes a segment from so many entries or bytes on. */
  readonly sealEntries: number;
  readonly sealBytes: number;
  /** With so many files that wait for that, appends are refused. */
  readonly mostWaiting: number;
}

export const LIVE_LIMITS: LiveLimits = {
  sealEntries: 16_384,
  sealBytes: 32 * 1024 * 1024,
  mostWaiting: 8,
  mergeCount: 4,
  mergeRows: 4_000_000,
};

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

/** What a file of records has of a source. */
interface FileTable {
  readonly shape: TableShape;
  readonly hasRepeated: boolean;
}

/** A file of records that is complete and waits to become a segment. */
interface WaitingFile {
  readonly file: number;
  readonly bytes: number;
  readonly tables: ReadonlyMap<string, FileTable>;
}

/** The file that records are appended to. */
interface ActiveFile {
  readonly file: number;
  readonly records: RecordFile;
  readonly tables: Map<string, FileTable>;
  entries: number;
}

/** Once in this time, old entries are dropped, and what could not be written is tried again, in ms. */
const UPKEEP_EVERY_MS = 60_000;

/** A file with fewer entries than that is left as it is: new processes read it quickly. */
const UPKEEP_ENTRIES = 256;

/** For so long after a query, entries are read as they arrive, in ms. */
const READ_AHEAD_MS = 5_000;
/** And so long after the first that was not read, with those that came meanwhile: to read few takes as long as to read some hundreds. */
const READ_AHEAD_AFTER_MS = 100;

/** The entries that arrive while a service runs: durable, and seen by queries through their views. */
export interface LiveStore extends LogSink, LiveViews {
  /** Waits until everything that waits for it is in segments, and those are merged. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the entries of a folder. Throws a ConfigurationError for one that cannot be read, or does not fit what is loaded. */
export async function openLiveStore(options: LiveStoreOptions): Promise<LiveStore> {
  const { warn, store } = options;
  const { liveDirectory: directory } = store;
  const { manifest, files, lastFile } = await recoverFiles(directory, warn);
  const writer = new SegmentWriter({ directory, temporaryDirectory: store.temporaryDirectory });
  return new Live(options, writer, manifest, files, lastFile);
}

class Live implements LiveStore {
  readonly #options: LiveStoreOptions;
  readonly #limits: LiveLimits;
  readonly #writer: SegmentWriter;
  readonly #tables = new Map<string, EntryTable>();
  readonly #ids: KnownIds;
  readonly #leases: FileLeases;
  readonly #upkeep: NodeJS.Timeout;
  #manifest: Manifest;
  #waiting: readonly WaitingFile[];
  #active: ActiveFile | null = null;
  /** Names of files are numbered, those of segments and of records together. */
  #lastFile: number;
  #snapshot: LiveSnapshot;
  #turn: Promise<unknown> = Promise.resolve();
  #background: Promise<void> = Promise.resolve();
  #isWorking = false;
  #readingAhead: NodeJS.Timeout | null = null;
  #lastQueryMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(
    options: LiveStoreOptions,
    writer: SegmentWriter,
    manifest: Manifest,
    files: readonly WaitingFile[],
    lastFile: number,
  ) {
    this.#options = options;
    this.#limits = { ...LIVE_LIMITS, ...options.limits };
    this.#writer = writer;
    this.#manifest = manifest;
    this.#waiting = files;
    this.#lastFile = lastFile;
    this.#leases = new FileLeases(options.warn);
    for (const [source, { shape }] of options.loaded) {
      const parts = [
        ...manifest.segments.flatMap(({ tables }) => tables.filter((table) => table.source === source)),
        ...files.flatMap(({ tables }) => tables.get(source) ?? []),
      ];
      this.#tables.set(
        source,
        new EntryTable(source, parts.map((part) => part.shape).reduce(mergeShapes, shape)),
      );
    }
    this.#ids = new KnownIds((source, work) => this.#askEntries(source, work));
    this.#snapshot = this.#makeSnapshot(1);
    this.#upkeep = setInterval(() => this.#keepUp(), UPKEEP_EVERY_MS);
    this.#upkeep.unref();
    this.#work();
  }

  get current(): LiveSnapshot {
    return this.#snapshot;
  }

  acquire(): { readonly view: LiveView; release(): void } {
    this.#lastQueryMs = performance.now();
    return this.#acquire();
  }

  #acquire(): { readonly view: LiveView; release(): void } {
    const snapshot = this.#snapshot;
    const active = this.#active;
    const positions = this.#waiting.map(({ file, bytes }) => ({ file, bytes }));
    if (active !== null) positions.push({ file: active.file, bytes: active.records.position.offset });
    return { view: { snapshot, positions }, release: this.#leases.acquire(snapshot.version) };
  }

  async append(source: string, texts: readonly string[]): Promise<AppendResult> {
    const table = this.#tables.get(source);
    if (table === undefined) {
      const sources = [...this.#tables.keys()].join(', ');
      throw new ServiceError('invalid_argument', `there is no source ${source}; the sources are ${sources}`);
    }
    const turn = this.#turn.then(() => this.#stage(table, texts));
    this.#turn = turn.catch(() => {});
    const { durable, ...result } = await turn;
    await durable;
    this.#readAhead();
    return result;
  }

  /** Where queries come often, entries are read before the next one waits for them. */
  #readAhead(): void {
    if (this.#readingAhead !== null || performance.now() - this.#lastQueryMs > READ_AHEAD_MS) return;
    const read = async () => {
      const { view, release } = this.#acquire();
      try {
        await this.#options.reader.use(view, async () => {});
      } catch {
        // The next query meets the same error, and reports it.
      } finally {
        release();
        this.#readingAhead = null;
      }
    };
    this.#readingAhead = setTimeout(() => void read(), READ_AHEAD_AFTER_MS);
    this.#readingAhead.unref();
  }

  async settle(): Promise<void> {
    await this.#turn;
    this.#work();
    await this.#background;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#upkeep);
    clearTimeout(this.#readingAhead ?? undefined);
    await this.#turn;
    await this.#background;
    await this.#options.reader.close();
    await this.#active?.records.close();
    await this.#writer.close();
  }

  /** Checks a batch and begins to write it. One at a time, as each may change the columns that the next is checked against. */
  async #stage(
    table: EntryTable,
    texts: readonly string[],
  ): Promise<AppendResult & { readonly durable: Promise<void> }> {
    if (this.#isClosed)
      throw new ServiceError('unavailable', 'the service is stopping; send the entries again');
    if (this.#waiting.length >= this.#limits.mostWaiting) {
      this.#work();
      throw new ServiceError(
        'resource_exhausted',
        'too many entries wait to be stored; send the batch again later, or send fewer at a time',
        { headers: { 'Retry-After': '1' } },
      );
    }
    const { source } = table;
    const { entries, shape } = await table.write(texts);
    const { taken, ids, others } = await this.#withoutDuplicates(source, entries);
    const duplicates = entries.length - taken.length;
    try {
      const written = taken.length === 0 ? [] : await this.#startWriting(source, shape, taken);
      const own = Promise.all(written).then(() => {});
      this.#ids.add(source, ids, own);
      // A duplicate is acknowledged when the entry itself is durable.
      const durable = Promise.all([own, others]).then(
        () => {},
        (error: unknown) => {
          throw cannotStore(error);
        },
      );
      return { taken: taken.length, duplicates, durable };
    } catch (error) {
      throw cannotStore(error);
    }
  }

  async #withoutDuplicates(
    source: string,
    entries: readonly WrittenEntry[],
  ): Promise<{
    readonly taken: readonly WrittenEntry[];
    readonly ids: ReadonlySet<string>;
    readonly others: Promise<unknown>;
  }> {
    const first = new Map<string, WrittenEntry>();
    for (const entry of entries) {
      const { id } = entry;
      if (id !== null && !first.has(id)) first.set(id, entry);
    }
    if (first.size === 0) return { taken: entries, ids: new Set(), others: DONE };
    const { fresh, others } = await this.#ids.newIds(source, new Set(first.keys()));
    const isTaken = (entry: WrittenEntry) =>
      entry.id === null || (first.get(entry.id) === entry && fresh.has(entry.id));
    return { taken: entries.filter(isTaken), ids: fresh, others };
  }

  async #startWriting(
    source: string,
    shape: TableShape,
    taken: readonly WrittenEntry[],
  ): Promise<readonly Promise<void>[]> {
    const active = await this.#fileFor(source, shape);
    const { records, tables } = active;
    const batch = await packEntries(taken);
    const known = tables.get(source);
    const hasRepeated = (known?.hasRepeated ?? false) || batch.repeated !== null;
    const writes: Promise<void>[] = [];
    if (known === undefined) writes.push(records.append(encodeRecord({ kind: 'shape', source, shape })));
    if (known?.hasRepeated !== hasRepeated) {
      tables.set(source, { shape, hasRepeated });
      this.#publish();
    }
    writes.push(records.append(encodeRecord({ kind: 'batch', source, ...batch })));
    active.entries += taken.length;
    return writes;
  }

  /** The file to append to: a new one when the last is full, or has entries of the source in another shape. */
  async #fileFor(source: string, shape: TableShape): Promise<ActiveFile> {
    const active = this.#active;
    if (active !== null) {
      const known = active.tables.get(source);
      const { sealEntries, sealBytes } = this.#limits;
      const isFull = active.entries >= sealEntries || active.records.position.offset >= sealBytes;
      const fits = known === undefined || isSameShape(known.shape, shape);
      if (!isFull && fits && !active.records.hasFailed) return active;
      await this.#rotate(active);
    }
    const { liveDirectory: directory } = this.#options.store;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    this.#lastFile += 1;
    const file = this.#lastFile;
    const records = await createRecordFile(recordPath(directory, file));
    await syncDirectory(directory);
    this.#active = { file, records, tables: new Map(), entries: 0 };
    return this.#active;
  }

  async #rotate(active: ActiveFile): Promise<void> {
    await active.records.close();
    const { file, records, tables } = active;
    const bytes = records.position.offset;
    this.#active = null;
    // Readers see the same: the file is one of those that they read on.
    this.#waiting = [...this.#waiting, { file, bytes, tables }];
    this.#work();
  }

  #publish(): void {
    this.#snapshot = this.#makeSnapshot(this.#snapshot.version + 1);
  }

  #makeSnapshot(version: number): LiveSnapshot {
    const { store, loaded } = this.#options;
    const { liveDirectory: directory } = store;
    const oldestMicros = this.#oldestMicros();
    const files = [...this.#waiting, ...(this.#active === null ? [] : [this.#active])];
    const tables = new Map<string, LiveTable>();
    for (const [source, base] of loaded) {
      const segments = this.#manifest.segments.flatMap(({ file, tables: all }) =>
        all.flatMap((table) => {
          const { shape, rows, repeatedRows } = table;
          return table.source === source ? [{ file, shape, rows, repeatedRows }] : [];
        }),
      );
      const tails = files.flatMap(({ file, tables: all }) => {
        const table = all.get(source);
        return table === undefined ? [] : [{ file, ...table }];
      });
      if (segments.length + tails.length === 0 && oldestMicros === null) continue;
      const parts = [base, ...segments];
      const hasRepeated = parts.some(({ repeatedRows }) => repeatedRows > 0);
      tables.set(source, {
        shape: tails
          .map(({ shape }) => shape)
          .reduce(mergeShapes, parts.map(({ shape }) => shape).reduce(mergeShapes)),
        hasRepeated: hasRepeated || tails.some((tail) => tail.hasRepeated),
        base,
        segments,
        tails,
      });
    }
    return { version, directory, tables, oldestMicros };
  }

  #oldestMicros(): bigint | null {
    const { retentionMicros, nowMicros } = this.#options;
    return retentionMicros === null ? null : nowMicros() - retentionMicros;
  }

  /** Seals what waits and merges what has become many, one after the other, beside everything else. */
  #work(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#background = this.#workOff()
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.#options.warn(
          `entries that arrived could not be put into a segment, and stay as they are: ${reason}`,
        );
      })
      .finally(() => {
        this.#isWorking = false;
      });
  }

  async #workOff(): Promise<void> {
    for (;;) {
      const [next] = this.#waiting;
      if (next !== undefined) await this.#seal(next);
      else if (this.#isClosed || !(await this.#merge())) return;
    }
  }

  async #seal(waiting: WaitingFile): Promise<void> {
    const { liveDirectory: directory } = this.#options.store;
    const shapes = new Map([...waiting.tables].map(([source, { shape }]) => [source, shape]));
    this.#lastFile += 1;
    const segment = await this.#writer.seal({ ...waiting, shapes }, this.#lastFile);
    const segments = segment.tables.length === 0 ? [] : [segment];
    await this.#replace({
      ...this.#manifest,
      sealedRecords: waiting.file,
      segments: [...this.#manifest.segments, ...segments],
    });
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    this.#publish();
    this.#leases.removeAfter(this.#snapshot.version - 1, recordPath(directory, waiting.file));
  }

  /** Merges segments of about one size; false where there are too few. */
  async #merge(): Promise<boolean> {
    const candidates = mergeCandidates(this.#manifest.segments, this.#limits);
    if (candidates.length === 0) return false;
    this.#lastFile += 1;
    const merged = await this.#writer.merge(candidates, this.#lastFile, this.#oldestMicros());
    await this.#drop(new Set(candidates), merged.tables.length === 0 ? [] : [merged]);
    return true;
  }

  async #drop(
    dropped: ReadonlySet<Manifest['segments'][number]>,
    added: Manifest['segments'],
  ): Promise<void> {
    const kept = this.#manifest.segments.filter((one) => !dropped.has(one));
    await this.#replace({ ...this.#manifest, segments: [...kept, ...added] });
    this.#publish();
    for (const { file } of dropped)
      this.#leases.removeAfter(this.#snapshot.version - 1, join(this.#options.store.liveDirectory, file));
  }

  async #replace(manifest: Manifest): Promise<void> {
    await writeManifest(this.#options.store.liveDirectory, manifest);
    this.#manifest = manifest;
  }

  /** Moves the limit of retention on, and drops the segments that lie before it. */
  #keepUp(): void {
    this.#turn = this.#turn.then(async () => {
      if (this.#active !== null && this.#active.entries >= UPKEEP_ENTRIES) await this.#rotate(this.#active);
    });
    this.#turn = this.#turn.catch(() => {});
    this.#work();
    const oldest = this.#oldestMicros();
    if (oldest === null) return;
    this.#publish();
    void this.#background.then(async () => {
      const isOld = ({ tables }: Manifest['segments'][number]) =>
        tables.every(({ lastMicros }) => lastMicros < oldest);
      const old = this.#manifest.segments.filter(isOld);
      if (old.length > 0 && !this.#isWorking) await this.#drop(new Set(old), []).catch(() => {});
    });
  }

  async #askEntries<T>(
    source: string,
    work: (connection: DuckDBConnection, relation: string) => Promise<T>,
  ): Promise<T> {
    const { view, release } = this.#acquire();
    try {
      const { store, reader } = this.#options;
      const relation = columnRelation(source, 'id', view.snapshot.tables.get(source));
      return await reader.use(view, () => store.use((connection) => work(connection, relation)));
    } finally {
      release();
    }
  }
}

const DONE = Promise.resolve();

const FULL = 'the disk is full';
const READ_ONLY = 'the folder of the database may not be written';
/** By the code of the system's error. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EFBIG', 'a file of the database may not grow any more'],
  ['EACCES', READ_ONLY],
  ['EROFS', READ_ONLY],
  ['EPERM', READ_ONLY],
]);

/** The refusal of a batch that could not be written. */
function cannotStore(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  const reason = REASONS.get(code) ?? 'they cannot be written';
  return new ServiceError('unavailable', `the entries were not stored: ${reason}; send them again later`, {
    cause: error,
  });
}
