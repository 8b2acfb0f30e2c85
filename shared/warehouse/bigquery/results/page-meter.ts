import { makeRowMeter, type RowMeter } from '../../row-meter.ts';
import type { RunOptions } from '../../warehouse.ts';
import type { OnBytes } from '../rest/rest-api.ts';

/** Counts what an answer takes while it is read: its rows so far, and the page that is being read. */
export interface PageMeter {
  readonly rows: RowMeter;
  /** Undefined where bytes are not counted. */
  readonly onBytes: OnBytes | undefined;
}

/** A page is there as bytes, as text and as values, before its rows are. */
const PAGE_PART = 4;

/**
 * A meter that asks `grow` for the bytes of the rows and `PAGE_PART` times those of the page that is read. Without
 * `grow`, nothing is counted.
 */
export function makePageMeter(grow: RunOptions['grow']): PageMeter {
  const rows = makeRowMeter(grow);
  if (grow === undefined) return { rows, onBytes: undefined };
  return { rows, onBytes: (bytes) => grow(rows.bytes + PAGE_PART * bytes) };
}
