import type { BoundedTimeRange } from '../../../time/time-range.ts';
import { MIN_TIMESTAMP_MICROS, SPAN_MICROS, type TimeSpan } from '../../../time/units.ts';

/** How finely the log tables are partitioned by time. BigQuery reads a partition as a whole or not at all. */
export type PartitionBy = TimeSpan;

/** The partitions that a range of time touches. */
export interface PartitionedRange {
  /** How many there are; null where the range has no beginning. */
  readonly partitions: number | null;
  /**
   * A part of the range that touches so many partitions, the newest ones: 1 and more, but fewer than the range itself.
   * More partitions take in all that fewer do.
   */
  newest(count: number): BoundedTimeRange;
}

/**
 * Cuts a range of time into partitions; null where nothing can lie in it. A range
 * that ends where a partition begins has that partition read for a single instant: its parts end before it.
 */
export function partitionRange(
  { after, upTo }: { readonly after: bigint | null; readonly upTo: bigint },
  partitionBy: PartitionBy,
): PartitionedRange | null {
  const width = SPAN_MICROS[partitionBy];
  const end = partitionStart(upTo, width) === upTo ? upTo - 1n : upTo;
  if (end <= (after ?? MIN_TIMESTAMP_MICROS)) return null;
  const last = partitionStart(end, width);
  const from = (start: bigint, until = end): BoundedTimeRange => ({
    after: start < (after ?? MIN_TIMESTAMP_MICROS) ? (after ?? MIN_TIMESTAMP_MICROS) : start,
    upTo: until,
  });
  // The last partition may have hardly begun; the one before it is then more of the range at the same price or less.
  const one = [from(last), from(last - width, last - 1n)].filter((range) => lengthOf(range) > 0n);
  const longestOne = one.reduce(
    (best, range) => (lengthOf(range) > lengthOf(best) ? range : best),
    from(last),
  );
  return {
    partitions:
      after === null
        ? null
        : Number((partitionStart(upTo, width) - partitionStart(after, width)) / width) + 1,
    newest: (count) => (count === 1 ? longestOne : from(last - BigInt(count - 1) * width)),
  };
}

function lengthOf({ after, upTo }: BoundedTimeRange): bigint {
  return upTo - after;
}

/** Where the partition begins that an instant lies in. */
export function partitionStart(micros: bigint, width: bigint): bigint {
  const rest = micros % width;
  return micros - (rest < 0n ? rest + width : rest);
}
