/** What one request may take. Each limit answers with its own code instead of cutting anything short. */
export interface HttpLimits {
  /** Longest request target (path and query) in bytes; more answers 414. */
  readonly maxUrlBytes: number;
  /** Largest body of a POST in bytes; more answers 413. */
  readonly maxBodyBytes: number;
  /** A body must have arrived whole within this many milliseconds. */
  readonly bodyTimeoutMs: number;
  /** How much of a refused body is still read, so that the client gets to see the answer. */
  readonly maxDiscardedBytes: number;
  /** How many milliseconds reading a refused body may take. */
  readonly discardTimeoutMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  maxUrlBytes: 32 * 1024,
  maxBodyBytes: 256 * 1024,
  bodyTimeoutMs: 10_000,
  maxDiscardedBytes: 4 * 1024 * 1024,
  discardTimeoutMs: 2_000,
};

/** The longest value of X-Ignored-Parameters in bytes; longer lists end in `...`. */
export const MAX_IGNORED_HEADER_BYTES = 1024;

/** The readiness check answers 503 when the warehouse has not answered within this many milliseconds. */
export const READY_TIMEOUT_MS = 5_000;

/** The readiness check asks the warehouse at most once in this many milliseconds. */
export const READY_INTERVAL_MS = 1_000;
