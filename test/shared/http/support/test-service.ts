import type { GatewayDeps } from '../../../../functions/gateway.ts';
import { makeRateLimiter } from '../../../../shared/access/rate-limiter.ts';
import { memoryTokenStore, type TokenStore } from '../../../../shared/access/token-store.ts';
import type { AdmissionLimits } from '../../../../shared/admission/admission.ts';
import { makeResultCache } from '../../../../shared/cache/result-cache.ts';
import { type Clock, systemClock } from '../../../../shared/concurrency/clock.ts';
import type { Endpoint, ParameterSpec } from '../../../../shared/endpoints/endpoint.ts';
import { makeRegistry } from '../../../../shared/endpoints/endpoint-registry.ts';
import { installedAssets } from '../../../../shared/explorer/asset-files.ts';
import type { Ingest } from '../../../../shared/http/ingest/ingest-handler.ts';
import { makeCursors } from '../../../../shared/http/paging/cursor.ts';
import { makeLogger } from '../../../../shared/runtime/log.ts';
import { requestIdOf } from '../../../../shared/runtime/request-id.ts';
import type {
  QueryEstimate,
  QueryResult,
  RunOptions,
  Warehouse,
  WarehouseQuery,
} from '../../../../shared/warehouse/warehouse.ts';
import { memoryDemandLog } from '../../../../shared/warming/memory-demand-log.ts';
import { tokenRecord } from '../../access/support/token-record.ts';
import { openAdmission } from '../../admission/support/open-admission.ts';
import { withResults } from '../../results/support/with-results.ts';

export const TOKEN = 'lqe_test-token-of-the-contract-suite';
export const NARROW_TOKEN = 'lqe_test-token-limited-to-logs-all-and-demo';
export const EXPIRED_TOKEN = 'lqe_test-token-that-has-expired';
export const REVOKED_TOKEN = 'lqe_test-token-that-was-revoked';
export const LOGS_ID = 'fb4b865d-796e-45ae-a66d-290897e970ac';
export const USAGE_ID = '9b4f8df4-afd3-441b-ade3-8b772b745c37';
export const LOGS_SQL = 'with edge_logs as (select @project as id) select 1';
export const USAGE_SQL = 'with edge_logs as (select @interval as id) select 2';
export const NOW_MICROS = 1_767_225_600_000_000n;

/** What a run was asked for. */
export interface Run {
  readonly query: WarehouseQuery;
  readonly options: RunOptions;
}

export interface TestService extends GatewayDeps {
  readonly runs: readonly Run[];
  /** The log as it is written, one line an entry. */
  readonly lines: readonly string[];
}

export interface TestServiceOptions {
  readonly run?: (query: WarehouseQuery, options: RunOptions) => Promise<QueryResult>;
  /** For a warehouse that counts. */
  readonly estimate?: (query: WarehouseQuery, options: RunOptions) => Promise<QueryEstimate>;
  readonly ping?: () => Promise<void>;
  readonly tokens?: TokenStore;
  readonly ingest?: Ingest;
  readonly endpoints?: readonly Endpoint[];
  /** By which results in the cache grow old. */
  readonly clock?: Clock;
  /** What consumers' queries may take, where that is not what is usual. */
  readonly limits?: Partial<AdmissionLimits>;
}

