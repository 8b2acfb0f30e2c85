import type { DuckDBConnection } from '@duckdb/node-api';
import { ServiceError } from '../../errors/service-error.ts';
import { abandoned, tooSlow } from '../query-ended.ts';
import type { RunOptions } from '../warehouse.ts';
import { toServiceError } from './duckdb-errors.ts';

/** How often a query that has to stop is interrupted, in ms. */
const INTERRUPT_EVERY_MS = 20;

/** When work has to end, whatever it has reached. */
export type Ending = Pick<RunOptions, 'deadlineMs' | 'signal' | 'grow'>;

/** Runs `work` and interrupts the connection when the deadline passes or the caller goes away. */
export async function interruptible<T>(
  connection: DuckDBConnection,
  { deadlineMs, signal }: Ending,
  work: () => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw abandoned();
  let cause: ServiceError | null = null;
  let interrupting: NodeJS.Timeout | undefined;
  const stop = (reason: ServiceError) => {
    cause ??= reason;
    connection.interrupt();
    // An interruption is lost when the query has not begun to run, so it is repeated until the work has ended.
    interrupting ??= setInterval(() => connection.interrupt(), INTERRUPT_EVERY_MS);
  };
  const onAbort = () => stop(abandoned());
  const timer = setTimeout(() => stop(tooSlow(deadlineMs)), deadlineMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work();
  } catch (error) {
    // A query that waited for memory until the deadline fails with that reason.
    if (error instanceof ServiceError && error.kind === 'unavailable') throw error;
    throw cause ?? (error instanceof ServiceError ? error : toServiceError(error));
  } finally {
    clearTimeout(timer);
    clearInterval(interrupting);
    signal?.removeEventListener('abort', onAbort);
  }
}
