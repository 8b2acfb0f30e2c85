import type { DuckDBConnection } from '@duckdb/node-api';
import type { Store } from '../store/open-store.ts';
import { AttachedSegments } from './attached-segments.ts';
import { unitKind } from './live-parts.ts';
import { type LiveSnapshot, type LiveView, NOTHING_LIVE } from './live-view.ts';
import { QueriesFirst } from './queries-first.ts';
import { TailTables, unitsOf } from './tail-tables.ts';

/**
 * Makes a locked store's engine see entries that arrived after the store was loaded: it attaches segments, and reads what is new in
 * the files of records into tables in memory.
 */
export class LiveReader {
  /** The queries that are at work in this process. */
  readonly queries = new QueriesFirst();
  readonly #store: Store;
  readonly #segments: AttachedSegments;
  readonly #tails = new TailTables();
  readonly #listeners: (() => void)[] = [];
  /** Snapshots whose segments and tables are there, by version: the latest, and those that are in use. */
  readonly #ready = new Map<number, LiveSnapshot>();
  readonly #users = new Map<number, number>();
  /** When queries read a source last, with all columns or with few (`unitKind`). */
  readonly #usedMs = new Map<string, number>();
  #latest: LiveSnapshot = NOTHING_LIVE;
  #connection: DuckDBConnection | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(store: Store) {
    this.#store = store;
    this.#segments = new AttachedSegments(store);
  }

  /** Calls `listener` before tables go that statements may have been prepared over. */
  onGoneTables(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Does work while the segments of a view are attached, and the tables of `units` are there with all of its entries. The view has to
   * be held meanwhile. The tables may have more entries.
   */
  async use<T>(view: LiveView, units: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
    for (const unit of units) this.#usedMs.set(unitKind(unit), performance.now());
    return this.queries.run(() => this.#use(view, units, work));
  }

  async #use<T>(view: LiveView, units: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
    const { version } = view.snapshot;
    this.#users.set(version, (this.#users.get(version) ?? 0) + 1);
    try {
      if (!this.#hasSeen(view, units))
        await this.#inTurn((connection) => this.#advance(connection, view, units));
      return await work();
    } finally {
      const left = (this.#users.get(version) ?? 1) - 1;
      if (left > 0) this.#users.set(version, left);
      else this.#users.delete(version);
      if (left === 0 && version < this.#latest.version && !this.#isClosed) this.#dropUnused();
    }
  }

  /** Reads what arrived in the sources that queries used in the last `withinMs`, with the columns that they needed. */
  async readAhead(view: LiveView, withinMs: number): Promise<void> {
    const sinceMs = performance.now() - withinMs;
    const used = unitsOf(view.snapshot)
      .map(([unit]) => unit)
      .filter((unit) => (this.#usedMs.get(unitKind(unit)) ?? Number.NEGATIVE_INFINITY) > sinceMs);
    await this.#use(view, new Set(used), async () => {});
  }

  /** Waits until nothing is read any more; before the store is closed, whose connections may not be in use then. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    this.#tails.close();
  }

  async #inTurn(work: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
    const turn = this.#last.then(async () => {
      if (this.#isClosed) throw new TypeError('live entries are read after the end');
      this.#connection ??= await this.#store.connect();
      await work(this.#connection);
    });
    this.#last = turn.catch(() => {});
    await turn;
  }

  #hasSeen(view: LiveView, units: ReadonlySet<string>): boolean {
    const { tables, version } = view.snapshot;
    return tables.size === 0 || (this.#ready.has(version) && this.#tails.haveRead(units, view));
  }

  async #advance(connection: DuckDBConnection, view: LiveView, units: ReadonlySet<string>): Promise<void> {
    const { snapshot } = view;
    if (!this.#ready.has(snapshot.version)) {
      for (const file of segmentsOf(snapshot))
        await this.#segments.attach(connection, snapshot.directory, file);
      this.#ready.set(snapshot.version, snapshot);
      if (snapshot.version > this.#latest.version) this.#latest = snapshot;
    }
    await this.#tails.readOn(connection, view, units);
    await this.#removeUnused(connection);
  }

  #dropUnused(): void {
    // What could not be removed is when the reader advances.
    this.#inTurn((connection) => this.#removeUnused(connection)).catch(() => {});
  }

  /** Removes what only snapshots have that are neither the latest nor in use. */
  async #removeUnused(connection: DuckDBConnection): Promise<void> {
    for (const version of this.#ready.keys())
      if (version !== this.#latest.version && !this.#users.has(version)) this.#ready.delete(version);
    const needed = [...this.#ready.values()];
    const segments = new Set(needed.flatMap(segmentsOf));
    const tails = new Set(needed.flatMap(tailsOf));
    const goneSegments = [...this.#segments.files].filter((file) => !segments.has(file));
    const goneTails = [...this.#tails.files].filter((file) => !tails.has(file));
    if (goneSegments.length + goneTails.length === 0) return;
    for (const listener of this.#listeners) listener();
    for (const file of goneTails) await this.#tails.drop(connection, file);
    for (const file of goneSegments) await this.#segments.detach(connection, file);
  }
}

function segmentsOf({ tables }: LiveSnapshot): readonly string[] {
  return [...tables.values()].flatMap(({ segments }) => segments.map(({ file }) => file));
}

function tailsOf({ tables }: LiveSnapshot): readonly number[] {
  return [...tables.values()].flatMap(({ tails }) => tails.map(({ file }) => file));
}
