/** Other work waits for queries no longer than this, in ms: beside queries that never end, it goes on some hundred times a second. */
const MOST_WAIT_MS = 5;

/** Has other work wait for the end of a query, as both share a thread. */
export class QueriesFirst {
  #running = 0;
  readonly #waiting = new Set<() => void>();

  /** Runs a query. */
  async run<T>(query: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await query();
    } finally {
      this.#running -= 1;
      for (const go of [...this.#waiting]) go();
    }
  }

  /** Resolves when a query ends, at once where none runs, and after a few ms in any case. */
  async turn(): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, MOST_WAIT_MS);
      this.#waiting.add(go);
    });
  }
}
