import { showHistogram } from '../chart/histogram.js';
import { between } from '../time/window.js';
import { byId } from './elements.js';

/** @import { Counts } from './run-query.js' */
/** @import { Zone } from '../time/format-time.js' */
/** @import { TimeWindow } from '../time/window.js' */

/**
 * The place of the histogram, which shows the counts that it was given last.
 *
 * @param {{ readonly zone: () => Zone, readonly zoomTo: (window: TimeWindow) => void }} page
 */
export function makeHistogramPanel({ zone, zoomTo }) {
  const section = byId('histogram', HTMLElement);
  /** @type {Counts | null} */
  let counts = null;

  function draw() {
    section.setAttribute('aria-busy', 'false');
    section.hidden = counts === null || counts.buckets.length === 0;
    if (counts === null || section.hidden) return;
    showHistogram(section, { ...counts, zone: zone() }, (startMs, endMs) => {
      const window = between(startMs, endMs);
      if (window !== null) zoomTo(window);
    });
  }

  return {
    /** Draws it anew: for another time zone or another width. */
    draw,
    /** @param {Counts | null} next Null for none. */
    show(next) {
      counts = next;
      draw();
    },
    /** Counting goes on: with `hasPlace` the place stays free, so that nothing moves under the mouse. @param {boolean} hasPlace */
    wait(hasPlace) {
      if (hasPlace) section.hidden = false;
      section.setAttribute('aria-busy', 'true');
    },
  };
}
