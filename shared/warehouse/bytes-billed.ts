/** BigQuery bills no query that reads a table for less (https://cloud.google.com/bigquery/pricing, on-demand). */
export const LEAST_BYTES_BILLED = 10 * 1024 ** 2;

const MEBIBYTE = 1024 ** 2;

/**
 * What BigQuery bills for a query by its documented rule, in bytes: whole MiB, and at least 10 MiB for each table that
 * the query names. Job statistics are exact and come first; this is for where they are missing, and for estimates.
 */
export function bytesBilledByRule(bytesProcessed: number, tableCount: number): number {
  if (tableCount === 0) return 0;
  return Math.max(Math.ceil(bytesProcessed / MEBIBYTE) * MEBIBYTE, tableCount * LEAST_BYTES_BILLED);
}
