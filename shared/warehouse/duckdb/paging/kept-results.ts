import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { makeSingleFlight } from '../../../concurrency/single-flight.ts';
import { ServiceError } from '../../../errors/service-error.ts';
import type { Column } from '../../../sql/types/sql-type.ts';
import { keptNoMore } from '../../kept-no-more.ts';
import type { MoreOptions, QueryResult } from '../../warehouse.ts';
import { abandoned } from '../interruptible.ts';
import type { RowReader } from './row-reader.ts';

/** What is kept of results for those who ask for their next pages. */
export interface KeptLimits {
  /** Results that can be read on at the same time; the one that was read longest ago goes first. */
  readonly results: number;
  /** The characters of the rows of pages that can be asked for again; the pages asked for longest ago go first. */
  readonly pagesLength: number;
  /** How long a result waits for its next page, and a page to be asked for again, in ms. */
  readonly ttlMs: number;
}

export const KEPT_LIMITS: KeptLimits = {
  results: 16,
  pagesLength: 64 * 1024 * 1024,
  ttlMs: 10 * 60 * 1000,
};

interface KeptResult {
  readonly reader: RowReader;
  readonly columns: readonly Column[];
  /** How many of its rows have been read. */
  readCount: number;
}

/** What names a place in a result. */
const REST = /^([\da-f-]{36}):(\d{1,15})$/;

/** Results whose rows have not all been read, and the pages that were read of them. */
export class KeptResults {
  readonly #pages: LRUCache<string, QueryResult>;
  readonly #results: LRUCache<string, KeptResult>;
  readonly #flights = makeSingleFlight<QueryResult>();
  readonly #closing = new Set<Promise<void>>();

  constructor({ results, pagesLength, ttlMs }: KeptLimits) {
    this.#pages = new LRUCache({
      maxSize: pagesLength,
      sizeCalculation: ({ rows }) => 1 + rows.reduce((sum, row) => sum + row.length, 0),
      ttl: ttlMs,
    });
    this.#results = new LRUCache({
      max: results,
      ttl: ttlMs,
      ttlAutopurge: true,
      dispose: ({ reader }) => this.#end(reader),
    });
  }

  /** How many results can be read on. */
  get count(): number {
    return this.#results.size;
  }

  /** Keeps a result of which the first `readCount` rows have been read; answers the name of those that follow. */
  keep(reader: RowReader, columns: readonly Column[], readCount: number): string {
    const id = randomUUID();
    this.#results.set(id, { reader, columns, readCount });
    return `${id}:${readCount}`;
  }

  /** The rows that a name stands for, as `Warehouse.more` says. */
  async more(rest: string, options: MoreOptions): Promise<QueryResult> {
    const known = this.#pages.get(rest);
    if (known !== undefined) return atMost(known, options.maxRows);
    const [, id = '', start = ''] = REST.exec(rest) ?? [];
    const signal = options.signal ?? new AbortController().signal;
    try {
      const page = await this.#flights.run(rest, signal, (shared) =>
        this.#read(id, Number(start), { ...options, signal: shared }),
      );
      return atMost(page, options.maxRows);
    } catch (error) {
      throw signal.aborted && !(error instanceof ServiceError) ? abandoned() : error;
    }
  }

  /** Gives up all that is kept, which frees the engine's memory. */
  async clear(): Promise<void> {
    this.#results.clear();
    this.#pages.clear();
    await Promise.all(this.#closing);
  }

  async #read(id: string, start: number, options: MoreOptions): Promise<QueryResult> {
    const kept = this.#results.get(id);
    if (kept?.readCount !== start) throw keptNoMore();
    const { reader, columns } = kept;
    try {
      const { rows, truncated, goesOn } = await reader.page(options.maxRows, options);
      kept.readCount += rows.length;
      const rest = goesOn ? { rest: `${id}:${kept.readCount}` } : {};
      const page: QueryResult = {
        columns,
        rows,
        truncated,
        bytesProcessed: null,
        bytesBilled: null,
        ...rest,
      };
      this.#pages.set(`${id}:${start}`, page);
      // Unless it has been given up meanwhile, it is kept for as long again.
      if (!goesOn) this.#results.delete(id);
      else if (this.#results.has(id)) this.#results.set(id, kept);
      return page;
    } catch (error) {
      // Its rows may have been read in part, so there is no going on.
      this.#results.delete(id);
      throw error;
    }
  }

  #end(reader: RowReader): void {
    const closed = reader.close().catch(() => {
      // The connection is of no use any more, and was not given back.
    });
    this.#closing.add(closed);
    void closed.then(() => this.#closing.delete(closed));
  }
}

/** A page for one who may have fewer rows than the one who asked first; it is the last then. */
function atMost({ rest, ...page }: QueryResult, maxRows: number): QueryResult {
  if (page.rows.length > maxRows) return { ...page, rows: page.rows.slice(0, maxRows), truncated: true };
  return rest === undefined ? page : { ...page, rest };
}
