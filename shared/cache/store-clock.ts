import type { Clock } from '../concurrency/clock.ts';

/** Beyond this the two clocks may have drifted apart by more than it takes to ask again. */
const MAX_EXTRAPOLATION_MS = 120_000;

/** What a store's clock shows, known from what the store said last. */
export interface StoreClock {
  /** The store's clock showed this while it was asked, just now. */
  set(storeTimeMs: number): void;
  /**
   * What it showed when this process's monotonic clock showed this, or less by as long as the store's words took to
   * come: what is dated so passes for older than it is, never for younger. Null where the store has said nothing lately.
   */
  at(monotonicMs: number): number | null;
}

export function makeStoreClock(clock: Clock): StoreClock {
  let known: { readonly storeTimeMs: number; readonly monotonicMs: number } | null = null;
  return {
    set(storeTimeMs) {
      known = { storeTimeMs, monotonicMs: clock.monotonicMs() };
    },
    at(monotonicMs) {
      if (known === null) return null;
      const sinceMs = monotonicMs - known.monotonicMs;
      return Math.abs(sinceMs) > MAX_EXTRAPOLATION_MS ? null : known.storeTimeMs + sinceMs;
    },
  };
}
