import { HTTP_LIMITS, type HttpLimits } from '../http-limits.ts';

/** What a request that writes entries may take; log shippers send up to 10 MB at once. */
export interface IngestLimits extends HttpLimits {
  /** Largest body in bytes when it is decompressed; more answers 413. */
  readonly maxDecodedBytes: number;
  /** Most requests of one token at the same time; one more answers 429. */
  readonly maxAtOnce: number;
  /** Most requests of all tokens at the same time; one more answers 503. */
  readonly maxInAll: number;
}

export const INGEST_LIMITS: IngestLimits = {
  ...HTTP_LIMITS,
  maxBodyBytes: 16 * 1024 * 1024,
  maxDecodedBytes: 16 * 1024 * 1024,
  bodyTimeoutMs: 25_000,
  maxDiscardedBytes: 16 * 1024 * 1024,
  maxAtOnce: 8,
  maxInAll: 16,
};
