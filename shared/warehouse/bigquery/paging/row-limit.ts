/** How many pages of a result can be read. BigQuery sorts what it keeps on one machine, so that there is an end. */
export const MAX_PAGES = 10;

/** How many rows of a result can be read in pages of `maxRows`. */
export function rowLimitOf(maxRows: number): number {
  return MAX_PAGES * maxRows;
}
