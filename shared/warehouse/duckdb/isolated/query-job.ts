import type { ServiceError } from '../../../errors/service-error.ts';
import type { QueryResult, RunOptions, WarehouseQuery } from '../../warehouse.ts';
import { tooSlow } from './query-problems.ts';

/** One query on its way to rows or an error, whichever process runs it. Only its first outcome counts. */
export class QueryJob {
  readonly id: number;
  readonly query: WarehouseQuery;
  readonly options: RunOptions;
  readonly outcome: Promise<QueryResult>;
  readonly #dueAtMs: number;
  readonly #resolve: (result: QueryResult) => void;
  readonly #reject: (error: ServiceError) => void;
  #isSettled = false;

  constructor(id: number, query: WarehouseQuery, options: RunOptions) {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
    this.id = id;
    this.query = query;
    this.options = options;
    this.outcome = promise;
    this.#dueAtMs = performance.now() + options.deadlineMs;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** What is left of the deadline, in ms; waiting counts. */
  get leftMs(): number {
    return this.#dueAtMs - performance.now();
  }

  succeed(result: QueryResult): void {
    this.#isSettled = true;
    this.#resolve(result);
  }

  fail(error: ServiceError): void {
    this.#isSettled = true;
    this.#reject(error);
  }

  failAsTooSlow(reason?: string): void {
    this.fail(tooSlow(this.options.deadlineMs, reason));
  }
}
