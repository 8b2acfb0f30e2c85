import type { ServiceError } from '../../../errors/service-error.ts';
import { abandoned } from '../../query-ended.ts';
import type { QueryJob } from './query-job.ts';

/** The queries that wait for a process, in the order in which they came; each leaves at its deadline. */
export class JobQueue {
  readonly #jobs: QueryJob[] = [];
  readonly #timers = new Map<QueryJob, NodeJS.Timeout>();

  /** The queries that wait now. */
  get jobs(): readonly QueryJob[] {
    return this.#jobs;
  }

  /** Adds a query; if it still waits when its time is up, it fails. */
  add(job: QueryJob): void {
    this.#jobs.push(job);
    const timer = setTimeout(() => {
      this.drop(job);
      job.failAsTooSlow('it was still waiting');
    }, job.leftMs);
    this.#timers.set(job, timer);
  }

  /** Takes a query out, and answers whether it waited. */
  drop(job: QueryJob): boolean {
    clearTimeout(this.#timers.get(job));
    this.#timers.delete(job);
    const index = this.#jobs.indexOf(job);
    if (index >= 0) this.#jobs.splice(index, 1);
    return index >= 0;
  }

  /** Has a query fail that no caller waits for any longer, if it is here. */
  abandon(job: QueryJob): void {
    if (this.drop(job)) job.fail(abandoned());
  }

  /** Has all queries that wait fail with the error. */
  failAll(error: ServiceError): void {
    for (const job of [...this.#jobs]) {
      this.drop(job);
      job.fail(error);
    }
  }
}
