import type { LiveReader } from './live-reader.ts';
import type { LiveViews } from './live-view.ts';

/** For so long after a query, entries are read as they arrive, in ms. */
const READ_AHEAD_MS = 5_000;
/** And so long after the first that was not read, with those that came meanwhile: to read few takes as long as to read some hundreds. */
const READ_AHEAD_AFTER_MS = 100;

/** Where queries come often, has entries read before the next one waits for them. */
export class ReadAhead {
  readonly #reader: LiveReader;
  readonly #acquire: LiveViews['acquire'];
  #timer: NodeJS.Timeout | null = null;
  #lastQueryMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(reader: LiveReader, acquire: LiveViews['acquire']) {
    this.#reader = reader;
    this.#acquire = acquire;
  }

  onQuery(): void {
    this.#lastQueryMs = performance.now();
  }

  onEntries(): void {
    if (this.#timer !== null || this.#isClosed) return;
    if (performance.now() - this.#lastQueryMs > READ_AHEAD_MS) return;
    this.#timer = setTimeout(() => void this.#read(), READ_AHEAD_AFTER_MS);
    this.#timer.unref();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer ?? undefined);
  }

  async #read(): Promise<void> {
    const { view, release } = this.#acquire();
    try {
      await this.#reader.readAhead(view, READ_AHEAD_MS);
    } catch {
      // The next query meets the same error, and reports it.
    } finally {
      release();
      this.#timer = null;
    }
  }
}
