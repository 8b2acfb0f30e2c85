import { formatDuration } from '../time/format-time.js';

/** How often the time is shown anew. */
const STEP_MS = 100;

/**
 * Counts the time while a query runs. It is no status: a screen reader would read each step of it.
 *
 * @param {HTMLElement} place
 */
export function makeElapsed(place) {
  let startMs = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const show = () => {
    place.textContent = formatDuration(performance.now() - startMs);
  };
  const stop = () => {
    clearInterval(timer);
    place.hidden = true;
  };
  return {
    start() {
      stop();
      startMs = performance.now();
      place.hidden = false;
      show();
      timer = setInterval(show, STEP_MS);
    },
    stop,
  };
}
