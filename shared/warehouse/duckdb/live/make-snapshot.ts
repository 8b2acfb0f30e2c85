import type { LiveSnapshot, LiveTable, LoadedPart } from './live-view.ts';
import type { Segment } from './manifest.ts';
import type { FileTable } from './record-files.ts';
import { mergeShapes } from './table-shape.ts';

/** All places that hold entries: loaded tables, segments, and files of records. */
export interface SnapshotParts {
  readonly loaded: ReadonlyMap<string, LoadedPart>;
  readonly segments: readonly Segment[];
  /** The files of records that are in no segment. */
  readonly files: readonly { readonly file: number; readonly tables: ReadonlyMap<string, FileTable> }[];
}

/** The tables of a snapshot: sources that have entries besides the loaded ones, or of which some are too old to be seen. */
export function liveTables(
  { loaded, segments: stored, files }: SnapshotParts,
  oldestMicros: bigint | null,
): LiveSnapshot['tables'] {
  const live = new Map<string, LiveTable>();
  for (const [source, base] of loaded) {
    const segments = stored.flatMap(({ file, tables }) =>
      tables.flatMap((table) => {
        const { shape, rows, repeatedRows, lastMicros } = table;
        return table.source === source ? [{ file, shape, rows, repeatedRows, lastMicros }] : [];
      }),
    );
    const tails = files.flatMap(({ file, tables }) => {
      const table = tables.get(source);
      return table === undefined ? [] : [{ file, ...table }];
    });
    if (segments.length + tails.length === 0 && oldestMicros === null) continue;
    const parts = [base, ...segments];
    live.set(source, {
      shape: tails
        .map(({ shape }) => shape)
        .reduce(mergeShapes, parts.map(({ shape }) => shape).reduce(mergeShapes)),
      hasRepeated:
        parts.some(({ repeatedRows }) => repeatedRows > 0) || tails.some((tail) => tail.hasRepeated),
      base,
      segments,
      tails,
    });
  }
  return live;
}
