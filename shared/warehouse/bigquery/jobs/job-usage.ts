import { setTimeout as sleep } from 'node:timers/promises';
import { bytesBilledByRule } from '../../bytes-billed.ts';
import type { QueryUsage } from '../../warehouse.ts';
import { type JobAnswer, type JobReference, jobAnswer, type QueryAnswer } from '../rest/answers.ts';
import type { RestApi } from '../rest/rest-api.ts';
import { type RetryDelay, withRetries } from '../rest/retries.ts';
import { jobPath, placeOf } from './job-path.ts';

/** How long the statistics of a job that has finished may take, in ms: its caller waits for the answer. */
const FINISHED_DEADLINE_MS = 1_000;
/** How long those of a cancelled job may take, in ms: it ends some time after the request. */
const CANCELLED_DEADLINE_MS = 5_000;
const MAX_LOOKS = 8;
const DONE = 'DONE';
/** What BigQuery calls a job that was cancelled or ran out of its time: unlike other failures, it may be charged. */
const STOPPED = 'stopped';
/** The statistics have the whole plan of the query besides. */
const FIELDS =
  'status(state,errorResult(reason)),statistics(query(cacheHit,totalBytesBilled,totalBytesProcessed))';

const UNKNOWN_USAGE: QueryUsage = { bytesProcessed: null, bytesBilled: null };

/** Finds out what jobs took. */
export interface JobUsage {
  /** What a finished query took, as its answer says or, where that lacks it, as its job does. Never throws. */
  ofFinished(answer: QueryAnswer, tableCount: number, signal: AbortSignal): Promise<QueryUsage>;
  /** What a job took that failed or was cancelled, when it has ended; null in both where that stays unknown. Never throws. */
  ofCancelled(job: JobReference, tableCount: number, signal: AbortSignal): Promise<QueryUsage>;
}

/** Asks the API for what the answer of a query lacks; `delayMs` gives the waits between two looks at a job. */
export function makeJobUsage(api: RestApi, delayMs: RetryDelay): JobUsage {
  /** The job when it has ended; null where it does not within the time. */
  async function ended(job: JobReference, signal: AbortSignal): Promise<JobAnswer | null> {
    const query = { ...placeOf(job), fields: FIELDS };
    const call = { method: 'GET', path: jobPath('/jobs', job), query } as const;
    for (let looks = 1; looks <= MAX_LOOKS; looks++) {
      const content = await withRetries(() => api.call(call, signal), { signal, delayMs });
      const answer = jobAnswer.parse(content);
      if (answer.status.state === DONE) return answer;
      await sleep(delayMs(looks), undefined, { signal });
    }
    return null;
  }

  /** Metadata of an answer is never worth failing for. */
  const endedWithin = (ms: number, job: JobReference, signal: AbortSignal): Promise<JobAnswer | null> =>
    ended(job, AbortSignal.any([signal, AbortSignal.timeout(ms)])).catch(() => null);

  return {
    async ofFinished(answer, tableCount, signal) {
      const usage = usageOf(answer, tableCount);
      const isComplete = answer.totalBytesBilled !== undefined || answer.cacheHit === true;
      if (isComplete || answer.jobReference === undefined) return usage;
      const job = await endedWithin(FINISHED_DEADLINE_MS, answer.jobReference, signal);
      return job === null ? usage : usageOf({ ...answer, ...job.statistics.query }, tableCount);
    },
    async ofCancelled(reference, tableCount, signal) {
      const job = await endedWithin(CANCELLED_DEADLINE_MS, reference, signal);
      if (job === null) return UNKNOWN_USAGE;
      const { errorResult } = job.status;
      // BigQuery does not charge for a query that ends with its own error.
      const isFree = errorResult !== undefined && errorResult.reason !== STOPPED;
      return usageOf({ ...(isFree ? { totalBytesBilled: 0 } : {}), ...job.statistics.query }, tableCount);
    },
  };
}

/** What statistics say; what is billed by BigQuery's rule where they do not say that. */
function usageOf(
  {
    totalBytesProcessed,
    totalBytesBilled,
    cacheHit,
  }: Pick<QueryAnswer, 'totalBytesProcessed' | 'totalBytesBilled' | 'cacheHit'>,
  tableCount: number,
): QueryUsage {
  const bytesProcessed = totalBytesProcessed ?? null;
  if (totalBytesBilled !== undefined) return { bytesProcessed, bytesBilled: totalBytesBilled };
  if (cacheHit === true) return { bytesProcessed, bytesBilled: 0 };
  return {
    bytesProcessed,
    bytesBilled: bytesProcessed === null ? null : bytesBilledByRule(bytesProcessed, tableCount),
  };
}
