import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure, isTransient } from './api-failure.ts';

const MAX_ATTEMPTS = 5;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 5_000;

/** How long to wait before the next attempt, in ms, when `failed` attempts have failed. */
export type RetryDelay = (failed: number) => number;

/** Twice as long each time, by half at random, so that many callers do not come back together. */
export const backoffMs: RetryDelay = (failed) => {
  const longest = Math.min(FIRST_DELAY_MS * 2 ** (failed - 1), LONGEST_DELAY_MS);
  return longest * (0.5 + Math.random() / 2);
};

/**
 * Makes an attempt again while it fails in a way that passes by itself. `work` receives what the attempt before failed
 * with. Throws the last failure, or what the signal was aborted with.
 */
export async function withRetries<T>(
  work: (before: ApiFailure | null) => Promise<T>,
  { signal, delayMs }: { readonly signal: AbortSignal; readonly delayMs: RetryDelay },
): Promise<T> {
  let before: ApiFailure | null = null;
  for (let failed = 1; ; failed++) {
    try {
      return await work(before);
    } catch (error) {
      if (!(error instanceof ApiFailure) || !isTransient(error) || failed >= MAX_ATTEMPTS) throw error;
      before = error;
    }
    await sleep(delayMs(failed), undefined, { signal }).catch(() => {});
    if (signal.aborted) throw signal.reason;
  }
}
