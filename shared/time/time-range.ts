/** A span of time in microseconds since the epoch; null for a side without a bound. */
export interface TimeRange {
  /** Exclusive. */
  readonly after: bigint | null;
  /** Inclusive. */
  readonly upTo: bigint | null;
}

/** One with both bounds. */
export type BoundedTimeRange = Readonly<Record<keyof TimeRange, bigint>>;

/** Whether nothing can lie in a range. */
export function isEmptyRange({ after, upTo }: TimeRange): boolean {
  return after !== null && upTo !== null && after >= upTo;
}

/** What two ranges have in common; `null` stands for all time. */
export function intersection(one: TimeRange | null, other: TimeRange | null): TimeRange | null {
  if (one === null || other === null) return one ?? other;
  return {
    after: tighter(one.after, other.after, (a, b) => a > b),
    upTo: tighter(one.upTo, other.upTo, (a, b) => a < b),
  };
}

function tighter(
  one: bigint | null,
  other: bigint | null,
  isTighter: (one: bigint, other: bigint) => boolean,
): bigint | null {
  if (one === null || other === null) return one ?? other;
  return isTighter(one, other) ? one : other;
}
