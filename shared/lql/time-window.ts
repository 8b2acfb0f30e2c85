import type { TimeBound } from './resolve-time.ts';

/** The time that a query can answer from: both ends included, in microseconds since the epoch; null for no bound. */
export interface TimeWindow {
  readonly fromMicros: bigint | null;
  readonly toMicros: bigint | null;
}

/** What bounds leave of time when all of them hold. The end lies before the start where nothing is left. */
export function windowOf(bounds: readonly TimeBound[]): TimeWindow {
  let fromMicros: bigint | null = null;
  let toMicros: bigint | null = null;
  for (const { operator, micros } of bounds) {
    if (operator !== '<' && operator !== '<=') {
      const first = operator === '>' ? micros + 1n : micros;
      if (fromMicros === null || first > fromMicros) fromMicros = first;
    }
    if (operator !== '>' && operator !== '>=') {
      const last = operator === '<' ? micros - 1n : micros;
      if (toMicros === null || last < toMicros) toMicros = last;
    }
  }
  return { fromMicros, toMicros };
}
