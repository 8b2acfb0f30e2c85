/** A query to run; `interruptAfterMs` of CPU time it is cancelled, null never. */
export interface Order {
  readonly sql: string;
  readonly interruptAfterMs: number | null;
}

/** How a query ended. All times are CPU time of its process, in ms. */
export interface Outcome {
  readonly kind: 'answered' | 'refused' | 'failed' | 'killed';
  readonly message: string;
  readonly cpuMs: number;
  /** What it used after it was cancelled; null if it was not. */
  readonly stoppedInMs: number | null;
}
