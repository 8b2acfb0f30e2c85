import type { Clock } from '../concurrency/clock.ts';
import { within } from '../concurrency/within.ts';
import type { Warn } from '../errors/warn.ts';

/** Failures in a row that open the circuit; one is enough while the store has never answered. */
const FAILURES_TO_OPEN = 3;
/** How long the circuit stays open: at first, and at most, doubling with each probe that fails. */
const SHORTEST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** Calls that brought nothing, since the breaker was made. */
export interface StoreCounters {
  /** Calls that failed or took too long. */
  failures: number;
  /** Calls that were not made, since the circuit was open. */
  skipped: number;
}

/** What became of a call: its value, or that it failed, took too long or was not made. */
export type Outcome<T> = { readonly isDone: true; readonly value: T } | { readonly isDone: false };

/**
 * A circuit breaker for a store that may fail or hang, so that the store costs a request neither an error nor more than a
 * bounded wait. Some failures in a row open the circuit: no call is made for a second. Then one call at a time probes
 * whether the store is back.
 */
export interface CircuitBreaker {
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

export interface CircuitBreakerDeps {
  readonly clock: Clock;
  readonly warn: Warn;
  /** The least that a call is given while the client is being loaded and connects, in milliseconds. */
  readonly firstCallMs: number;
}

/** A breaker whose circuit is closed. `warn` receives the failures, and that the store answers again. */
export function makeCircuitBreaker({ clock, warn, firstCallMs }: CircuitBreakerDeps): CircuitBreaker {
  const counters: StoreCounters = { failures: 0, skipped: 0 };
  let failuresInRow = 0;
  let pauseMs = SHORTEST_PAUSE_MS;
  let openUntilMs: number | null = null;
  let isProbing = false;
  let hasAnswered = false;

  const succeed = () => {
    if (openUntilMs !== null) warn('The shared cache answers again', {});
    hasAnswered = true;
    failuresInRow = 0;
    pauseMs = SHORTEST_PAUSE_MS;
    openUntilMs = null;
  };

  const isOpen = () => openUntilMs !== null && clock.monotonicMs() < openUntilMs;

  const fail = (what: string, error: unknown) => {
    counters.failures += 1;
    // Calls that were under way when the circuit opened do not count.
    if (isOpen()) return;
    failuresInRow += 1;
    const opens = failuresInRow >= (hasAnswered ? FAILURES_TO_OPEN : 1);
    warn('The shared cache failed; the request goes on without it', {
      call: what,
      error,
      ...(opens ? { pauseMs } : {}),
    });
    if (!opens) return;
    openUntilMs = clock.monotonicMs() + pauseMs;
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  };

  return {
    counters,
    async run(what, deadlineMs, call, onLate) {
      if (isOpen() || isProbing) {
        counters.skipped += 1;
        return NOT_DONE;
      }
      const isProbe = openUntilMs !== null;
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
