import { abandoned } from '../../query-ended.ts';
import type { QueryResult } from '../../warehouse.ts';
import type { LiveViews } from '../live/live-view.ts';
import { type EngineEnd, type EngineProcess, type EngineSettings, startEngine } from './engine-process.ts';
import type { Answer, LiveMessage, Usage } from './messages.ts';
import { setNiceness } from './niceness.ts';
import type { QueryJob } from './query-job.ts';

/** What a worker reports to its pool. Each call comes when the worker's own state is that of after it. */
export interface WorkerEvents {
  /** It can run queries, for the first time. */
  readonly onReady: () => void;
  /** Its query answered after so much CPU time; the worker is idle. */
  readonly onAnswer: (job: QueryJob, answer: Answer, cpuMs: number) => void;
  /** It runs nothing any more, ever. */
  readonly onGone: (end: EngineEnd, lost: LostQuery | null) => void;
  /** Its memory or its CPU time are known anew. */
  readonly onUsage: () => void;
}

/** A query that was under way when its process ended. */
export interface LostQuery {
  readonly job: QueryJob;
  readonly cpuMs: number;
  /** Whether the process had to be killed to end it. */
  readonly wasOverdue: boolean;
}

export interface WorkerOptions {
  readonly settings: EngineSettings;
  /** How long an interrupted query may go on before its process is killed, in ms. */
  readonly graceMs: number;
  /** The entries that arrive while the service runs; its queries see those that there are when they start. */
  readonly live?: LiveViews | undefined;
  /** CPU time after which a query has to let shorter ones pass, in ms. */
  readonly longCpuMs: number;
}

/**
 * How a process is started: before all else since somebody waits for it, or after everything else. `low` stays so until
 * a short query needs it.
 */
export type StartPriority = 'urgent' | 'idle' | 'low';

/** Which worker is started, how urgently, and for which owner's queries; null starts one in reserve. */
export interface WorkerStart {
  readonly id: number;
  readonly startedFor: string | null;
  readonly priority: StartPriority;
}

interface Run {
  readonly job: QueryJob;
  readonly cpuBeforeMs: number;
  isOverdue: boolean;
  /** Gives up the files that the query reads. */
  release: () => void;
  timer: NodeJS.Timeout | undefined;
}

/**
 * One query process with one query at a time: ending it ends no one else's query, and what it takes is that query's. A
 * query that was cancelled, or whose deadline passed, settles when it has ended, with its process where it cannot be
 * interrupted.
 */
export class QueryWorker {
  readonly id: number;
  /** Whose queries made it necessary; null for one that stands by. */
  readonly startedFor: string | null;
  /** Whose query it ran last; null before the first. */
  owner: string | null = null;
  /** When it became idle, by the monotonic clock. */
  idleSinceMs = 0;
  /** Until when it may keep next pages of its owner, by the monotonic clock. */
  keepsUntilMs = 0;
  readonly #options: WorkerOptions;
  readonly #events: WorkerEvents;
  readonly #engine: EngineProcess;
  #usage: Usage = { cpuMs: 0, residentBytes: 0 };
  #startCpuMs = 0;
  #run: Run | null = null;
  #isReady = false;
  #isGone = false;
  /** The snapshot of live entries that the process has. */
  #snapshotVersion = 0;
  #isLow = false;

