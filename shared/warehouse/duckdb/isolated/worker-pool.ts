import { pageExpired } from '../../page-token.ts';
import { abandoned } from '../../query-ended.ts';
import { OPEN_RESULT_LIMITS } from '../paging/open-results.ts';
import { chooseWorker } from './choose-worker.ts';
import type { EngineEnd } from './engine-process.ts';
import { JobQueue } from './job-queue.ts';
import type { Answer } from './messages.ts';
import { makeOwnerHistory, type OwnerHistory } from './owner-history.ts';
import type { QueryJob } from './query-job.ts';
import { failed, tooMany } from './query-problems.ts';
import {
  type LostQuery,
  QueryWorker,
  type StartPriority,
  type WorkerOptions,
  withWorkerId,
} from './query-worker.ts';
import { fromWireError } from './wire-error.ts';

export interface PoolOptions extends WorkerOptions {
  /** Processes that run a query at the same time, one each. */
  readonly concurrency: number;
  /** Processes that stand by, ready for the next caller. */
  readonly spares: number;
  /** How many queries wait at most while the processes have all that they may have. */
  readonly queueLimit: number;
  /** Whether a process ends after its query, so that each query gets a new one. */
  readonly endsAfterEach: boolean;
  /** How long a process waits for another query before it ends, in ms. */
  readonly idleMs: number;
  /** What all processes may have together, in bytes; the largest ends above it. */
  readonly maxTotalBytes: number;
  /** Takes a query that was under way when its process ended, with time left. */
  readonly onLost: (job: QueryJob, end: EngineEnd) => void;
  /** Takes a query that failed for lack of memory; false leaves the error be. */
  readonly onShortage: (job: QueryJob) => boolean;
  readonly warn: (message: string) => void;
}

/** So many processes in a row have to fail to start before the queries that wait are refused. */
const MAX_FAILED_STARTS = 2;

