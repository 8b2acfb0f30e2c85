import type { TimeRange } from '../time/time-range.ts';
import type { TimeBound } from './resolve-time.ts';

/**
 * What bounds leave of time when all of them hold. Nothing is left where `after` does not lie before `upTo`, and either may
 * lie outside of what a TIMESTAMP can be.
 */
export function timeRangeOf(bounds: readonly TimeBound[]): TimeRange {
  let after: bigint | null = null;
  let upTo: bigint | null = null;
  for (const { operator, micros } of bounds) {
    if (operator !== '<' && operator !== '<=') {
      const exclusive = operator === '>' ? micros : micros - 1n;
      if (after === null || exclusive > after) after = exclusive;
    }
    if (operator !== '>' && operator !== '>=') {
      const inclusive = operator === '<' ? micros - 1n : micros;
      if (upTo === null || inclusive < upTo) upTo = inclusive;
    }
  }
  return { after, upTo };
}
