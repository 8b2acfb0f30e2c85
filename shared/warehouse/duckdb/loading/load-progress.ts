/** How far the loading of one source has come; demo logs are made, and not read. */
export interface LoadProgress {
  readonly source: string;
  readonly phase: 'making' | 'reading' | 'sorting' | 'done';
  /** Of the files as they lie on the disk. A second reading counts anew, towards a doubled total. */
  readonly bytesRead: number;
  readonly totalBytes: number;
  /** Entries accepted so far; in the phase `done` all that were loaded. */
  readonly rows: number;
}

const MIN_INTERVAL_MS = 100;

/**
 * Passes reports on, but those about reading at most ten times a second. `nowMs` is any clock that only goes
 * forward.
 */
export function throttledProgress(
  report: (progress: LoadProgress) => void,
  nowMs: () => number,
): (progress: LoadProgress) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const ms = nowMs();
    if (progress.phase === 'reading' && ms - lastMs < MIN_INTERVAL_MS) return;
    lastMs = ms;
    report(progress);
  };
}
