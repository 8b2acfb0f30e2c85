/** Microseconds in the parts of fixed length. */
export const PART_MICROS: Readonly<Record<string, bigint>> = {
  MICROSECOND: 1n,
  MILLISECOND: 1_000n,
  SECOND: 1_000_000n,
  MINUTE: 60_000_000n,
  HOUR: 3_600_000_000n,
  DAY: 86_400_000_000n,
};
