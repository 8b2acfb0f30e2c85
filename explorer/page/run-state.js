import { makeElapsed } from './elapsed.js';
import { byId } from './elements.js';

/** @import { makeResultView } from './result-view.js' */

/**
 * The one query that runs, and what of the page shows that it does: the time that it takes, and the button that cancels it.
 *
 * @param {Pick<ReturnType<typeof makeResultView>, 'setBusy'>} result
 */
export function makeRunState(result) {
  const cancelButton = byId('cancel', HTMLButtonElement);
  const elapsed = makeElapsed(byId('elapsed', HTMLSpanElement));
  /** @type {AbortController | null} */
  let running = null;

  /** The rows are there, or there are none. */
  function settle() {
    elapsed.stop();
    result.setBusy(false);
  }

  return {
    isRunning: () => running !== null,
    /** Ends what runs and begins something new; answers what is aborted when that ends early. */
    start() {
      running?.abort();
      running = new AbortController();
      result.setBusy(true);
      elapsed.start();
      cancelButton.hidden = false;
      return running.signal;
    },
    settle,
    /** What began with this signal is over, unless something else has begun since. @param {AbortSignal} signal */
    stop(signal) {
      if (running?.signal !== signal) return;
      running = null;
      settle();
      cancelButton.hidden = true;
    },
    /** Ends what runs, and leaves what is shown to the caller. */
    abort: () => running?.abort(),
    /** Ends what runs, and shows so; answers whether something ran. */
    cancel() {
      if (running === null) return false;
      running.abort();
      this.stop(running.signal);
      return true;
    },
  };
}
