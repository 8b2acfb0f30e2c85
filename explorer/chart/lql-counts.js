/** The periods by which LQL's charts count, in seconds. */
const PERIODS = /** @type {const} */ ([
  ['second', 1],
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
]);
/** Charts have no more rows than other results; this leaves room for the ones at both ends. */
const MOST_BUCKETS = 900;

/**
 * The query that counts what an LQL query finds, and how many seconds its buckets are long; null for a query that is a
 * chart already. Without a range, days.
 *
 * @param {string} query
 * @param {number | null} rangeSeconds
 * @param {number} wantedSeconds Of one bar; buckets are not longer where that can be.
 */
export function lqlCounts(query, rangeSeconds, wantedSeconds) {
  const unquoted = query.replace(/"(?:[^"\\]|\\[\s\S])*"?/g, '""');
  if (/(?:^|\s)(?:c|chart):/.test(unquoted)) return null;
  const fitting = PERIODS.filter(
    ([, seconds]) => rangeSeconds !== null && rangeSeconds / seconds <= MOST_BUCKETS,
  );
  const [period, seconds] = fitting.findLast(([, one]) => one <= wantedSeconds) ??
    fitting[0] ?? ['day', 86_400];
  return { query: `${query} c:count(*) c:group_by(t::${period})`, seconds };
}
