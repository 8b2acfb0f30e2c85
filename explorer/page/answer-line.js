import { formatBytes } from '../result/format-bytes.js';
import { formatDuration, formatSeconds } from '../time/format-time.js';
import { element } from './elements.js';

/** @import { Shown } from './result-view.js' */

const CACHE_STATES = /** @type {Readonly<Record<string, string>>} */ ({
  BYPASS: 'not cached',
  MISS: 'computed now',
  REFRESH: 'computed anew',
  HIT: 'from the cache',
});

/** What the line above the rows says of an answer: how many rows, how long it took, what was read for it. @param {Pick<Shown, 'rows' | 'facts'>} shown @returns {readonly HTMLElement[]} */
export function factsOf({ rows, facts }) {
  const { cache, ageSeconds, bytesProcessed, bytesBilled, rowsScanned } = facts;
  const { durationMs, requestId, redactions, timingMs } = facts;
  const isKept = cache === 'HIT';
  const age = isKept && ageSeconds !== null ? `, ${formatSeconds(ageSeconds)} old` : '';
  const phases = Object.entries(timingMs).map(([phase, ms]) => `${phase} ${ms} ms`);
  const fact = (/** @type {string} */ text, title = '', kind = '') =>
    element('span', { title: title === '' ? null : title, class: kind === '' ? null : kind }, text);
  return [
    element('strong', {}, `${rows.length.toLocaleString('en-US')} ${rows.length === 1 ? 'row' : 'rows'}`),
    fact(formatDuration(durationMs), phases.join(', ')),
    ...(cache === null
      ? []
      : [fact((CACHE_STATES[cache] ?? cache.toLowerCase()) + age, `X-Cache: ${cache}`)]),
    ...(bytesProcessed === null ? [] : [fact(`${formatBytes(bytesProcessed)} read`)]),
    ...(rowsScanned === null
      ? []
      : [
          fact(
            `${rowsScanned.toLocaleString('en-US')} ${rowsScanned === 1 ? 'row' : 'rows'} scanned`,
            'Rows of the tables that the engine read, in groups of 16,384; groups that cannot match are left out',
          ),
        ]),
    ...(bytesBilled === null || isKept ? [] : [fact(`${formatBytes(bytesBilled)} billed`)]),
    ...(redactions === null || redactions === 0 ? [] : [fact(`${redactions} redacted`)]),
    ...(requestId === null ? [] : [fact(requestId, 'Request id', 'request-id')]),
  ];
}
