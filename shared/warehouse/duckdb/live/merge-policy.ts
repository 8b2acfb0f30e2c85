import { rowsOf, type Segment } from './manifest.ts';

/** Which segments are merged. */
export interface MergeLimits {
  /** So many segments of about one size become one. */
  readonly mergeCount: number;
  /** No merge makes a segment with more entries. */
  readonly mergeRows: number;
}

/**
 * The segments to merge next, those of the smallest size first: sizes are told apart by powers of `mergeCount`, so that an entry is
 * written once for each power. Empty where no size has so many.
 */
export function mergeCandidates(
  segments: readonly Segment[],
  { mergeCount, mergeRows }: MergeLimits,
): readonly Segment[] {
  const bySize = new Map<number, Segment[]>();
  for (const segment of segments) {
    const size = Math.floor(Math.log(Math.max(1, rowsOf(segment))) / Math.log(mergeCount));
    bySize.set(size, [...(bySize.get(size) ?? []), segment]);
  }
  for (const [, same] of [...bySize].sort(([a], [b]) => a - b)) {
    const candidates = same.slice(0, mergeCount);
    const rows = candidates.reduce((sum, segment) => sum + rowsOf(segment), 0);
    if (candidates.length === mergeCount && rows <= mergeRows) return candidates;
  }
  return [];
}
