/** What the connections of a server may take, before any handler sees a request of theirs. */
export interface ServerLimits {
  /** The headers of a request must have arrived within this many milliseconds. */
  readonly headersTimeoutMs: number;
  /** A whole request must have arrived within this many milliseconds. */
  readonly requestTimeoutMs: number;
  /** How often the server looks for requests that are late, in milliseconds. */
  readonly checkEveryMs: number;
  /** Most connections; one more closes the one that has waited longest without a request under way. */
  readonly maxConnections: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkEveryMs: 1_000,
  maxConnections: 1_000,
};
