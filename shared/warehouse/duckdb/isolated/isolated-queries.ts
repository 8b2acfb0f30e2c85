import type { TableSchemas } from '../../../schema/table-schema.ts';
import { keptNoMore } from '../../kept-no-more.ts';
import type { MoreOptions, QueryResult, RunOptions, Warehouse, WarehouseQuery } from '../../warehouse.ts';
import type { KnownData } from '../translate/idle-bounds.ts';
import type { EngineSettings } from './engine-process.ts';
import { QueryJob, type Task } from './query-job.ts';
import { QueryLane } from './query-lane.ts';
import { abandoned, failed, tooBig } from './query-problems.ts';
import { fetchRows } from './spooled-rows.ts';

/** What may be set; the defaults are for a service. Sizes in MiB. */
export interface IsolationOptions {
  /** The database, which must be open read-only wherever else it is open. */
  readonly databasePath: string;
  readonly schemas: TableSchemas;
  /** Of `readTimeRanges`. */
  readonly timeRanges: KnownData['timeRanges'];
  /** What DuckDB may use for the consumers' queries that run at the same time. */
  readonly memoryLimitMiB: number;
  readonly threads?: number;
  /** What a query process may have in all; without it, 1 GiB above `memoryLimitMiB`. */
  readonly maxResidentMiB?: number;
  /** The folder for the query processes' own. */
  readonly temporaryParent: string;
  /** Queries that run at the same time. */
  readonly concurrency?: number;
  /** Queries that wait while those run; one more is refused. */
  readonly queueLimit?: number;
  /** How long after its deadline a query may go on before its process is killed, in ms. */
  readonly graceMs?: number;
  /** Told when a process ended with queries under way. */
  readonly warn: (message: string) => void;
}

/** Enough that ten long queries do not keep short ones out. */
const CONCURRENCY = 16;
const QUEUE_LIMIT = 64;
const GRACE_MS = 1_000;

/** For the program itself and for what expressions make, which DuckDB's limit does not count. */
const ALLOWANCE_MIB = 1_024;

const BYTES_PER_MIB = 1_048_576;

/** Runs consumers' queries outside the service's process. */
export interface IsolatedQueries extends Pick<Warehouse, 'run' | 'close'>, Required<Pick<Warehouse, 'more'>> {
  /** The processes that there are now. */
  pids(): readonly number[];
}

/**
 * Runs queries in a process of their own, started for the first one, so that none can take the service with it:
 * a query that does not end at its deadline, or needs more memory than its process may have, ends with that
 * process. Each other query that was under way there is tried once more, alone in a new process, within its deadline;
 * so is one that DuckDB refused for lack of memory beside others. New queries meanwhile run beside that. The next pages of
 * results are kept in the process that ran their queries, and gone with it; what was run alone has none.
 */
export function isolateQueries(options: IsolationOptions): IsolatedQueries {
  const { graceMs = GRACE_MS, queueLimit = QUEUE_LIMIT, warn } = options;
  let lastId = 0;
  const retries = new QueryLane({
    settings: engineSettings(options, 1),
    queueLimit,
    graceMs,
    warn,
    isFreshForEach: true,
    onLost: (job, { isOutOfMemory, reason }) => job.fail(isOutOfMemory ? tooBig(reason) : failed(reason)),
    onShortage: () => false,
  });
  const first = new QueryLane({
    settings: engineSettings(options, options.concurrency ?? CONCURRENCY),
    queueLimit,
    graceMs,
    warn,
    isFreshForEach: false,
    onLost: (job) => (job.task.kind === 'more' ? job.fail(keptNoMore()) : retries.submit(job)),
    onShortage: (job) => {
      if (job.task.kind === 'more') return false;
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
    more: (rest, moreOptions) => start({ kind: 'more', rest, options: moreOptions }),
    close: async () => {
      await Promise.all([first.close(), retries.close()]);
    },
    pids: () => [first, retries].flatMap(({ pid }) => pid ?? []),
  };
}

async function runJob(
  job: QueryJob,
  { signal, grow }: MoreOptions,
  [first, retries]: readonly [QueryLane, QueryLane],
): Promise<QueryResult> {
  if (signal?.aborted) throw abandoned();
  const onAbort = () => {
    if (job.isSettled) return;
    job.fail(abandoned());
    first.cancel(job);
    retries.cancel(job);
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    first.submit(job);
    return await fetchRows(await job.outcome, grow);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function engineSettings(options: IsolationOptions, concurrency: number): EngineSettings {
  const { databasePath, schemas, timeRanges, memoryLimitMiB, threads, temporaryParent } = options;
  const maxResidentMiB = options.maxResidentMiB ?? memoryLimitMiB + ALLOWANCE_MIB;
  return {
    databasePath,
    schemas,
    timeRanges,
    memoryLimitMiB,
    threads,
    temporaryParent,
    maxResidentBytes: maxResidentMiB * BYTES_PER_MIB,
    concurrency,
  };
}

/** What the names of next pages begin with that a query process keeps. */
const ISOLATED = 'isolated:';

/** `trusted` for all queries but consumers' own, which go to `isolated`; closing it closes both. */
export function splitWarehouse(trusted: Warehouse, isolated: IsolatedQueries): Warehouse {
  return {
    ...trusted,
    run: async (query: WarehouseQuery, options: RunOptions) =>
      query.isUntrusted === true ? named(await isolated.run(query, options)) : trusted.run(query, options),
    more: async (rest: string, options: MoreOptions) => {
      if (rest.startsWith(ISOLATED)) return named(await isolated.more(rest.slice(ISOLATED.length), options));
      if (trusted.more === undefined) throw keptNoMore();
      return trusted.more(rest, options);
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

function named({ rest, ...result }: QueryResult): QueryResult {
  return rest === undefined ? result : { ...result, rest: ISOLATED + rest };
}
