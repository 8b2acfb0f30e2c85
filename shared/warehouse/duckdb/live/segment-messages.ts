import type { Segment, SegmentTable } from './manifest.ts';
import type { TableShape } from './table-shape.ts';

/** A file of records that becomes a segment, `bytes` from its start. */
export interface SealedRecords {
  readonly file: number;
  readonly bytes: number;
  readonly shapes: ReadonlyMap<string, TableShape>;
}

/** What the process that writes segments needs to begin with. */
export interface SegmentFolders {
  /** Where files of records and segments lie. */
  readonly directory: string;
  /** Where sorting may spill. */
  readonly temporaryDirectory: string;
}

/** The entries of a new segment. */
export type SegmentContent =
  | { readonly kind: 'seal'; readonly records: SealedRecords }
  | { readonly kind: 'merge'; readonly segments: readonly Segment[]; readonly oldestMicros: bigint | null };

/** A message of the service to the process that writes segments. One at a time. */
export interface SegmentOrder {
  readonly folders: SegmentFolders;
  readonly content: SegmentContent;
  /** The new file. */
  readonly path: string;
}

/** What became of an order. */
export type SegmentReport =
  | { readonly kind: 'written'; readonly tables: SegmentTable[] }
  | { readonly kind: 'failed'; readonly reason: string };
