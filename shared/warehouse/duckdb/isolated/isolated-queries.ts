import type { TableSchemas } from '../../../schema/table-schema.ts';
import { type PageToken, pageExpired } from '../../page-token.ts';
import { abandoned } from '../../query-ended.ts';
import type { PageOptions, QueryResult, RunOptions, Warehouse, WarehouseQuery } from '../../warehouse.ts';
import type { LiveViews } from '../live/live-view.ts';
import type { KnownTables } from '../translate/passes/known-data.ts';
import type { EngineSettings } from './engine-process.ts';
import { QueryJob, type Task } from './query-job.ts';
import { failed, tooBig } from './query-problems.ts';
import { fetchRows } from './spooled-rows.ts';
import { WorkerPool } from './worker-pool.ts';

/** What may be set; the defaults are for a service. Sizes in MiB. */
export interface IsolationOptions {
  /** The database, which must be open read-only wherever else it is open. */
  readonly databasePath: string;
  readonly schemas: TableSchemas;
  /** Of `readTimeRanges`. */
  readonly timeRanges: KnownTables['timeRanges'];
  /** Of `readLayouts`. */
  readonly layouts: KnownTables['layouts'];
  /** The entries that arrive while the service runs. */
  readonly live?: LiveViews | undefined;
  /** What DuckDB may use for a consumer's query; those that run beside others have a part of it. */
  readonly memoryLimitMiB: number;
  readonly threads?: number;
  /** What a query process may have in all; without it, 1 GiB above `memoryLimitMiB`. */
  readonly maxResidentMiB?: number;
  /** The folder for the query processes' own. */
  readonly temporaryParent: string;
  /** Queries that run at the same time. */
  readonly concurrency?: number;
  /** Processes that stand by for new callers, once there was one. */
  readonly spares?: number;
  /** Queries that wait while those run; one more is refused. */
  readonly queueLimit?: number;
  /** How long after its deadline, or after it was cancelled, a query may go on before its process is killed, in ms. */
  readonly graceMs?: number;
  /** How long a process waits for another query before it ends, in ms. */
  readonly idleMs?: number;
  /** Called when a process ended with queries under way. */
  readonly warn: (message: string) => void;
}

/** Consumers' queries that run at the same time; what a token may have of them is the fair queue's to say. */
export const QUERY_PROCESSES = 16;

const SPARES = 1;
/** More than all tokens together are let through. */
const QUEUE_LIMIT = 1_024;
/** An interruption that works takes a few milliseconds; others have to be free of the query soon. */
const GRACE_MS = 150;
const IDLE_MS = 60_000;
const LONG_CPU_MS = 200;

/** Beside others, a query has this part of the memory, and more of it goes to temporary files. */
const SHARED_PART = 4;
const LEAST_SHARED_MIB = 64;

/** For the program itself and for what expressions make, which DuckDB's limit does not count. */
const ALLOWANCE_MIB = 1_024;

/** What a process has that waits for a query. */
const IDLE_PROCESS_MIB = 192;

const BYTES_PER_MIB = 1_048_576;

/** Runs consumers' queries outside the service's process. */
export interface IsolatedQueries
  extends Pick<Warehouse, 'run' | 'close'>,
    Required<Pick<Warehouse, 'nextPage'>> {
  /** The processes that there are now. */
  pids(): readonly number[];
}

/**
 * Runs queries outside the service, each in a process that has no other query meanwhile, so that none can take the
 * service or another query with it: a query that does not end when it was cancelled or its deadline has passed, or needs
 * more memory than its process may have, ends with that process. A query whose process ended for another reason, or that
 * found too little memory, is tried once more, alone with all memory in a new process, within its deadline. The next
 * pages of results are kept in the process that ran their queries, and gone with it; what was run alone has none.
 */
export function isolateQueries(options: IsolationOptions): IsolatedQueries {
  const { graceMs = GRACE_MS, idleMs = IDLE_MS, queueLimit = QUEUE_LIMIT, warn } = options;
  const { memoryLimitMiB, concurrency = QUERY_PROCESSES, spares = SPARES } = options;
  const maxResidentMiB = options.maxResidentMiB ?? memoryLimitMiB + ALLOWANCE_MIB;
  const { live } = options;
  const common = { graceMs, idleMs, queueLimit, warn, live, longCpuMs: LONG_CPU_MS };
  let lastId = 0;
  const retries = new WorkerPool({
    ...common,
    settings: engineSettings(options, memoryLimitMiB, maxResidentMiB),
    concurrency: 1,
    spares: 0,
    endsAfterEach: true,
    maxTotalBytes: Infinity,
    onLost: (job, { isOutOfMemory, reason }) => job.fail(isOutOfMemory ? tooBig(reason) : failed(reason)),
    onShortage: () => false,
  });
  const first = new WorkerPool({
    ...common,
    settings: engineSettings(
      options,
      Math.max(LEAST_SHARED_MIB, Math.floor(memoryLimitMiB / SHARED_PART)),
      maxResidentMiB,
    ),
    concurrency,
    spares,
    endsAfterEach: false,
    maxTotalBytes: (maxResidentMiB + (concurrency + spares - 1) * IDLE_PROCESS_MIB) * BYTES_PER_MIB,
    onLost: (job) => retries.submit(job),
    onShortage: (job) => {
      if (job.task.kind === 'page') return false;
      retries.submit(job);
      return true;
    },
  });
  const start = (task: Task) => {
    lastId += 1;
    return runJob(new QueryJob(lastId, task), task.options, [first, retries]);
  };
  return {
    run: (query, runOptions) => start({ kind: 'run', query, options: runOptions }),
    nextPage: async (token, pageOptions) => {
      if (token.kind !== 'worker') throw pageExpired();
      return start({ kind: 'page', token, options: pageOptions });
    },
    close: async () => {
      await Promise.all([first.close(), retries.close()]);
    },
    pids: () => [first, retries].flatMap((pool) => pool.pids()),
  };
}

async function runJob(
  job: QueryJob,
  { signal, grow }: PageOptions,
  pools: readonly WorkerPool[],
): Promise<QueryResult> {
  if (signal?.aborted) throw abandoned();
  const onAbort = () => {
    for (const pool of pools) pool.cancel(job);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    pools[0]?.submit(job);
    return await fetchRows(await job.outcome, grow);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function engineSettings(
  options: IsolationOptions,
  memoryLimitMiB: number,
  maxResidentMiB: number,
): EngineSettings {
  const { databasePath, schemas, timeRanges, layouts, threads, temporaryParent } = options;
  const maxResidentBytes = maxResidentMiB * BYTES_PER_MIB;
  return {
    databasePath,
    schemas,
    timeRanges,
    layouts,
    memoryLimitMiB,
    threads,
    temporaryParent,
    maxResidentBytes,
  };
}

/** `trusted` for all queries but consumers' own, which go to `isolated`; closing it closes both. */
export function splitWarehouse(trusted: Warehouse, isolated: IsolatedQueries): Warehouse {
  return {
    ...trusted,
    get tables() {
      return trusted.tables;
    },
    run: async (query: WarehouseQuery, options: RunOptions) =>
      (query.isUntrusted === true ? isolated : trusted).run(query, options),
    nextPage: async (token: PageToken, options: PageOptions) => {
      if (token.kind === 'worker') return isolated.nextPage(token, options);
      if (trusted.nextPage === undefined) throw pageExpired();
      return trusted.nextPage(token, options);
    },
    close: async () => {
      try {
        await isolated.close();
      } finally {
        await trusted.close();
      }
    },
  };
}
