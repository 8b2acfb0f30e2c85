import type { BoundParameters } from '../../endpoints/bind-parameters.ts';
import type { Endpoint, Lookback } from '../../endpoints/endpoint.ts';
import { formatMicros } from '../../time/iso-timestamp.ts';
import { intersection, type TimeRange } from '../../time/time-range.ts';
import { MICROS_PER_SECOND, MIN_TIMESTAMP_MICROS } from '../../time/units.ts';

/** The range that the endpoint's parameters of that role bound; null where it has none. */
export function boundsOf({ timeWindow }: Endpoint, { values }: BoundParameters): TimeRange | null {
  if (timeWindow === null) return null;
  const bound = (name: string) => {
    const value = values.get(name)?.value;
    return typeof value === 'bigint' ? value : null;
  };
  return { after: bound(timeWindow.start), upTo: bound(timeWindow.end) };
}

/**
 * The range of an endpoint whose sources reach back from `nowMicros` as far as a parameter says; null for any other.
 * Entries at the start itself belong to such a source.
 */
export function lookbackOf(
  { lookback }: Endpoint,
  bound: BoundParameters,
  nowMicros: bigint,
): TimeRange | null {
  const seconds = lookback?.seconds[lookbackValue(lookback, bound)];
  if (seconds === undefined) return null;
  return { after: nowMicros - BigInt(seconds) * MICROS_PER_SECOND, upTo: nowMicros };
}

/** The value that says how far back the sources reach. */
export function lookbackValue({ parameter }: Lookback, { values }: BoundParameters): string {
  return String(values.get(parameter)?.value);
}

/**
 * What the bounds and a query's own clauses leave of time together: as bounds of an endpoint it would have the same
 * entries. The start does not lie before the end where nothing is left.
 */
export function narrowRange(bounds: TimeRange | null, clauses: TimeRange | null): TimeRange | null {
  if (clauses === null || (clauses.after === null && clauses.upTo === null)) return bounds;
  return intersection(bounds, ofTimestamps(clauses));
}

/** A side of a range as it is written: ISO 8601 in UTC, `none` without a bound. */
export function boundText<T>(micros: bigint | null, none: T): string | T {
  return micros === null ? none : formatMicros(micros);
}

/** The same range with bounds that are timestamps: no entry lies before the first one. */
function ofTimestamps({ after, upTo }: TimeRange): TimeRange {
  return {
    after: after !== null && after < MIN_TIMESTAMP_MICROS ? null : after,
    upTo: upTo !== null && upTo < MIN_TIMESTAMP_MICROS ? MIN_TIMESTAMP_MICROS : upTo,
  };
}
