import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { makeRateLimiter } from '../../../shared/access/rate-limiter.ts';
import { memoryTokenStore } from '../../../shared/access/token-store.ts';
import { makeResultCache } from '../../../shared/cache/result-cache.ts';
import { systemClock } from '../../../shared/concurrency/clock.ts';
import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import { makeCursors } from '../../../shared/http/paging/cursor.ts';
import { makeQueryHandler } from '../../../shared/http/query/query-handler.ts';
import { bypassFramework } from '../../../shared/http/server/framework-requests.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import type { Warehouse } from '../../../shared/warehouse/warehouse.ts';
import { memoryDemandLog } from '../../../shared/warming/memory-demand-log.ts';
import { tokenRecord } from '../../shared/access/support/token-record.ts';
import { openAdmission } from '../../shared/admission/support/open-admission.ts';
import { withResults } from '../../shared/results/support/with-results.ts';
import { serveFunction } from './function-server.ts';
import { LOAD_TOKEN, rowsOfSize } from './load-rows.ts';

/*
 * A separate process for the benchmark of load, so that making requests takes no time of answering them:
 *   node load-server.ts bare|service
 * It tells its port, and on a message how many queries were run and how much memory it has.
 */
const QUERIES = fileURLToPath(new URL('../../../queries', import.meta.url));
/** How long the warehouse takes, in ms. */
const QUERY_MS = 20;

const ran = { queries: 0 };
const { port } = await (process.argv[2] === 'bare' ? serveBare() : serveService());
process.send?.({ port });
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ queries: ran.queries, usedBytes: heapUsed + external });
});
process.on('disconnect', () => process.exit());

/** The same bytes without any of the work: `/<rows' bytes>`, compressed where that is asked for. */
function serveBare() {
  const bodies = new Map<string, Buffer>();
  return serveFunction('bare', async (req, res) => {
    const size = Number(new URL(req.url ?? '/', 'http://localhost').searchParams.get('project'));
    const isPacked = req.headers['accept-encoding'] === 'gzip';
    const key = `${size} ${isPacked}`;
    const plain = () => Buffer.from(`{"result":[${rowsOfSize(size).join(',')}]}`);
    const body = bodies.get(key) ?? (isPacked ? gzipSync(plain(), { level: 1 }) : plain());
    bodies.set(key, body);
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    if (isPacked) res.setHeader('Content-Encoding', 'gzip');
    res.end(body);
  });
}

async function serveService() {
  const warehouse: Warehouse = {
    tables: await loadTableSchemas(`${QUERIES}/sources`),
    prepare: async () => ({ columns: [] }),
    run: async ({ parameters }) => {
      ran.queries += 1;
      await new Promise((resolve) => setTimeout(resolve, QUERY_MS));
      const size = Number(/\d+/.exec(String(parameters.get('project')?.value))?.[0] ?? 2000);
      return {
        columns: [],
        rows: rowsOfSize(size),
        truncated: false,
        bytesProcessed: null,
        bytesBilled: null,
      };
    },
    ping: async () => {},
    close: async () => {},
  };
  const ids = { last: 0 };
  const deps = withResults({
    endpoints: await loadEndpoints(QUERIES),
    tokens: memoryTokenStore([tokenRecord(LOAD_TOKEN)]),
    limiter: makeRateLimiter({ nowMs: () => performance.now() }),
    warehouse,
    cache: makeResultCache({ maxBytes: 64 * 1024 * 1024, shared: null, clock: systemClock }),
    cursors: makeCursors('secret-of-the-benchmarks'),
    demand: memoryDemandLog(systemClock, 100),
    logger: { request: () => {}, lateUsage: () => {} },
    requestId: () => `request-${++ids.last}`,
    nowMicros: () => BigInt(Date.now()) * 1000n,
    wallClockMs: Date.now,
    monotonicMs: () => performance.now(),
    deadlineMs: 30_000,
    sqlDeadlineMs: 30_000,
    byteCaps: { consumerMaxBytesBilled: 1_073_741_824, storedMaxBytesBilled: 107_374_182_400 },
    admission: openAdmission({ waiting: 1_000, cpuSecondsPerMinute: 1_000_000 }),
  });
  const handler = makeQueryHandler(deps);
  bypassFramework(handler);
  return serveFunction('service', handler);
}
