/**
 * What one access token may take of the service; null where the token has no such limit. The first four only
 * tighten. The others stand in place of what the service gives to all tokens, in either direction.
 */
export interface TokenLimits {
  /** Most rows in one answer; where the endpoint's own cap is smaller, that holds. */
  readonly maxRows: number | null;
  /** Most bytes that one query may bill on BigQuery; where the service's or the endpoint's cap is smaller, that holds. */
  readonly maxBytesBilled: number | null;
  /** Longest time span, in seconds, that one request may ask for. */
  readonly maxWindowSeconds: number | null;
  /** Most requests in any 60 seconds, counted by each instance of the service for itself. */
  readonly requestsPerMinute: number | null;
  /** Seconds after which a query in `sql` or `lql` is cancelled; never more than the service gives to any query. */
  readonly sqlDeadlineSeconds: number | null;
  /** CPU seconds a minute of the embedded engine for queries in `sql` and `lql`, counted by each instance for itself. */
  readonly cpuSecondsPerMinute: number | null;
}

export const NO_LIMITS: TokenLimits = {
  maxRows: null,
  maxBytesBilled: null,
  maxWindowSeconds: null,
  requestsPerMinute: null,
  sqlDeadlineSeconds: null,
  cpuSecondsPerMinute: null,
};

/** The smallest and the largest value of each limit; beyond them a limit is surely a mistake. */
export const LIMIT_RANGES: Readonly<Record<keyof TokenLimits, readonly [smallest: number, largest: number]>> =
  {
    maxRows: [1, 1_000_000],
    // BigQuery bills no query for less than 10 MiB.
    maxBytesBilled: [10 * 1024 ** 2, 1_000_000_000_000_000],
    maxWindowSeconds: [1, 100 * 366 * 86_400],
    requestsPerMinute: [1, 1_000_000],
    sqlDeadlineSeconds: [1, 3_600],
    cpuSecondsPerMinute: [1, 100_000],
  };

/** Whether any limit is set. */
export function hasLimits(limits: TokenLimits): boolean {
  return Object.values(limits).some((value) => value !== null);
}
