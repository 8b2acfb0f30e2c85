import { QueryError } from '../../client/client.js';

/** @import { PastQuery } from '../state/session.js' */

/** How long nothing is typed before the text is checked. */
const PAUSE_MS = 700;

/**
 * Has the service check a query while it is written, and marks what is wrong with it. Nothing runs, and a check that fails for
 * another reason marks nothing.
 *
 * @param {object} page
 * @param {() => PastQuery} page.read
 * @param {(query: PastQuery, signal: AbortSignal) => Promise<unknown> | null} page.explain Null where it cannot be asked yet.
 * @param {(query: PastQuery, error: QueryError) => void} page.mark
 */
export function makeQueryCheck({ read, explain, mark }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {AbortController | null} */
  let running = null;

  async function check() {
    const query = read();
    if (query.query.trim() === '') return;
    const own = new AbortController();
    running = own;
    try {
      await explain(query, own.signal);
    } catch (error) {
      if (own.signal.aborted || !(error instanceof QueryError) || error.code !== 400) return;
      mark(query, error);
    }
  }

  function stop() {
    clearTimeout(timer);
    running?.abort();
    running = null;
  }

  return {
    /** The text was changed by hand. */
    changed() {
      stop();
      timer = setTimeout(() => void check(), PAUSE_MS);
    },
    /** What is written runs, which tells the same. */
    stop,
  };
}
