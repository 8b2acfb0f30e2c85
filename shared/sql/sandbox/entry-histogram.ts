import type { EntrySelection } from './entry-selection.ts';

/**
 * The query that counts selected entries by spans of so many seconds, which begin at multiples of that since the epoch: one
 * row for each span that has entries, in order, with the span's start as `timestamp` and their number as `count`.
 */
export function histogramSql({ with: ctes, rows, time }: EntrySelection, seconds: number): string {
  const at = `UNIX_SECONDS(${time})`;
  // MOD has the sign of its first argument, which is negative before 1970.
  const start = `${at} - MOD(MOD(${at}, ${seconds}) + ${seconds}, ${seconds})`;
  return `${ctes} SELECT TIMESTAMP_SECONDS(${start}) AS timestamp, COUNT(*) AS count FROM (${rows}) GROUP BY 1 ORDER BY 1`;
}