/** A service whose warehouse answers what the test says, to see what a warehouse is asked and how it can fail. */
export function makeTestService(options: TestServiceOptions = {}): TestService {
  const runs: Run[] = [];
  const lines: string[] = [];
  const warehouse: Warehouse = {
    tables: new Map(),
    prepare: async () => ({ columns: [] }),
    run: (query, runOptions) => {
      runs.push({ query, options: runOptions });
      return (options.run ?? (async () => rowsOf('{"id":"a"}', '{"id":"b"}')))(query, runOptions);
    },
    ...(options.estimate === undefined ? {} : { estimate: options.estimate }),
    ping: options.ping ?? (async () => {}),
    close: async () => {},
  };
  const ids = { last: 0 };
  return withResults<Omit<TestService, 'obtain' | 'redacted'>>({
    explorer: installedAssets(),
    savedQueries: null,
    ingest: options.ingest ?? null,
    endpoints: makeRegistry(options.endpoints ?? ENDPOINTS),
    tokens: options.tokens ?? memoryTokenStore(TOKENS),
    warehouse,
    cursors: makeCursors('secret-of-the-tests'),
    demand: memoryDemandLog(options.clock ?? systemClock, 100),
    admission: openAdmission(options.limits, () => (options.clock ?? systemClock).monotonicMs()),
    limiter: makeRateLimiter({ nowMs: () => (options.clock ?? systemClock).monotonicMs() }),
    cache: makeResultCache({ maxBytes: 1024 * 1024, shared: null, clock: options.clock ?? systemClock }),
    logger: makeLogger({
      format: 'json',
      level: 'info',
      write: (line) => lines.push(line),
      nowMs: () => 0,
    }),
    nowMicros: (agoMs = 0) => NOW_MICROS - BigInt(Math.round(agoMs)) * 1000n,
    wallClockMs: () => Number(NOW_MICROS / 1000n),
    monotonicMs: () => options.clock?.monotonicMs() ?? 0,
    deadlineMs: 30_000,
    sqlDeadlineMs: 10_000,
    byteCaps: { consumerMaxBytesBilled: 1_073_741_824, storedMaxBytesBilled: 107_374_182_400 },
    requestId: (headers) => requestIdOf(headers, () => `request-${++ids.last}`),
    runs,
    lines,
  });
}

/** The result with these rows. */
export function rowsOf(...rows: readonly string[]): QueryResult {
  return { columns: [], rows, truncated: false, bytesProcessed: null, bytesBilled: null };
}

const TOKENS = [
  tokenRecord(TOKEN, { name: 'suite' }),
  tokenRecord(NARROW_TOKEN, { name: 'narrow', endpoints: ['logs.all'], projects: ['demo'] }),
  tokenRecord(EXPIRED_TOKEN, { name: 'expired', expiresAtMs: 1 }),
  tokenRecord(REVOKED_TOKEN, { name: 'revoked', revokedAtMs: 1 }),
];

function parameter(
  name: string,
  type: ParameterSpec['type'],
  required: boolean,
  more: object,
): ParameterSpec {
  const usual = { allowed: null, format: null, maxLength: 1000, description: `The ${name}`, example: 'demo' };
  return { name, type, required, ...usual, ...more };
}

export const ENDPOINTS: readonly Endpoint[] = [
  {
    id: LOGS_ID,
    name: 'logs.all',
    description: 'Log entries',
    maxRows: 1000,
    cacheTtlSeconds: 0,
    warmEverySeconds: null,
    sandbox: true,
    redactPii: false,
    redactAlso: [],
    redactPaths: [],
    consumerMaxBytesBilled: 1_073_741_824,
    storedMaxBytesBilled: null,
    projectParameter: 'project',
    timeWindow: { start: 'iso_timestamp_start', end: 'iso_timestamp_end' },
    lookback: null,
    sealedBuckets: null,
    sql: LOGS_SQL,
    parameters: [
      parameter('project', 'STRING', true, {}),
      parameter('iso_timestamp_start', 'TIMESTAMP', false, { example: '2026-01-01' }),
      parameter('iso_timestamp_end', 'TIMESTAMP', false, { example: '2026-01-01' }),
    ],
  },
  {
    id: USAGE_ID,
    name: 'usage.api-counts',
    description: 'Counts',
    maxRows: 500,
    cacheTtlSeconds: 900,
    warmEverySeconds: 300,
    sandbox: true,
    redactPii: true,
    redactAlso: [],
    redactPaths: [],
    consumerMaxBytesBilled: 1_073_741_824,
    storedMaxBytesBilled: null,
    projectParameter: 'project',
    timeWindow: null,
    lookback: { parameter: 'interval', seconds: { minutely: 3600, hourly: 3600, daily: 604_800 } },
    sealedBuckets: null,
    sql: USAGE_SQL,
    parameters: [
      parameter('interval', 'STRING', true, { allowed: ['minutely', 'hourly', 'daily'], example: 'hourly' }),
      parameter('project', 'STRING', true, { format: 're2' }),
    ],
  },
];
