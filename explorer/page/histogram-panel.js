import { showHistogram } from '../chart/histogram.js';
import { between, widened } from '../time/window.js';
import { byId, element } from './elements.js';

/** @import { Counts } from './run-query.js' */
/** @import { Zone } from '../time/format-time.js' */
/** @import { TimeWindow } from '../time/window.js' */

/** Windows that zooming came from, the latest last. */
const MAX_STEPS = 50;

/**
 * The place of the histogram, which shows the counts that it was given last.
 *
 * @param {{ readonly zone: () => Zone, readonly window: () => TimeWindow, readonly nowMs: () => number, readonly zoomTo: (window: TimeWindow) => void }} page
 */
export function makeHistogramPanel({ zone, window, nowMs, zoomTo }) {
  const section = byId('histogram', HTMLElement);
  /** @type {Counts | null} */
  let counts = null;
  /** Windows that were zoomed into, each with the one before it. @type {readonly { readonly from: TimeWindow, readonly to: TimeWindow }[]} */
  let steps = [];

  /** @param {TimeWindow} to */
  function zoom(to) {
    const from = window();
    if (JSON.stringify(from) === JSON.stringify(to)) return;
    steps = [...steps, { from, to }].slice(-MAX_STEPS);
    zoomTo(to);
  }

  /** Back to where zooming came from; from any other window to one three times as wide. */
  function zoomOut() {
    const current = window();
    const last = steps.at(-1);
    const isZoomed = last !== undefined && JSON.stringify(last.to) === JSON.stringify(current);
    steps = isZoomed ? steps.slice(0, -1) : [];
    zoomTo(isZoomed ? last.from : widened(current, nowMs()));
  }

  function draw() {
    section.setAttribute('aria-busy', 'false');
    section.hidden = counts === null || counts.buckets.length === 0;
    if (counts === null || section.hidden) return;
    const acts = {
      zoom(/** @type {number} */ startMs, /** @type {number} */ endMs) {
        const chosen = between(startMs, endMs);
        if (chosen !== null) zoom(chosen);
      },
      zoomOut: window().kind === 'all' ? null : zoomOut,
    };
    showHistogram(section, { ...counts, zone: zone() }, acts);
  }

  return {
    /** Draws it anew: for another time zone or another width. */
    draw,
    /** @param {Counts | null} next Null for none. */
    show(next) {
      counts = next;
      section.classList.remove('stale');
      draw();
    },
    /** Nothing was counted: what stands there, dimmed, is of an earlier query. */
    keep() {
      section.classList.add('stale');
      draw();
    },
    /** Counting goes on: with `hasPlace` the place stays free, so that nothing moves under the mouse. @param {boolean} hasPlace */
    wait(hasPlace) {
      section.setAttribute('aria-busy', 'true');
      if (!hasPlace || !section.hidden) return;
      section.hidden = false;
      section.replaceChildren(
        element(
          'p',
          { class: 'caption' },
          element('span', { class: 'waiting', role: 'status' }, 'Counting entries…'),
        ),
        element('div', { class: 'skeleton', 'aria-hidden': 'true' }),
      );
    },
  };
}
