/** The times of a table's first and last entry, in microseconds since the epoch. Every entry has one. */
export interface EntryTimes {
  readonly firstMicros: bigint;
  readonly lastMicros: bigint;
}

/** What is known besides the query when it is translated. */
export interface KnownData {
  /** By table; absent for one that has no entries, or some without a time. */
  readonly timeRanges: ReadonlyMap<string, EntryTimes>;
  /** The names of the parameters whose value is NULL. */
  readonly nullParameters: ReadonlySet<string>;
}

export const NOTHING_KNOWN: KnownData = { timeRanges: new Map(), nullParameters: new Set() };