/**
 * Query processes, and the queries that wait for one. An owner's queries come back to the process that they had, so
 * that what others do to theirs goes unnoticed; processes are started when they are needed and end when they are not.
 */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #waiting = new JobQueue();
  readonly #workers = new Set<QueryWorker>();
  /** Processes that have not ended, those that are not of use any more included. */
  readonly #ending = new Set<Promise<void>>();
  readonly #history: OwnerHistory;
  #lastWorker = 0;
  #lastUseMs = Number.NEGATIVE_INFINITY;
  #failedStarts = 0;
  #canRaise = true;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#history = makeOwnerHistory(options.longCpuMs, () => performance.now());
  }

  /** The processes that there are now. */
  pids(): readonly number[] {
    return [...this.#workers].flatMap(({ pid }) => pid ?? []);
  }

  submit(job: QueryJob): void {
    if (job.isSettled) return;
    const { queueLimit, concurrency } = this.#options;
    const isFull = this.#waiting.jobs.length + this.#busyCount() >= queueLimit + concurrency;
    if (this.#isClosed) job.fail(failed('the warehouse is closed'));
    else if (job.isAbandoned) job.fail(abandoned());
    else if (job.leftMs <= 0) job.failAsTooSlow();
    else if (isFull) job.fail(tooMany());
    else {
      this.#waiting.add(job);
      this.#pump();
    }
  }

  /** Has a query end that no caller waits for any longer: it leaves the queue, or is interrupted, or its process is killed. */
  cancel(job: QueryJob): void {
    job.isAbandoned = true;
    this.#waiting.abandon(job);
    for (const worker of this.#workers) worker.cancel(job);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.failAll(failed('the warehouse was closed'));
    for (const worker of [...this.#workers]) worker.kill();
    await Promise.all(this.#ending);
  }

  /** Gives work to whoever is idle, the owners in turns, and starts processes for the rest. */
  #pump(): void {
    if (this.#isClosed) return;
    for (const job of this.#history.inTurns(this.#waiting.jobs)) {
      if (this.#busyCount() >= this.#options.concurrency) break;
      const worker = this.#pick(job);
      if (worker === 'gone') this.#failGone(job);
      else if (worker === 'full') this.#endLow();
      else if (worker !== 'wait') this.#dispatch(job, worker);
    }
    this.#startMissing();
  }

  #dispatch(job: QueryJob, worker: QueryWorker): void {
    this.#waiting.drop(job);
    this.#lastUseMs = performance.now();
    this.#history.begin(job.owner);
    worker.start(job, this.#history.isLong(job.owner));
  }

  /**
   * Starts a process for each owner whose queries wait for one, one at a time and in turns, and those that stand by. To
   * start one takes as much as many small queries.
   */
  #startMissing(): void {
    const { concurrency, idleMs } = this.#options;
    const workers = [...this.#workers];
    const starting = workers.filter((worker) => worker.isStarting);
    const ready = workers.filter((worker) => worker.isIdle && worker.owner === null).length;
    let left = Math.min(this.#most() - workers.length, concurrency - this.#busyCount() - starting.length);
    const waiting = this.#waitingOwners();
    const isPenalized = (owner: string) => this.#history.isPenalized(owner);
    const others = waiting.filter((owner) => !isPenalized(owner));
    // Those that stand by are taken by the first of the others.
    const owners = new Set([...others.slice(ready), ...waiting.filter(isPenalized)]);
    for (const { startedFor } of starting) if (startedFor !== null) owners.delete(startedFor);
    for (const owner of owners) {
      if (left <= 0) return;
      this.#start(owner, this.#priorityFor(owner));
      left -= 1;
    }
    const isInUse = performance.now() - this.#lastUseMs < idleMs;
    const standBy = ready + starting.filter(({ startedFor }) => startedFor === null).length;
    if (isInUse && standBy < this.#options.spares && this.#hasRoom())
      this.#start(null, this.#canRaise ? 'idle' : 'urgent');
  }

  /** Whose queries wait for a process, each as often as they do, in turns. */
  #waitingOwners(): readonly string[] {
    const queries = this.#waiting.jobs.filter(({ task }) => task.kind === 'run');
    return this.#history.inTurns(queries).map(({ owner }) => owner);
  }

  #priorityFor(owner: string): StartPriority {
    if (this.#options.endsAfterEach || this.#history.isPenalized(owner) || this.#history.isLong(owner))
      return 'low';
    const hasOther = [...this.#workers].some((worker) => worker.job?.owner === owner);
    return hasOther && this.#canRaise ? 'idle' : 'urgent';
  }

  #pick(job: QueryJob): ReturnType<typeof chooseWorker> {
    return chooseWorker(job, {
      workers: [...this.#workers],
      hasRoom: this.#hasRoom(),
      spares: this.#options.spares,
      isPenalized: this.#history.isPenalized(job.owner),
      isLong: this.#history.isLong(job.owner),
      nowMs: performance.now(),
    });
  }

  /** Ends a process that is idle and of no use to short queries: a new one takes its place. */
  #endLow(): void {
    [...this.#workers].find((worker) => worker.isIdle && !worker.canBeQuick())?.kill();
  }

  #start(startedFor: string | null, priority: StartPriority): void {
    this.#lastWorker += 1;
    const worker = new QueryWorker({ id: this.#lastWorker, startedFor, priority }, this.#options, {
      onReady: () => {
        this.#failedStarts = 0;
        // Not everywhere may a process come before others again that it came after.
        if (priority === 'idle' && worker.isLow) this.#canRaise = false;
        this.#endWhenIdle(worker);
        this.#pump();
      },
      onAnswer: (job, answer, cpuMs) => this.#settle(worker, job, answer, cpuMs),
      onGone: (end, lost) => this.#onGone(worker, end, lost),
      onUsage: () => this.#boundMemory(),
    });
    this.#workers.add(worker);
    this.#ending.add(worker.ended);
    void worker.ended.then(() => this.#ending.delete(worker.ended));
  }

  #settle(worker: QueryWorker, job: QueryJob, answer: Answer, cpuMs: number): void {
    this.#history.learn(job.owner, cpuMs, false);
    const { endsAfterEach } = this.#options;
    if (!job.isSettled) {
      if (answer.kind === 'refusal') this.#refuse(job, answer);
      else {
        const { pageToken, ...whole } = answer.result;
        if (!endsAfterEach && pageToken !== undefined)
          worker.keepsUntilMs = performance.now() + OPEN_RESULT_LIMITS.ttlMs;
        job.succeed(endsAfterEach ? whole : withWorkerId(answer.result, worker));
      }
    }
    // The queries that wait go on when it has ended.
    if (endsAfterEach) worker.kill();
    else this.#endWhenIdle(worker);
    this.#pump();
  }

  #refuse(job: QueryJob, { error }: Extract<Answer, { readonly kind: 'refusal' }>): void {
    // The engine's own words are kept as the cause: it ran out of memory.
    const isShortage = error.kind === 'resource_exhausted' && error.cause !== null;
    if (error.kind === 'deadline_exceeded' && job.leftMs <= 0) job.failAsTooSlow();
    else if (!(isShortage && this.#options.onShortage(job))) job.fail(fromWireError(error));
  }

  #onGone(worker: QueryWorker, end: EngineEnd, lost: LostQuery | null): void {
    this.#workers.delete(worker);
    if (lost !== null) this.#history.learn(lost.job.owner, lost.cpuMs, lost.wasOverdue || end.isOutOfMemory);
    if (this.#isClosed) {
      if (lost?.job.isSettled === false) lost.job.fail(failed('the warehouse was closed'));
      return;
    }
    if (!end.wasReady) this.#countFailedStart(end);
    if (lost?.job.isSettled === false) this.#lose(lost.job, end);
    this.#pump();
  }

  #lose(job: QueryJob, end: EngineEnd): void {
    this.#options.warn(`a process with a consumer's query was ${end.reason}`);
    if (job.leftMs <= 0) job.failAsTooSlow(end.reason);
    else if (job.task.kind === 'page') job.fail(pageExpired());
    else this.#options.onLost(job, end);
  }

  #countFailedStart(end: EngineEnd): void {
    this.#options.warn(`the process for consumers' queries did not start: ${end.reason}`);
    this.#failedStarts += 1;
    if (this.#failedStarts < MAX_FAILED_STARTS) return;
    this.#failedStarts = 0;
    this.#waiting.failAll(failed(end.reason));
  }

  /** Ends the process that has most, those without work first, while all have too much together. */
  #boundMemory(): void {
    const workers = [...this.#workers];
    const total = workers.reduce((sum, { residentBytes }) => sum + residentBytes, 0);
    if (total <= this.#options.maxTotalBytes) return;
    const bySize = workers.toSorted((a, b) => b.residentBytes - a.residentBytes);
    const largest = bySize.find(({ isIdle }) => isIdle) ?? bySize[0];
    largest?.kill({ isOutOfMemory: true, reason: 'ended: all together had too much memory.' });
  }

  /** Ends a process that was not needed for a while and keeps nothing. */
  #endWhenIdle(worker: QueryWorker): void {
    const { idleSinceMs } = worker;
    const nowMs = performance.now();
    const waitMs = Math.max(this.#options.idleMs, worker.keepsUntilMs - nowMs);
    const timer = setTimeout(() => {
      if (worker.isIdle && worker.idleSinceMs === idleSinceMs) worker.kill();
    }, waitMs);
    timer.unref();
  }

  /** Has a query settle that waited for a process which is gone. */
  #failGone(job: QueryJob): void {
    this.#waiting.drop(job);
    job.fail(pageExpired());
  }

  #most(): number {
    return this.#options.concurrency + this.#options.spares;
  }

  #hasRoom(): boolean {
    return this.#workers.size < this.#most();
  }

  #busyCount(): number {
    return [...this.#workers].filter(({ job }) => job !== null).length;
  }
}
