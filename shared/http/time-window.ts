import type { RequestedWindow } from '../access/check-window.ts';
import type { BoundParameters } from '../endpoints/bind-parameters.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { formatMicros } from '../endpoints/parse-iso-timestamp.ts';

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

/** The same for people. */
export function timeWindowOf(bounds: RequestedWindow | null): TimeWindow | null {
  if (bounds === null) return null;
  const text = (micros: bigint | null) => (micros === null ? null : formatMicros(micros));
  return { start: text(bounds.startMicros), end: text(bounds.endMicros) };
}
