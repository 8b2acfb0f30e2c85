import { setImmediate } from 'node:timers/promises';
import { rateLimitHeaders } from '../access/rate-limiter.ts';
import { ServiceError } from '../errors/service-error.ts';
import { makeCpuBudget } from './cpu-budget.ts';
import { type FairQueueLimits, makeFairQueue, type Place } from './fair-queue.ts';

/** For whom a consumer's query runs. */
export interface Caller {
  /** Of the access token. */
  readonly account: string;
  /** CPU seconds a minute of the access token; null for those that all have. */
  readonly cpuSecondsPerMinute: number | null;
}

/** How many queries of consumers may run and wait, and how much CPU time an account has. */
export interface AdmissionLimits extends FairQueueLimits {
  /** CPU seconds of the engine that an account has each minute, where its token sets no limit. */
  readonly cpuSecondsPerMinute: number;
}

/** A query whose turn it is. */
export interface Turn {
  /** What is left of the deadline, in ms. */
  readonly deadlineMs: number;
  /** Whose turn it is. */
  readonly owner: string;
  /** Counts CPU time of the engine, in ms, against who waits for the query. */
  onCpu(cpuMs: number): void;
  /** The query keeps its place, whatever has become of it, until all the work that was reported to it has ended. */
  onEnding(ended: Promise<void>): void;
}

/** When a query has to end, waiting included. */
export interface Ending {
  readonly deadlineMs: number;
  /** Aborted when no caller waits for it any longer. */
  readonly signal: AbortSignal;
}

/** One caller's query on its way. */
export interface AdmittedQuery {
  /**
   * Waits for the query's turn and runs it. Throws what `work` throws, a ServiceError (deadline_exceeded) when its time
   * is over before it began, or the signal's reason.
   */
  run<T>(ending: Ending, work: (turn: Turn) => Promise<T>): Promise<T>;
}

/** Decides which consumers' queries run, and when, so that no caller keeps others out; each process counts for itself. */
export interface Admission {
  /**
   * Does the work of a caller that wants what `key` stands for; those who want the same share one query, in the turn of
   * whoever of them comes first. Throws a ServiceError (resource_exhausted) with when to come back: the caller has as many
   * queries as it may have, or has used up its CPU time.
   */
  admit<T>(caller: Caller, key: string, work: (query: AdmittedQuery) => Promise<T>): Promise<T>;
  /** Throws a ServiceError (resource_exhausted) when the caller has used up its CPU time. */
  checkCpu(caller: Caller): void;
  /** Counts CPU time that a caller's query took, in ms. */
  chargeCpu(caller: Caller, cpuMs: number): void;
}

/** How soon a query of the caller may have ended, in seconds. */
const RETRY_AFTER_SECONDS = '1';

/** `nowMs` is of a clock that never runs backwards. */
export function makeAdmission(limits: AdmissionLimits, nowMs: () => number): Admission {
  const queue = makeFairQueue(limits);
  const budget = makeCpuBudget(nowMs);
  const stateOf = ({ account, cpuSecondsPerMinute }: Caller) => {
    const limit = cpuSecondsPerMinute ?? limits.cpuSecondsPerMinute;
    return { limit, ...budget.state(account, limit) };
  };
  const checkCpu = (caller: Caller): void => {
    const { isSpent, ...quota } = stateOf(caller);
    if (isSpent) throw spent(quota);
  };

  const inTurn = async <T>(
    place: Place,
    { deadlineMs, signal }: Ending,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> => {
    const dueAtMs = nowMs() + deadlineMs;
    const endings: Promise<void>[] = [];
    try {
      await turnOf(place, { deadlineMs, signal });
      return await work({
        deadlineMs: Math.max(1, Math.ceil(dueAtMs - nowMs())),
        owner: place.account,
        onCpu: (cpuMs) => budget.charge(place.account, cpuMs),
        onEnding: (ended) => void endings.push(ended),
      });
    } finally {
      void allEnded(endings).then(() => place.end());
    }
  };

  return {
    checkCpu,
    chargeCpu(caller, cpuMs) {
      stateOf(caller);
      budget.charge(caller.account, cpuMs);
    },
    async admit(caller, key, work) {
      checkCpu(caller);
      const place = queue.enter(caller.account, key);
      if (place === null) throw tooMany(limits);
      try {
        return await work({ run: (ending, query) => inTurn(place, ending, query) });
      } finally {
        place.leave();
      }
    },
  };
}

/** Resolves when all work has ended, also work that was reported together with the query's outcome. */
async function allEnded(endings: readonly Promise<void>[]): Promise<void> {
  await setImmediate();
  await Promise.allSettled(endings);
}

/** Resolves when it is a query's turn. */
function turnOf(place: Place, { deadlineMs, signal }: Ending): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      reject(waitedTooLong());
    }, deadlineMs);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    place.ready(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}

function waitedTooLong(): ServiceError {
  return new ServiceError(
    'deadline_exceeded',
    'The query reached its deadline while it waited for its turn; run fewer queries at the same time.',
  );
}

function tooMany({ running, waiting }: FairQueueLimits): ServiceError {
  return new ServiceError(
    'resource_exhausted',
    `This access token has reached its limit of queries: ${running} running and ${waiting} waiting; try again when one of them has ended.`,
    { headers: { 'Retry-After': RETRY_AFTER_SECONDS } },
  );
}

function spent(quota: Parameters<typeof rateLimitHeaders>[0]): ServiceError {
  const { limit, resetSeconds } = quota;
  const seconds = resetSeconds === 1 ? 'second' : 'seconds';
  return new ServiceError(
    'resource_exhausted',
    `This access token's queries have used up their ${limit} CPU ${limit === 1 ? 'second' : 'seconds'} a minute; try again in ${resetSeconds} ${seconds}.`,
    { headers: { ...rateLimitHeaders(quota), 'Retry-After': String(resetSeconds) } },
  );
}
