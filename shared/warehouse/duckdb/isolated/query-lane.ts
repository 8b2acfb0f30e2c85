import { keptNoMore } from '../../kept-no-more.ts';
import type { QueryResult } from '../../warehouse.ts';
import {
  type EngineEnd,
  type EngineEvents,
  type EngineProcess,
  type EngineSettings,
  startEngine,
} from './engine-process.ts';
import type { Answer } from './messages.ts';
import type { QueryJob } from './query-job.ts';
import { failed, tooMany } from './query-problems.ts';
import { fromWireError, type WireError } from './wire-error.ts';

export interface LaneOptions {
  readonly settings: EngineSettings;
  /** How many queries wait at most while the process has all that it may have. */
  readonly queueLimit: number;
  /** How long after its deadline a query has not ended before its process is killed, in ms. */
  readonly graceMs: number;
  /** Whether each query gets a new process. */
  readonly isFreshForEach: boolean;
  /** Takes a query that was under way when the process ended, with time left. */
  readonly onLost: (job: QueryJob, end: EngineEnd) => void;
  /** Takes an error of a query that did not run alone and failed for lack of memory; false leaves the error be. */
  readonly onShortage: (job: QueryJob) => boolean;
  readonly warn: (message: string) => void;
}

/** So many processes in a row have to fail to start before the queries that wait are refused. */
const MAX_FAILED_STARTS = 2;

/** Queries on their way through one query process, which is started for the first and again whenever it ended. */
export class QueryLane {
  readonly #options: LaneOptions;
  readonly #waiting: QueryJob[] = [];
  readonly #running = new Map<number, { readonly job: QueryJob; hadCompany: boolean }>();
  readonly #timers = new Map<QueryJob, NodeJS.Timeout>();
  #engine: EngineProcess | null = null;
  #isReady = false;
  #failedStarts = 0;
  #isClosed = false;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** The process that runs queries now. */
  get pid(): number | undefined {
    return this.#engine?.pid;
  }

  submit(job: QueryJob): void {
    if (job.isSettled) return;
    const { queueLimit, settings } = this.#options;
    const isFull = this.#waiting.length + this.#running.size >= queueLimit + settings.concurrency;
    if (this.#isClosed) job.fail(failed('the warehouse is closed'));
    else if (job.leftMs <= 0) job.failAsTooSlow();
    else if (job.task.kind === 'more' && this.#engine === null) job.fail(keptNoMore());
    else if (isFull) job.fail(tooMany());
    else this.#enqueue(job);
  }

  /** Takes a query back that nobody waits for any more: from the queue, or by interrupting it. */
  cancel(job: QueryJob): void {
    this.#drop(job);
    if (this.#running.has(job.id)) this.#engine?.send({ kind: 'cancel', id: job.id });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const jobs = [...this.#waiting, ...[...this.#running.values()].map(({ job }) => job)];
    for (const job of jobs) {
      this.#clearTimer(job);
      if (!job.isSettled) job.fail(failed('the warehouse was closed'));
    }
    this.#waiting.length = 0;
    const engine = this.#engine;
    engine?.kill();
    await engine?.ended;
  }

  #enqueue(job: QueryJob): void {
    this.#waiting.push(job);
    this.#setTimer(job, job.leftMs, () => {
      this.#drop(job);
      job.failAsTooSlow('it was still waiting');
    });
    this.#pump();
  }

  #pump(): void {
    if (this.#isClosed || this.#waiting.length === 0) return;
    this.#engine ??= this.#start();
    while (this.#isReady && this.#running.size < this.#options.settings.concurrency) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      this.#dispatch(job, this.#engine);
    }
  }

  #dispatch(job: QueryJob, engine: EngineProcess): void {
    const deadlineMs = Math.max(1, Math.ceil(job.leftMs));
    const hadCompany = this.#running.size > 0;
    for (const other of this.#running.values()) other.hadCompany = true;
    this.#running.set(job.id, { job, hadCompany });
    this.#setTimer(job, deadlineMs + this.#options.graceMs, () => {
      if (!job.isSettled) job.failAsTooSlow('it could not be interrupted, so its process was killed');
      this.#kill(engine);
    });
    engine.send(job.message(deadlineMs));
  }

  #start(): EngineProcess {
    const events: EngineEvents = {
      onReady: () => {
        this.#isReady = true;
        this.#failedStarts = 0;
        this.#pump();
      },
      onAnswer: (answer) => this.#settle(answer),
      onEnd: (end) => this.#onEnd(end),
    };
    return startEngine(this.#options.settings, events);
  }

  #settle(answer: Answer): void {
    const run = this.#running.get(answer.id);
    if (run === undefined) return;
    const { job } = run;
    this.#running.delete(answer.id);
    this.#clearTimer(job);
    if (!job.isSettled) {
      if (answer.kind === 'rows') job.succeed(this.#keepable(answer.result));
      else this.#refuse(job, run.hadCompany, answer.error);
    }
    // The queries that wait go on when it has ended.
    if (this.#options.isFreshForEach && this.#engine !== null) this.#kill(this.#engine);
    else this.#pump();
  }

  /** The result as the caller gets it: a process that ends after each query keeps no rows. */
  #keepable({ rest, ...result }: QueryResult): QueryResult {
    return rest === undefined || this.#options.isFreshForEach ? result : { ...result, rest };
  }

  #refuse(job: QueryJob, hadCompany: boolean, error: WireError): void {
    // The engine's own words are kept as the cause: it ran out of what all its queries share.
    const isShortage = error.kind === 'resource_exhausted' && error.cause !== null;
    if (error.kind === 'deadline_exceeded') job.failAsTooSlow();
    else if (!(isShortage && hadCompany && this.#options.onShortage(job))) job.fail(fromWireError(error));
  }

  /** Nothing more is sent to a process that is being killed. */
  #kill(engine: EngineProcess): void {
    this.#isReady = false;
    engine.kill();
  }

  #onEnd(end: EngineEnd): void {
    const lost = [...this.#running.values()].map(({ job }) => job);
    this.#engine = null;
    this.#isReady = false;
    this.#running.clear();
    for (const job of lost) this.#clearTimer(job);
    if (this.#isClosed) return;
    if (!end.wasReady) this.#countFailedStart(end);
    const unsettled = lost.filter(({ isSettled }) => !isSettled);
    if (unsettled.length > 0)
      this.#options.warn(`a process with ${unsettled.length} consumers' queries was ${end.reason}`);
    for (const job of unsettled) {
      if (job.leftMs <= 0) job.failAsTooSlow(end.reason);
      else this.#options.onLost(job, end);
    }
    this.#pump();
  }

  #countFailedStart(end: EngineEnd): void {
    this.#options.warn(`the process for consumers' queries did not start: ${end.reason}`);
    this.#failedStarts += 1;
    if (this.#failedStarts < MAX_FAILED_STARTS) return;
    this.#failedStarts = 0;
    for (const job of this.#waiting.splice(0)) {
      this.#clearTimer(job);
      job.fail(failed(end.reason));
    }
  }

  #drop(job: QueryJob): void {
    const index = this.#waiting.indexOf(job);
    if (index < 0) return;
    this.#waiting.splice(index, 1);
    this.#clearTimer(job);
  }

  #setTimer(job: QueryJob, delayMs: number, work: () => void): void {
    this.#clearTimer(job);
    this.#timers.set(job, setTimeout(work, delayMs));
  }

  #clearTimer(job: QueryJob): void {
    clearTimeout(this.#timers.get(job));
    this.#timers.delete(job);
  }
}
