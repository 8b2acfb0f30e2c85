import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '../../../errors/service-error.ts';
import { pageExpired } from '../../page-token.ts';
import { makeRowMeter } from '../../row-meter.ts';
import { type Ending, interruptible } from '../interruptible.ts';
import type { RowSource, Rows } from './row-source.ts';

/** The most characters of an answer's rows; what is answered is held in memory several times over. */
const MAX_PAGE_LENGTH = 32 * 1024 * 1024;

/** Some of a result's rows. */
export interface PageOfRows {
  readonly rows: readonly string[];
  /** Whether the result has more rows. */
  readonly truncated: boolean;
  /** Whether those can be read. */
  readonly hasNext: boolean;
}

/** Reads the rows of one result, a page after the other, each row once. */
export class RowReader {
  readonly #source: RowSource;
  #left: number;
  readonly #isCutAtMost: boolean;
  #current: Rows = { count: 0, text: () => '' };
  #index = 0;
  #connection: DuckDBConnection | null = null;
  #reading: Promise<unknown> | null = null;
  #isClosed = false;

  /** Reads `most` rows in all; `isCutAtMost` says whether the result then may have more, or ends there by itself. */
  constructor(source: RowSource, most: { readonly rows: number; readonly isCut: boolean }) {
    this.#source = source;
    this.#left = most.rows;
    this.#isCutAtMost = most.isCut;
  }

  /** The next rows, `count` at most. One page at a time; a page that fails is the last. */
  async page(count: number, ending: Ending): Promise<PageOfRows> {
    if (this.#isClosed) throw pageExpired();
    const page = this.#source.read((next, connection) => {
      this.#connection = connection;
      return interruptible(connection, ending, () => this.#take(count, next, ending.grow));
    });
    this.#reading = page;
    try {
      return await page;
    } catch (error) {
      throw this.#isClosed ? pageExpired({ cause: error }) : error;
    } finally {
      this.#connection = null;
      this.#reading = null;
    }
  }

  /** Ends the result; a page that is being read fails as one that is gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#connection?.interrupt();
    // Whoever reads the page hears of its failure.
    await this.#reading?.catch(() => {});
    await this.#source.close();
  }

  async #take(count: number, next: () => Promise<Rows | null>, grow: Ending['grow']): Promise<PageOfRows> {
    const rows: string[] = [];
    const meter = makeRowMeter(grow);
    let length = 0;
    const needed = Math.min(count, this.#left);
    while (rows.length < needed && (await this.#hasRow(next))) {
      const row = this.#current.text(this.#index++);
      length += row.length;
      if (length > MAX_PAGE_LENGTH) throw tooLong();
      const growing = meter.add(row);
      if (growing !== null) await growing;
      rows.push(row);
    }
    this.#left -= rows.length;
    const mayGoOn = this.#left > 0;
    const hasMore = (mayGoOn || this.#isCutAtMost) && (await this.#hasRow(next));
    return { rows, truncated: hasMore || (mayGoOn && this.#source.isCut), hasNext: hasMore && mayGoOn };
  }

  async #hasRow(next: () => Promise<Rows | null>): Promise<boolean> {
    while (this.#index >= this.#current.count) {
      const rows = await next();
      if (rows === null) return false;
      this.#current = rows;
      this.#index = 0;
    }
    return true;
  }
}

function tooLong(): ServiceError {
  return new ServiceError(
    'resource_exhausted',
    'The answer is longer than 32 MiB; select fewer columns or rows.',
  );
}
