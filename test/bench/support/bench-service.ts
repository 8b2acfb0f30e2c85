import { fileURLToPath } from 'node:url';
import { makeRateLimiter } from '../../../shared/access/rate-limiter.ts';
import { memoryTokenStore } from '../../../shared/access/token-store.ts';
import { makeResultCache } from '../../../shared/cache/result-cache.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { makeRegistry } from '../../../shared/endpoints/endpoint-registry.ts';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import type { HttpDeps } from '../../../shared/http/http-deps.ts';
import { makeCursors } from '../../../shared/http/paging/cursor.ts';
import { makeLogger } from '../../../shared/runtime/log.ts';
import type { TableSchemas } from '../../../shared/schema/table-schema.ts';
import { makeDuckDbWarehouse } from '../../../shared/warehouse/duckdb/duckdb-warehouse.ts';
import { installFunctions } from '../../../shared/warehouse/duckdb/install-functions.ts';
import { LiveReader } from '../../../shared/warehouse/duckdb/live/live-reader.ts';
import { type LiveStore, openLiveStore } from '../../../shared/warehouse/duckdb/live/live-store.ts';
import { loadedParts } from '../../../shared/warehouse/duckdb/live/loaded-parts.ts';
import { openStore, type Store } from '../../../shared/warehouse/duckdb/store/open-store.ts';
import { readLayouts, readStoredSchemas } from '../../../shared/warehouse/duckdb/store/stored-schemas.ts';
import { readTimeRanges } from '../../../shared/warehouse/duckdb/store/time-ranges.ts';
import { tokenRecord } from '../../shared/access/support/token-record.ts';
import { openAdmission } from '../../shared/admission/support/open-admission.ts';
import { withResults } from '../../shared/results/support/with-results.ts';
import { MADE_NOW_MICROS } from '../data/made-time.ts';

export const TOKEN = 'lqe_token-of-the-benchmarks';
/** May write edge_logs. */
export const WRITE_TOKEN = 'lqe_write-token-of-the-benchmarks';

const QUERIES = fileURLToPath(new URL('../../../queries', import.meta.url));

/** What the service is configured with when nothing is said. */
const MEMORY_LIMIT_MIB = 2048;
const DEADLINE_MS = 30_000;

/** The parts of a service over a database of made entries, with its engine at hand. */
export interface BenchService {
  readonly store: Store;
  readonly schemas: TableSchemas;
  readonly deps: HttpDeps;
  /** Takes entries that arrive; only what was opened to take them has files for them. */
  readonly live: LiveStore | null;
  close(): Promise<void>;
}

/** Opens a database file as the service does; with `takesEntries`, others may arrive while it is open. */
export async function openBenchService(databaseFile: string, takesEntries = false): Promise<BenchService> {
  const access = takesEntries ? 'shared' : 'exclusive';
  const store = await openStore({ databaseFile, memoryLimitMiB: MEMORY_LIMIT_MIB, access, takesEntries });
  const schemas = await readStoredSchemas(store);
  await installFunctions(store);
  await store.lock();
  const layouts = await readLayouts(store);
  const reader = new LiveReader(store);
  const live = takesEntries
    ? await openLiveStore({
        store,
        reader,
        loaded: loadedParts(schemas, layouts, schemas),
        retentionMicros: null,
        nowMicros: () => MADE_NOW_MICROS,
        warn: (message) => process.stderr.write(`${message}\n`),
      })
    : null;
  const warehouse = makeDuckDbWarehouse(store, schemas, {
    timeRanges: await readTimeRanges(store, schemas),
    layouts,
    ...(live === null ? {} : { live: { views: live, reader } }),
  });
  const ids = { last: 0 };
  const { all } = await loadEndpoints(QUERIES);
  const deps = withResults({
    // What is measured is the warehouse, so that nothing is kept.
    endpoints: makeRegistry(all.map((one) => ({ ...one, cacheTtlSeconds: 0, warmEverySeconds: null }))),
    cache: makeResultCache({ maxBytes: 1024 * 1024, shared: null, clock: systemClock }),
    tokens: memoryTokenStore([tokenRecord(TOKEN), tokenRecord(WRITE_TOKEN, { writes: ['edge_logs'] })]),
    cursors: makeCursors('secret-of-the-tests'),
    demand: { record: async () => {} },
    limiter: makeRateLimiter({ nowMs: () => performance.now() }),
    warehouse,
    logger: makeLogger({ format: 'json', level: 'info', write: () => {}, nowMs: Date.now }),
    requestId: () => `request-${++ids.last}`,
    nowMicros: () => MADE_NOW_MICROS,
    wallClockMs: Date.now,
    monotonicMs: () => performance.now(),
    deadlineMs: DEADLINE_MS,
    sqlDeadlineMs: DEADLINE_MS,
    byteCaps: { consumerMaxBytesBilled: 1_073_741_824, storedMaxBytesBilled: 107_374_182_400 },
    // One caller measures, and takes all that there is.
    admission: openAdmission({ cpuSecondsPerMinute: 1_000_000 }),
  });
  const close = async () => {
    await live?.close();
    await warehouse.close();
  };
  return { store, schemas, deps, live, close };
}
