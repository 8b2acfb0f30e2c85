import type { IncomingHttpHeaders } from 'node:http';
import type { RateLimiter } from '../access/rate-limiter.ts';
import type { TokenStore } from '../access/token-store.ts';
import type { Admission } from '../admission/admission.ts';
import type { ResultCache } from '../cache/result-cache.ts';
import type { EndpointRegistry } from '../endpoints/endpoint.ts';
import type { ByteCaps } from '../results/byte-cap.ts';
import type { ObtainResult } from '../results/obtain-result.ts';
import type { RedactedEndpoints } from '../results/redacted-endpoints.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';
import type { DemandLog } from '../warming/demand-log.ts';
import type { WarmingReport } from '../warming/warmer.ts';
import type { CursorCodec } from './paging/cursor.ts';

/** What the HTTP layer writes of one request. Neither a token nor a parameter's value is in it. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The answer's code; 499 when the client went away before it. */
  readonly status: number;
  readonly responseBytes: number;
  readonly latencyMs: number;
  /** Milliseconds by phase, as the Server-Timing header has them. */
  readonly timing: string;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string | undefined;
  readonly protocol: string;
  /** What the route adds: the endpoint, the token's name, the number of rows. */
  readonly notes: RequestNotes;
  /** What was thrown, with its cause. */
  readonly error: Error | undefined;
}

/** What routes add to the log line of a request. */
export interface RequestNotes {
  endpoint?: string;
  token?: string;
  rows?: number;
  cache?: string;
  /** What the request's own queries billed, as the warehouse counts it; nothing where the answer was kept. */
  bytesBilled?: number;
  /** What they read. */
  bytesProcessed?: number;
  /** The source that entries were written to, and how many were taken. */
  source?: string;
  taken?: number;
  warming?: Omit<WarmingReport, 'bytesBilled'>;
}

/** What a query of a request took that was counted after the request's own line. */
export interface LateUsage {
  readonly requestId: string;
  readonly notes: Pick<RequestNotes, 'endpoint' | 'token' | 'bytesBilled' | 'bytesProcessed'>;
}

/** What every route needs. */
export interface RouteDeps {
  readonly logger: {
    /** Writes the one log line of a request; never throws. */
    request(record: RequestRecord): void;
    /** Writes a line of its own for what was counted after that; never throws. */
    lateUsage(record: LateUsage): void;
  };
  /** The id of a request: the caller's own X-Request-Id where it is usable, else a new one. */
  requestId(headers: IncomingHttpHeaders): string;
}

/** What answering queries needs. */
export interface HttpDeps extends RouteDeps {
  readonly endpoints: EndpointRegistry;
  readonly tokens: TokenStore;
  readonly limiter: RateLimiter;
  readonly admission: Admission;
  readonly warehouse: Warehouse;
  readonly obtain: ObtainResult;
  readonly redacted: RedactedEndpoints;
  readonly cache: ResultCache;
  readonly cursors: CursorCodec;
  /** Notes what is asked for, so that it can be kept warm. */
  readonly demand: Pick<DemandLog, 'record'>;
  /** Names that consumers' queries may not have: those of the warehouse's project and dataset, where it has such. */
  readonly forbiddenNames?: readonly string[];
  /** What queries take for the present, or took for it `agoMs` milliseconds ago, in microseconds since the epoch. */
  nowMicros(agoMs?: number): bigint;
  /** The real time, by which tokens expire, in milliseconds since the epoch. */
  wallClockMs(): number;
  /** Milliseconds since some moment; never runs backwards. */
  monotonicMs(): number;
  /** A query is cancelled and answered with 504 after this many milliseconds. */
  readonly deadlineMs: number;
  /** The same for consumers' queries whose token has no number of its own. */
  readonly sqlDeadlineMs: number;
  /** What any query may bill, whatever its endpoint and its caller may. */
  readonly byteCaps: ByteCaps;
  /** What looking for a hint may cost an answer, in milliseconds; 100 without it. */
  readonly hintMs?: number;
}
