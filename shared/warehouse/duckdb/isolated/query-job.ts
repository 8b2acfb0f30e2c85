import type { ServiceError } from '../../../errors/service-error.ts';
import type { PageToken } from '../../page-token.ts';
import { tooSlow } from '../../query-ended.ts';
import type { PageOptions, QueryResult, RunOptions, WarehouseQuery } from '../../warehouse.ts';
import type { PageMessage, RunMessage } from './messages.ts';

/** What a process is asked: to run a query, or for the next page of a result that it keeps. */
export type Task =
  | { readonly kind: 'run'; readonly query: WarehouseQuery; readonly options: RunOptions }
  | {
      readonly kind: 'page';
      readonly token: Extract<PageToken, { readonly kind: 'worker' }>;
      readonly options: PageOptions;
    };

/** One query, or one page more, on its way to rows or an error, whichever process runs it. Only its first outcome counts. */
export class QueryJob {
  readonly id: number;
  readonly task: Task;
  /** Whether no caller waits for it any longer. */
  isAbandoned = false;
  readonly outcome: Promise<QueryResult>;
  readonly #dueAtMs: number;
  readonly #resolve: (result: QueryResult) => void;
  readonly #reject: (error: ServiceError) => void;
  #isSettled = false;

  constructor(id: number, task: Task) {
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
    this.id = id;
    this.task = task;
    this.outcome = promise;
    this.#dueAtMs = performance.now() + task.options.deadlineMs;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Whose query it is. */
  get owner(): string {
    return this.task.options.owner ?? '';
  }

  /** Counts CPU time of the engine, in ms. */
  charge(cpuMs: number): void {
    if (cpuMs > 0) this.task.options.onCpu?.(cpuMs);
  }

  /** What is left of the deadline, in ms; waiting counts. */
  get leftMs(): number {
    return this.#dueAtMs - performance.now();
  }

  /** The message that runs it, with what is left of the deadline. */
  message(deadlineMs: number): RunMessage | PageMessage {
    const { id, task } = this;
    const { maxRows } = task.options;
    if (task.kind === 'page') return { kind: 'page', id, token: task.token.page, maxRows, deadlineMs };
    // Without the tree: the deepest trees come near to what the stack of the message's serializer takes.
    const { sql, parameters } = task.query;
    const { nowMicros } = task.options;
    return { kind: 'run', id, query: { sql, parameters }, maxRows, deadlineMs, nowMicros };
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
    this.fail(tooSlow(this.task.options.deadlineMs, reason));
  }
}
