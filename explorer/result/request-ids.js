/** @import { Row } from './columns.js' */

/** Fields that carry the id of a request from one source to another; the service knows the same ones. */
const NAMES = new Set(
  'requestid xrequestid sbrequestid reqid cfray rayid traceid correlationid executionid'.split(' '),
);
/** Shorter texts are no ids. */
const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 300;
const MAX_IDS = 5;

/** The ids of the request that an entry is about, by the names of its fields and of its columns. @param {Row} row @returns {readonly string[]} */
export function requestIds(row) {
  /** @type {Set<string>} */
  const found = new Set();
  const walk = (/** @type {unknown} */ value, /** @type {string} */ name) => {
    if (typeof value === 'object' && value !== null) {
      for (const [key, part] of Object.entries(value)) walk(part, Array.isArray(value) ? name : key);
    } else if (typeof value === 'string' && NAMES.has(name.toLowerCase().replaceAll('_', ''))) {
      // Some sources add the place to a ray: `5be324ee0c9497fd-NRT`.
      const id = value.replace(/-[A-Z]{3}$/, '');
      if (id.length >= MIN_CHARACTERS && id.length <= MAX_CHARACTERS) found.add(id);
    }
  };
  walk(row, '');
  return [...found].slice(0, MAX_IDS);
}
