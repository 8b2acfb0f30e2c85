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
  /** Where a table's entries lie, by table, where that is in several places; absent for a table that is one. */
  readonly parts?: ReadonlyMap<string, readonly TablePart[]>;
  /** By source, for those that few of the parts hold the newest entries of. */
  readonly recent?: ReadonlyMap<string, RecentEntries>;
}

/** Those parts of a table that have all of its entries after an instant. */
export interface RecentEntries {
  /** In microseconds since the epoch. */
  readonly afterMicros: bigint;
  /** By table: the source's own, and the one beside it. */
  readonly parts: ReadonlyMap<string, readonly TablePart[]>;
  /** Whether there is one beside it. */
  readonly hasRepeated: boolean;
}

/** A part of a table's entries: sorted by time, or small. */
export interface TablePart {
  /** Unlike that of any table. */
  readonly name: string;
  readonly sources: readonly TableSource[];
}

/** DuckDB SQL of a relation with all columns of a table, and of the condition under which its rows are the table's. */
export interface TableSource {
  readonly from: string;
  readonly where: string | null;
  /** What has to be filled before it is read, by a name that whoever gives the source knows; absent for nothing. */
  readonly unit?: string;
  /** The same rows with few columns, which are filled sooner; absent where there is no such relation. */
  readonly narrow?: NarrowSource | undefined;
}

/** A relation with few columns of a table; `unit` is what has to be filled before it is read. */
export interface NarrowSource {
  readonly from: string;
  readonly unit: string;
  readonly columns: ReadonlySet<string>;
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
