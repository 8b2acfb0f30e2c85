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

/** The window that the endpoint's parameters of that role say; null where it has none. */
export function timeWindowOf({ timeWindow }: Endpoint, { values }: BoundParameters): TimeWindow | null {
  if (timeWindow === null) return null;
  const bound = (name: string) => {
    const value = values.get(name)?.value;
    return typeof value === 'bigint' ? formatMicros(value) : null;
  };
  return { start: bound(timeWindow.start), end: bound(timeWindow.end) };
}
