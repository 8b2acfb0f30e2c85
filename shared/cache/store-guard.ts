import type { Clock } from '../concurrency/clock.ts';
import { within } from '../concurrency/within.ts';
import type { Warn } from '../errors/warn.ts';

/** Failures in a row after which the store is left alone for a while; one is enough before it has ever answered. */
const FAILURES_TO_PAUSE = 3;
/** How long it is left alone: at first, and at most, doubling with each attempt that fails. */
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

export interface StoreCounters {
  /** Calls that failed or took too long. */
  failures: number;
  /** Calls that were not made, since the store had just failed. */
  skipped: number;
}

export type Outcome<T> = { readonly isDone: true; readonly value: T } | { readonly isDone: false };

/**
 * Stands before a store that may fail or hang, so that it costs a request neither an error nor more than a bounded
 * wait. After some failures in a row nothing is asked of the store for a second, then, by one call at a time,
 * whether it is back.
 */
export interface StoreGuard {
  /**
   * Makes a call and waits so long for it, or longer while the store has neither answered nor failed yet. A
   * failure is logged and counted. `onLate` gets what a call answers that no caller waits for any longer.
   */
  run<T>(
    what: string,
    deadlineMs: number,
    call: () => Promise<T>,
    onLate?: (value: T) => void,
  ): Promise<Outcome<T>>;
  readonly counters: Readonly<StoreCounters>;
}

const NOT_DONE = { isDone: false } as const;

export interface StoreGuardDeps {
  readonly clock: Clock;
  readonly warn: Warn;
  /** The least that a call is given while the client is being loaded and connects, in milliseconds. */
  readonly firstCallMs: number;
}

export function makeStoreGuard({ clock, warn, firstCallMs }: StoreGuardDeps): StoreGuard {
  const counters: StoreCounters = { failures: 0, skipped: 0 };
  let failuresInRow = 0;
  let pauseMs = SHORTEST_PAUSE_MS;
  let closedUntilMs: number | null = null;
  let isProbing = false;
  let hasAnswered = false;

  const succeed = () => {
    if (closedUntilMs !== null) warn('The shared cache answers again', {});
    hasAnswered = true;
    failuresInRow = 0;
    pauseMs = SHORTEST_PAUSE_MS;
    closedUntilMs = null;
  };

  const isPausedNow = () => closedUntilMs !== null && clock.monotonicMs() < closedUntilMs;

  const fail = (what: string, error: unknown) => {
    counters.failures += 1;
    // Calls that were under way when the pause began have nothing to add to it.
    if (isPausedNow()) return;
    failuresInRow += 1;
    const isPaused = failuresInRow >= (hasAnswered ? FAILURES_TO_PAUSE : 1);
    warn('The shared cache failed; the request goes on without it', {
      call: what,
      error,
      ...(isPaused ? { pauseMs } : {}),
    });
    if (!isPaused) return;
    closedUntilMs = clock.monotonicMs() + pauseMs;
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  };

  const isSkipped = () => isPausedNow() || isProbing;

  return {
    counters,
    async run(what, deadlineMs, call, onLate) {
      if (isSkipped()) {
        counters.skipped += 1;
        return NOT_DONE;
      }
      const isProbe = closedUntilMs !== null;
      if (isProbe) isProbing = true;
      const isFirst = !hasAnswered && counters.failures === 0;
      try {
        const value = await within(
          clock,
          isFirst ? Math.max(deadlineMs, firstCallMs) : deadlineMs,
          call,
          onLate,
        );
        succeed();
        return { isDone: true, value };
      } catch (error) {
        fail(what, error);
        return NOT_DONE;
      } finally {
        if (isProbe) isProbing = false;
      }
    },
  };
}
