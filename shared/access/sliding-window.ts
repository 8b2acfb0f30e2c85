const WINDOW_SECONDS = 60;
/** One second more than the window, for a request counts from the beginning of its second to the end of another. */
const SLOTS = WINDOW_SECONDS + 1;

/** How much of a quota is left. */
export interface Quota {
  /** Most requests in any 60 seconds. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds after which requests that are counted now no longer are, and one more is let through. */
  readonly resetSeconds: number;
}

/** The requests of the last minute, counted by the second: 61 numbers, however many requests there are. */
export interface SlidingWindow {
  /**
   * Counts a request unless `limit` requests or more lie in the last 60 seconds, to the second; what is refused does
   * not count. `nowMs` is of a clock that does not run backwards; an earlier time than before counts as the later.
   */
  take(nowMs: number, limit: number): Quota & { readonly isAllowed: boolean };
}

/** A window in which no request has been counted yet. */
export function makeSlidingWindow(): SlidingWindow {
  const counts = new Uint32Array(SLOTS);
  let latest = 0;
  let total = 0;

  function advance(second: number): void {
    if (second <= latest) return;
    for (let passed = Math.max(latest + 1, second - SLOTS + 1); passed <= second; passed += 1) {
      total -= counts[passed % SLOTS] ?? 0;
      counts[passed % SLOTS] = 0;
    }
    latest = second;
  }

  /** When so many of the counted requests will be out of the window, in milliseconds. */
  function freeAtMs(count: number): number {
    let freed = 0;
    for (let second = latest - WINDOW_SECONDS; second <= latest; second += 1) {
      freed += second < 0 ? 0 : (counts[second % SLOTS] ?? 0);
      if (freed >= count) return (second + SLOTS) * 1000;
    }
    return 0;
  }

  return {
    take(nowMs, limit) {
      advance(Math.floor(nowMs / 1000));
      const isAllowed = total < limit;
      if (isAllowed) {
        counts[latest % SLOTS] = (counts[latest % SLOTS] ?? 0) + 1;
        total += 1;
      }
      const waitMs = freeAtMs(Math.max(1, total - limit + 1)) - Math.max(nowMs, latest * 1000);
      return {
        isAllowed,
        limit,
        remaining: Math.max(0, limit - total),
        resetSeconds: Math.ceil(waitMs / 1000),
      };
    },
  };
}
