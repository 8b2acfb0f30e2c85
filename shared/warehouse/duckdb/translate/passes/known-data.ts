import type { TableLayouts } from '../../store/layout.ts';

/** The times of a table's first and last entry, in microseconds since the epoch. Every entry has one. */
export interface EntryTimes {
  readonly firstMicros: bigint;
  readonly lastMicros: bigint;
}

/** What is known of the tables. It holds as long as nothing is loaded. */
export interface KnownTables {
  /** By table; absent for one that has no entries, or some without a time. */
  readonly timeRanges: ReadonlyMap<string, EntryTimes>;
  /** By table; one that is absent is laid out as its schema is. */
  readonly layouts: TableLayouts;
  /**
   * The relations that a table's entries lie in, by table, where there are several: each is sorted by time, or small. Absent for
   * a table that is one. They are in the schema of live relations, as is their union, which has the table's name.
   */
  readonly parts?: ReadonlyMap<string, readonly string[]>;
}

/** What is known besides the query when it is translated. */
export interface KnownData extends KnownTables {
  /** The names of the parameters whose value is NULL. */
  readonly nullParameters: ReadonlySet<string>;
}

export const NOTHING_KNOWN: KnownData = {
  timeRanges: new Map(),
  layouts: new Map(),
  nullParameters: new Set(),
};
