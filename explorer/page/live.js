import { QueryError } from '../../client/client.js';

/** The milliseconds between an answer and the next question; a service on this machine asks no warehouse that bills each. */
const STEP_MS = 2000;
const STEP_ON_THIS_MACHINE_MS = 500;
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Follows new entries: asks the same again and again while nobody reads further down.
 *
 * @param {object} page
 * @param {HTMLButtonElement} page.button
 * @param {HTMLElement} page.rows Where the rows are, which may be scrolled.
 * @param {(signal: AbortSignal) => Promise<void>} page.refresh Asks again and shows what came.
 * @param {(error: QueryError) => void} page.complain
 */
export function makeLive({ button, rows, refresh, complain }) {
  const stepMs = THIS_MACHINE.has(location.hostname) ? STEP_ON_THIS_MACHINE_MS : STEP_MS;
  /** @type {AbortController | null} */
  let running = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** Why new rows would disturb; empty for no reason. */
  function pause() {
    if (document.hidden) return 'hidden';
    const isScrolled = (rows.querySelector('.scroll')?.scrollTop ?? 0) > 0;
    if (isScrolled) return 'scrolled';
    return rows.querySelector('tr.details:not([hidden])') === null ? '' : 'a row is open';
  }

  function show() {
    const reason = running === null ? '' : pause();
    button.setAttribute('aria-pressed', String(running !== null));
    button.textContent = running === null ? 'Live' : reason === '' ? 'Live: on' : `Live: paused, ${reason}`;
  }

  async function step() {
    if (running === null) return;
    const { signal } = running;
    show();
    if (pause() === '') {
      try {
        await refresh(signal);
      } catch (error) {
        if (signal.aborted) return;
        stop();
        if (!(error instanceof QueryError)) throw error;
        return complain(error);
      }
    }
    if (!signal.aborted) timer = setTimeout(step, stepMs);
  }

  function stop() {
    clearTimeout(timer);
    running?.abort();
    running = null;
    show();
  }

  function start() {
    running = new AbortController();
    void step();
  }

  button.addEventListener('click', () => (running === null ? start() : stop()));
  rows.addEventListener('scroll', show, { capture: true, passive: true });
  rows.addEventListener('click', () => setTimeout(show));
  document.addEventListener('visibilitychange', show);
  show();
  return { stop };
}
