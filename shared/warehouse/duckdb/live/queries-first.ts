import { setTimeout as sleep } from 'node:timers/promises';

/** Other work waits for queries no longer than this, in ms: beside queries that never end, it goes on some hundred times a second. */
const MOST_WAIT_MS = 5;

/** Has other work wait for the end of a query, as both share a thread. */
export class QueriesFirst {
  #running = 0;
  #waiting: (() => void)[] = [];

  /** Runs a query. */
  async run<T>(query: () => Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await query();
    } finally {
      this.#running -= 1;
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  /** Resolves when a query ends, at once where none runs, and after a few ms in any case. */
  async turn(): Promise<void> {
    if (this.#running === 0) return;
    const timer = new AbortController();
    const ended = new Promise<void>((resolve) => this.#waiting.push(resolve));
    await Promise.race([ended, sleep(MOST_WAIT_MS, undefined, { signal: timer.signal }).catch(() => {})]);
    timer.abort();
  }
}
