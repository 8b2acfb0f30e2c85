import { ZodError } from 'zod';
import type { Warn } from '../../errors/warn.ts';
import { abandoned, tooSlow } from '../query-ended.ts';
import type { RunOptions } from '../warehouse.ts';
import { type FailedQuery, toServiceError } from './failures.ts';
import { unusable } from './query-problems.ts';
import { abortable } from './rest/abortable.ts';
import { ApiFailure } from './rest/api-failure.ts';
import { InvalidResponse } from './rest/invalid-response.ts';

/**
 * Runs `work` until the deadline passes or the caller goes away; its signal is aborted then, and when the work ends.
 * Throws a ServiceError for what goes wrong with BigQuery.
 */
export async function limitedWork<T>(
  { deadlineMs, signal }: Pick<RunOptions, 'deadlineMs' | 'signal'>,
  { query, warn }: { readonly query: FailedQuery; readonly warn: Warn },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw abandoned();
  const controller = new AbortController();
  const onAbort = () => controller.abort(abandoned());
  const timer = setTimeout(() => controller.abort(tooSlow(deadlineMs)), deadlineMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await abortable(work(controller.signal), controller.signal);
  } catch (error) {
    if (error instanceof ApiFailure) throw toServiceError(error, query, warn);
    if (error instanceof ZodError || error instanceof InvalidResponse) {
      warn('BigQuery answered something that cannot be used', { error: error.message });
      throw unusable(error);
    }
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    // The rest of the work may go on after a failure; no caller waits for it.
    controller.abort(abandoned());
  }
}
