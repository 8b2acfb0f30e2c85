import type { Entry } from './entry.ts';

/** One request for the newest entries of a window. */
export interface WindowRequest {
  /** Exclusive; null for no bound. In microseconds, as the other. */
  readonly startMicros: number | null;
  /** Inclusive; null for no bound. */
  readonly endMicros: number | null;
}

/** The entries that one request for a window brought. */
export interface WindowAnswer {
  /** The newest entries of the window, in any order. */
  readonly entries: readonly Entry[];
  /** Whether the window may hold older ones besides. */
  readonly isFull: boolean;
}

/**
 * All entries after an instant, once each, in any order. One answer has the newest so many, so the rest is asked for
 * from the oldest one back, which comes again for those that share its instant. `onGap` is called where more entries
 * share one instant than an answer holds: some of these cannot be reached.
 */
export async function readWindow(
  startMicros: number,
  ask: (request: WindowRequest) => Promise<WindowAnswer>,
  onGap: (micros: number) => void,
): Promise<readonly Entry[]> {
  const found = new Map<string, Entry>();
  for (let endMicros: number | null = null; ; ) {
    const { entries, isFull } = await ask({ startMicros, endMicros });
    for (const entry of entries) found.set(entry.key, entry);
    if (!isFull || entries.length === 0) return [...found.values()];
    const oldest = Math.min(...entries.map(({ micros }) => micros));
    if (oldest === endMicros) onGap(oldest);
    endMicros = oldest === endMicros ? oldest - 1 : oldest;
    if (endMicros <= startMicros) return [...found.values()];
  }
}
