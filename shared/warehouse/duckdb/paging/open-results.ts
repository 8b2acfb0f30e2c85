import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { makeSingleFlight } from '../../../concurrency/single-flight.ts';
import { ServiceError } from '../../../errors/service-error.ts';
import type { Column } from '../../../sql/types/sql-type.ts';
import { type PageToken, pageExpired } from '../../page-token.ts';
import { abandoned } from '../../query-ended.ts';
import type { PageOptions, QueryResult } from '../../warehouse.ts';
import type { RowReader } from './row-reader.ts';

/** Limits of the results that are open for their next pages. */
export interface OpenResultLimits {
  /** Results that can be read on at the same time; the one that was read longest ago goes first. */
  readonly results: number;
  /** The characters of the rows of pages that can be asked for again; the pages asked for longest ago go first. */
  readonly pagesLength: number;
  /** How long a result waits for its next page, and a page to be asked for again, in ms. */
  readonly ttlMs: number;
}

export const OPEN_RESULT_LIMITS: OpenResultLimits = {
  results: 16,
  pagesLength: 64 * 1024 * 1024,
  ttlMs: 10 * 60 * 1000,
};

interface OpenResult {
  readonly reader: RowReader;
  readonly columns: readonly Column[];
  /** How many of its rows have been read. */
  readCount: number;
}

/** A place in one of them. */
type ResultToken = Extract<PageToken, { readonly kind: 'result' }>;

/** Results whose rows have not all been read, and the pages that were read of them. */
export class OpenResults {
  readonly #pages: LRUCache<string, QueryResult>;
  readonly #results: LRUCache<string, OpenResult>;
  readonly #flights = makeSingleFlight<QueryResult>();
  readonly #closing = new Set<Promise<void>>();

  constructor({ results, pagesLength, ttlMs }: OpenResultLimits) {
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

  /** Keeps a result of which the first `readCount` rows have been read; answers the place of those that follow. */
  keep(reader: RowReader, columns: readonly Column[], readCount: number): PageToken {
    const resultId = randomUUID();
    this.#results.set(resultId, { reader, columns, readCount });
    return { kind: 'result', resultId, startIndex: readCount };
  }

  /** The rows from a place on, as `Warehouse.nextPage` says. */
  async nextPage(token: PageToken, options: PageOptions): Promise<QueryResult> {
    if (token.kind !== 'result') throw pageExpired();
    const key = keyOf(token);
    const known = this.#pages.get(key);
    if (known !== undefined) return atMost(known, options.maxRows);
    const signal = options.signal ?? new AbortController().signal;
    try {
      const page = await this.#flights.run(key, signal, (shared) =>
        this.#read(token, { ...options, signal: shared }),
      );
      return atMost(page, options.maxRows);
    } catch (error) {
      throw signal.aborted && !(error instanceof ServiceError) ? abandoned() : error;
    }
  }

  /** Gives up all open results and their pages, which frees the engine's memory. */
  async clear(): Promise<void> {
    this.#results.clear();
    this.#pages.clear();
    await Promise.all(this.#closing);
  }

  async #read(token: ResultToken, options: PageOptions): Promise<QueryResult> {
    const { resultId, startIndex } = token;
    const result = this.#results.get(resultId);
    if (result?.readCount !== startIndex) throw pageExpired();
    const { reader, columns } = result;
    try {
      const { rows, truncated, hasNext } = await reader.page(options.maxRows, options);
      result.readCount += rows.length;
      const page: QueryResult = {
        columns,
        rows,
        truncated,
        bytesProcessed: null,
        bytesBilled: null,
        ...(hasNext ? { pageToken: { ...token, startIndex: result.readCount } } : {}),
      };
      this.#pages.set(keyOf(token), page);
      // Unless it has been given up meanwhile, it is kept for as long again.
      if (!hasNext) this.#results.delete(resultId);
      else if (this.#results.has(resultId)) this.#results.set(resultId, result);
      return page;
    } catch (error) {
      // Its rows may have been read in part, so there is no going on.
      this.#results.delete(resultId);
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
function atMost(page: QueryResult, maxRows: number): QueryResult {
  if (page.rows.length <= maxRows) return page;
  return { ...page, rows: page.rows.slice(0, maxRows), truncated: true, pageToken: undefined };
}

function keyOf({ resultId, startIndex }: ResultToken): string {
  return `${resultId}:${startIndex}`;
}
