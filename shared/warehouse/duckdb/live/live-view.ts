import { join } from 'node:path';
import type { TableShape } from './table-shape.ts';

/** A part of a source's entries in a table of a file. */
export interface StoredPart {
  readonly shape: TableShape;
  /** Entries in the source's table, and how many of them are in the one beside it too; a table without entries need not be there. */
  readonly rows: number;
  readonly repeatedRows: number;
}

/** A part whose entries were loaded. */
export interface LoadedPart extends StoredPart {
  /** The records that are flat in the table beside the source's, too. */
  readonly flatRepeated: readonly string[];
  /** Whether that table has a row for each element of a record, of which the first of an entry has the whole of it. */
  readonly sharesElements: boolean;
}

/** A part in a segment. */
export interface SegmentPart extends StoredPart {
  /** The segment's file. */
  readonly file: string;
  /** The time of its last entry, in microseconds since the epoch. */
  readonly lastMicros: bigint;
}

/** A part in a file of records. */
export interface LiveTail {
  readonly file: number;
  readonly shape: TableShape;
  /** Whether it has entries that have a flat record twice. */
  readonly hasRepeated: boolean;
}

/** Where the entries of a source are that has more of them than the loaded ones. */
export interface LiveTable {
  /** Holds the entries of all parts. */
  readonly shape: TableShape;
  /** Whether any part has entries that have a flat record twice. */
  readonly hasRepeated: boolean;
  /** What was loaded. */
  readonly base: LoadedPart;
  readonly segments: readonly SegmentPart[];
  /** The parts in files of records, by the file's number. */
  readonly tails: readonly LiveTail[];
}

/** The files and tables with entries that arrived live. Plain data, as it is sent to query processes. */
export interface LiveSnapshot {
  /** Grows with every change. */
  readonly version: number;
  readonly directory: string;
  /** The sources that have such entries; others are as they were loaded. */
  readonly tables: ReadonlyMap<string, LiveTable>;
  /** Older entries are not seen, in microseconds since the epoch; null for no limit. */
  readonly oldestMicros: bigint | null;
}

/** All that a query has to see. */
export interface LiveView {
  readonly snapshot: LiveSnapshot;
  /** How much of each file of records is durable, in bytes. */
  readonly positions: readonly { readonly file: number; readonly bytes: number }[];
}

/** Hands out what there is now. The files of a view stay until it is released. */
export interface LiveViews {
  readonly current: LiveSnapshot;
  acquire(): { readonly view: LiveView; release(): void };
}

export const NOTHING_LIVE: LiveSnapshot = {
  version: 0,
  directory: '',
  tables: new Map(),
  oldestMicros: null,
};

/** The path of a file of records, by its number, in the folder of live entries. */
export const recordPath = (directory: string, file: number): string => join(directory, `records-${file}.log`);
