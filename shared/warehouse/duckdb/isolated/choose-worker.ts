import type { QueryJob } from './query-job.ts';
import type { QueryWorker } from './query-worker.ts';

/** What decides which process a query gets. */
export interface WorkerChoice {
  readonly workers: readonly QueryWorker[];
  /** Whether one more process may be started. */
  readonly hasRoom: boolean;
  /** Processes that stand by for the next caller. */
  readonly spares: number;
  /** Whether the query's owner had processes killed lately. */
  readonly isPenalized: boolean;
  /** Whether the query's owner asks long queries. */
  readonly isLong: boolean;
  /** The present, in ms of `performance.now()`. */
  readonly nowMs: number;
}

/**
 * The process for a query: its owner's own, else one without an owner, else the one that its owner needs least.
 * `gone` if a page is asked of a process that has ended; `wait` if one will be free or can be started; `full` if none can be
 * started, and none that is idle is of use.
 */
export function chooseWorker(job: QueryJob, choice: WorkerChoice): QueryWorker | 'gone' | 'wait' | 'full' {
  const { task } = job;
  if (task.kind !== 'page') return chooseForQuery(job.owner, choice);
  const keeper = choice.workers.find(({ id }) => id === task.token.workerId);
  return keeper === undefined ? 'gone' : keeper.isIdle ? keeper : 'wait';
}

function chooseForQuery(owner: string, choice: WorkerChoice): QueryWorker | 'wait' | 'full' {
  const { workers, hasRoom, spares, isPenalized, nowMs } = choice;
  const isSlow = isPenalized || choice.isLong;
  const idle = workers.filter((worker) => worker.isIdle && (isSlow || worker.canBeQuick()));
  const isKeeping = (worker: QueryWorker) => worker.keepsUntilMs > nowMs;
  const own = idle.find((worker) => worker.owner === owner && !isKeeping(worker));
  if (own !== undefined) return own;
  const unowned = idle.filter((worker) => worker.owner === null);
  // Those that stand by are for others than who has killed what stood by before.
  const isReserved = isPenalized && unowned.length <= spares && hasRoom;
  const [free] = unowned.toSorted((a, b) => Number(b.isLow === isSlow) - Number(a.isLow === isSlow));
  if (free !== undefined && !isReserved) return free;
  if (hasRoom || workers.some(({ isStarting }) => isStarting)) return 'wait';
  const byUse = idle.toSorted((a, b) => a.idleSinceMs - b.idleSinceMs);
  return byUse.find((worker) => !isKeeping(worker)) ?? byUse[0] ?? 'full';
}
