import type { RequestedWindow } from '../access/check-window.ts';
import type { BoundParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint, Lookback } from '../endpoints/endpoint.ts';
import type { TimeWindow as OwnWindow } from '../lql/time-window.ts';
import { formatMicros } from '../time/iso-timestamp.ts';
import { MICROS_PER_SECOND, MIN_TIMESTAMP_MICROS } from '../time/units.ts';

/** The range of time that a request reads, ISO 8601 in UTC; null for a side without a bound. */
export interface TimeWindow {
  /** Exclusive. */
  readonly start: string | null;
  /** Inclusive. */
  readonly end: string | null;
}

/** The bounds that the endpoint's parameters of that role have, in microseconds since the epoch; null where it has none. */
export function boundsOf({ timeWindow }: Endpoint, { values }: BoundParameters): RequestedWindow | null {
  if (timeWindow === null) return null;
  const bound = (name: string) => {
    const value = values.get(name)?.value;
    return typeof value === 'bigint' ? value : null;
  };
  return { startMicros: bound(timeWindow.start), endMicros: bound(timeWindow.end) };
}

/**
 * The bounds of an endpoint whose sources reach back from `nowMicros` as far as a parameter says; null for any other.
 * Entries at the start itself belong to such a source.
 */
export function lookbackOf(
  { lookback }: Endpoint,
  bound: BoundParameters,
  nowMicros: bigint,
): RequestedWindow | null {
  const seconds = lookback?.seconds[lookbackValue(lookback, bound)];
  if (seconds === undefined) return null;
  return { startMicros: nowMicros - BigInt(seconds) * MICROS_PER_SECOND, endMicros: nowMicros };
}

/** The value that says how far back the sources reach. */
export function lookbackValue({ parameter }: Lookback, { values }: BoundParameters): string {
  return String(values.get(parameter)?.value);
}

/**
 * What the bounds and a query's own clauses leave of time together: as bounds of an endpoint it would have the same
 * entries. The start does not lie before the end where nothing is left.
 */
export function narrowed(bounds: RequestedWindow | null, own: OwnWindow | null): RequestedWindow | null {
  if (own === null || (own.fromMicros === null && own.toMicros === null)) return bounds;
  return {
    startMicros: tighter(bounds?.startMicros, startBefore(own.fromMicros), (one, other) => one > other),
    endMicros: tighter(bounds?.endMicros, timestampAt(own.toMicros), (one, other) => one < other),
  };
}

/** The same for people. */
export function timeWindowOf(bounds: RequestedWindow | null): TimeWindow | null {
  if (bounds === null) return null;
  const text = (micros: bigint | null) => (micros === null ? null : formatMicros(micros));
  return { start: text(bounds.startMicros), end: text(bounds.endMicros) };
}

/** Whether no entry can lie between the bounds. */
export function isEmptyWindow({ startMicros, endMicros }: RequestedWindow): boolean {
  return startMicros !== null && endMicros !== null && startMicros >= endMicros;
}

/** The exclusive bound that lets through what begins at `micros`; before the first timestamp there need be none. */
function startBefore(micros: bigint | null): bigint | null {
  return micros === null || micros <= MIN_TIMESTAMP_MICROS ? null : micros - 1n;
}

/** The nearest timestamp: the end of a window in which nothing can be may lie before all of them. */
function timestampAt(micros: bigint | null): bigint | null {
  return micros !== null && micros < MIN_TIMESTAMP_MICROS ? MIN_TIMESTAMP_MICROS : micros;
}

function tighter(
  one: bigint | null | undefined,
  other: bigint | null,
  isTighter: (one: bigint, other: bigint) => boolean,
): bigint | null {
  if (one === null || one === undefined || other === null) return one ?? other;
  return isTighter(one, other) ? one : other;
}
