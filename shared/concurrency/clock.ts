import { setTimeout as wait } from 'node:timers/promises';

/** The time, and waiting for it. */
export interface Clock {
  /** Milliseconds since some moment; never runs backwards, and may stand still while the machine sleeps. */
  monotonicMs(): number;
  /** Milliseconds since the epoch, as the machine believes; may be wrong and may jump. */
  wallMs(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when that is aborted before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: Date.now,
  async sleep(ms, signal) {
    try {
      await wait(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};

/** A moment on both of a machine's clocks. */
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

/** The present. */
export function momentOf(clock: Clock): Moment {
  return { monotonicMs: clock.monotonicMs(), wallMs: clock.wallMs() };
}

/** The moment so many milliseconds before another. */
export function before(moment: Moment, ms: number): Moment {
  return { monotonicMs: moment.monotonicMs - ms, wallMs: moment.wallMs - ms };
}

/**
 * How long ago a moment was, in milliseconds, by whichever clock says more: the one may have stood still and the
 * other been set back, and an answer must never pass for younger than it is.
 */
export function elapsedMs(since: Moment, clock: Clock): number {
  return Math.max(0, clock.monotonicMs() - since.monotonicMs, clock.wallMs() - since.wallMs);
}

/**
 * By which part of a span a machine's clocks may measure it wrong: twice the 500 ppm by which NTP lets a clock's rate be
 * wrong and corrects it (RFC 5905, section 11.3, and Linux's adjtimex). What is promised in seconds holds up to it.
 */
export const MAX_CLOCK_DRIFT = 0.001;
