import { readHistory } from './session.js';

/** @import { PastQuery } from './session.js' */

/** Walks through past queries in one language; what was being written when the walk began stands at its end. */
export function makeHistoryWalk() {
  /** @type {{ entries: readonly PastQuery[], at: number } | null} */
  let walk = null;
  return {
    /** The text was changed by hand or run, so a walk begins anew. */
    end() {
      walk = null;
    },
    /** The next one in a direction; null where there is none. @param {-1 | 1} step @param {PastQuery} written @returns {PastQuery | null} */
    step(step, written) {
      if (walk === null) {
        const others = readHistory().filter(
          ({ query, language }) => query !== written.query && language === written.language,
        );
        walk = { entries: [...others, written], at: others.length };
      }
      const next = walk.entries[walk.at + step];
      if (next === undefined) return null;
      walk.at += step;
      return next;
    },
  };
}