  constructor({ id, startedFor, priority }: WorkerStart, options: WorkerOptions, events: WorkerEvents) {
    this.id = id;
    this.startedFor = startedFor;
    this.#options = options;
    this.#events = events;
    this.#engine = startEngine(options.settings, {
      onUsage: (usage) => this.#account(usage),
      onReady: () => {
        if (priority !== 'low' && this.pid !== undefined && setNiceness(this.pid, 'usual'))
          this.#isLow = false;
        this.#isReady = true;
        this.#startCpuMs = this.#usage.cpuMs;
        this.idleSinceMs = performance.now();
        events.onReady();
      },
      onAnswer: (answer) => this.#onAnswer(answer),
      onEnd: (end) => this.#leave(end),
    });
    // Before it has threads: those that it starts have the same.
    if (priority !== 'urgent' && this.pid !== undefined) this.#isLow = setNiceness(this.pid, 'low');
  }

  get pid(): number | undefined {
    return this.#engine.pid;
  }

  get ended(): Promise<void> {
    return this.#engine.ended;
  }

  get residentBytes(): number {
    return this.#usage.residentBytes;
  }

  get job(): QueryJob | null {
    return this.#run?.job ?? null;
  }

  /** Whether it comes after short queries. */
  get isLow(): boolean {
    return this.#isLow;
  }

  get isStarting(): boolean {
    return !this.#isReady && !this.#isGone;
  }

  get isIdle(): boolean {
    return this.#isReady && !this.#isGone && this.#run === null;
  }

  /** Whether it runs a query as soon as a short one has to be run; where it may not be raised, a low process stays so. */
  canBeQuick(): boolean {
    this.#setLow(false);
    return !this.#isLow;
  }

  /** Runs a job while idle; `isLong` says that its owner's queries take long as a rule. */
  start(job: QueryJob, isLong: boolean): void {
    this.owner = job.owner;
    this.#setLow(isLong);
    const deadlineMs = Math.max(1, Math.ceil(job.leftMs));
    const run: Run = {
      job,
      cpuBeforeMs: this.#usage.cpuMs,
      isOverdue: false,
      release: () => {},
      timer: undefined,
    };
    this.#run = run;
    this.#engine.send({ ...job.message(deadlineMs), ...this.#liveMessage(job, run) });
    this.#killAfter(run, deadlineMs + this.#options.graceMs, () =>
      job.failAsTooSlow('it could not be interrupted, so its process was killed'),
    );
  }

  #liveMessage({ task }: QueryJob, run: Run): { readonly live?: LiveMessage } {
    const { live } = this.#options;
    if (live === undefined || task.kind === 'page') return {};
    const { view, release } = live.acquire();
    run.release = release;
    const { snapshot, positions } = view;
    if (snapshot.version === this.#snapshotVersion) return { live: { positions } };
    this.#snapshotVersion = snapshot.version;
    return { live: { snapshot, positions } };
  }

  /** Has the job end that no caller waits for any longer. */
  cancel(job: QueryJob): void {
    const run = this.#run;
    if (run?.job !== job) return;
    this.#engine.send({ kind: 'cancel', id: job.id });
    this.#killAfter(run, this.#options.graceMs, () => job.fail(abandoned()));
  }

  /** Ends the process at once; a job under way is lost. */
  kill(end: Pick<EngineEnd, 'isOutOfMemory' | 'reason'> = { isOutOfMemory: false, reason: 'ended.' }): void {
    this.#engine.kill();
    this.#leave({ ...end, wasReady: this.#isReady });
  }

  #killAfter(run: Run, delayMs: number, fail: () => void): void {
    clearTimeout(run.timer);
    run.timer = setTimeout(() => {
      run.isOverdue = true;
      // Whoever makes a new process necessary pays for it.
      run.job.charge(this.#startCpuMs);
      if (!run.job.isSettled) fail();
      this.kill();
    }, delayMs);
  }

  #account(usage: Usage): void {
    const before = this.#usage.cpuMs;
    this.#usage = usage;
    const run = this.#run;
    if (run !== null) {
      run.job.charge(usage.cpuMs - before);
      if (usage.cpuMs - run.cpuBeforeMs > this.#options.longCpuMs) this.#setLow(true);
    }
    if (!this.#isGone) this.#events.onUsage();
  }

  #onAnswer(answer: Answer): void {
    const run = this.#run;
    if (run === null || run.job.id !== answer.id) return;
    clearTimeout(run.timer);
    run.release();
    this.#run = null;
    this.idleSinceMs = performance.now();
    this.#events.onAnswer(run.job, answer, this.#usage.cpuMs - run.cpuBeforeMs);
  }

  #leave(end: EngineEnd): void {
    if (this.#isGone) return;
    this.#isGone = true;
    const run = this.#run;
    this.#run = null;
    clearTimeout(run?.timer);
    run?.release();
    const cpuMs = this.#usage.cpuMs - (run?.cpuBeforeMs ?? 0);
    this.#events.onGone(end, run === null ? null : { job: run.job, cpuMs, wasOverdue: run.isOverdue });
  }

  #setLow(isLow: boolean): void {
    if (isLow === this.#isLow || this.pid === undefined) return;
    if (setNiceness(this.pid, isLow ? 'low' : 'usual')) this.#isLow = isLow;
  }
}

/** What a worker answers to a job, as the caller gets it: its next page is one of this worker. */
export function withWorkerId(result: QueryResult, { id: workerId }: QueryWorker): QueryResult {
  const { pageToken: page } = result;
  return page === undefined ? result : { ...result, pageToken: { kind: 'worker', workerId, page } };
}
