import { randomUUID } from 'node:crypto';
import type { Warn } from '../../../errors/warn.ts';
import type { QueryUsage } from '../../warehouse.ts';
import { abortable } from '../rest/abortable.ts';
import type { JobReference, QueryAnswer } from '../rest/answers.ts';
import { queryAnswer } from '../rest/answers.ts';
import { InvalidResponse } from '../rest/invalid-response.ts';
import type { RestParameter } from '../rest/query-parameters.ts';
import type { OnBytes, RestApi } from '../rest/rest-api.ts';
import { type RetryDelay, withRetries } from '../rest/retries.ts';
import { jobPath, placeOf } from './job-path.ts';
import { makeJobUsage } from './job-usage.ts';

/** How long BigQuery may hold back its first answer, in ms; a query that takes longer gets a job that can be cancelled. */
const FIRST_WAIT_MS = 2_000;
/** How long BigQuery may hold back each answer after that, in ms. */
const LONGEST_WAIT_MS = 10_000;
/** How much longer the first answer is waited for when it is no longer needed, in ms: it names the job to cancel. */
const GRACE_MS = 1_000;
const CANCEL_DEADLINE_MS = 5_000;
/** How long closing waits for what cancelled jobs took, in ms. */
const CLOSE_USAGE_MS = 1_000;

/** A query as jobs.query takes it. */
export interface JobRequest {
  readonly query: string;
  readonly queryParameters: readonly RestParameter[];
  readonly maxResults: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly maximumBytesBilled: number | null;
  readonly deadlineMs: number;
  /** Receives once what the job took, before the last page was read or, of a job that is cancelled, some time after. */
  readonly onUsage: (usage: QueryUsage) => void;
  /** The tables that the query names. */
  readonly tables: ReadonlySet<string>;
  /** Of `ApiCall`, for each page. */
  readonly onBytes?: OnBytes | undefined;
  /** Called when its job is being cancelled; resolves when that is done or given up. */
  readonly onEnding?: ((ended: Promise<void>) => void) | undefined;
}

/** Which rows of a job's result are asked for. */
export interface JobRows {
  readonly job: JobReference;
  readonly startIndex: number;
  readonly maxResults: number;
  /** Of `ApiCall`, for each page. */
  readonly onBytes?: OnBytes | undefined;
}

/** Runs queries as jobs of one project. */
export interface QueryJobs {
  /**
   * The pages of a query that has finished: the first has the schema. Throws an ApiFailure, a ZodError or InvalidResponse for
   * an answer of another shape, or what the signal was aborted with; the job is then cancelled.
   */
  run(request: JobRequest, signal: AbortSignal): AsyncGenerator<QueryAnswer, void, undefined>;
  /** The pages of a job that has finished, from one of its rows on. Throws as `run` does. */
  rows(rows: JobRows, signal: AbortSignal): AsyncGenerator<QueryAnswer, void, undefined>;
  /** Resolves when no job is left to cancel, and what was cancelled is counted as far as that is soon known. */
  close(): Promise<void>;
}

export interface QueryJobsOptions {
  readonly api: RestApi;
  readonly location: string | null;
  readonly delayMs: RetryDelay;
  readonly warn: Warn;
}

/**
 * Runs jobs in a location; for null, BigQuery chooses it. Calls that fail for the moment are repeated after `delayMs`;
 * `warn` receives a job that could not be cancelled.
 */
export function makeQueryJobs({ api, location, delayMs, warn }: QueryJobsOptions): QueryJobs {
  const usage = makeJobUsage(api, delayMs);
  const ending = new Set<Promise<void>>();
  const counting = new Set<Promise<void>>();
  const closing = new AbortController();
  const inBackground = (work: Promise<void>, { onEnding }: JobRequest): void => {
    const done = work.finally(() => ending.delete(done));
    ending.add(done);
    onEnding?.(done);
  };

  /** Reports what a job took as soon as that is known; no caller waits for it. */
  const countInBackground = (taken: Promise<QueryUsage>, { onUsage }: JobRequest): void => {
    const done = taken
      .then((usage) => {
        if (usage.bytesBilled !== null || usage.bytesProcessed !== null) onUsage(usage);
      })
      .finally(() => counting.delete(done));
    counting.add(done);
  };

  /** Ends a job that no caller waits for, and counts what it took all the same: a cancelled query may be billed in full. */
  async function abandon(job: JobReference, request: JobRequest): Promise<void> {
    await cancel(job);
    countInBackground(usage.ofCancelled(job, request.tables.size, closing.signal), request);
  }

  /** The first answer. One that comes when no caller waits any longer is used to cancel its job. */
  async function start(request: JobRequest, signal: AbortSignal): Promise<QueryAnswer> {
    let requestId = randomUUID();
    return withRetries(
      async (before) => {
        // What broke off may have begun: the same id then finds it. What was answered begins anew.
        if (before !== null && before.status !== null) requestId = randomUUID();
        const late = new AbortController();
        const answer = api
          .call(
            {
              method: 'POST',
              path: '/queries',
              body: queryBody(request, requestId, location),
              ...reading(request),
            },
            late.signal,
          )
          .then((content) => queryAnswer.parse(content));
        try {
          return await abortable(answer, signal);
        } catch (error) {
          if (signal.aborted) inBackground(abandonWhenKnown(answer, late, request), request);
          throw error;
        }
      },
      { signal, delayMs },
    );
  }

  async function abandonWhenKnown(
    starting: Promise<QueryAnswer>,
    late: AbortController,
    request: JobRequest,
  ): Promise<void> {
    const timer = setTimeout(() => late.abort(), FIRST_WAIT_MS + GRACE_MS);
    try {
      const answer = await starting;
      const { jobComplete, jobReference } = answer;
      if (jobComplete) countInBackground(ofFinished(answer, request), request);
      else if (jobReference !== undefined) await abandon(jobReference, request);
    } catch {
      // It failed by itself, or will never be known.
    } finally {
      clearTimeout(timer);
    }
  }

  const ofFinished = (answer: QueryAnswer, { tables }: JobRequest) =>
    usage.ofFinished(answer, tables.size, closing.signal);

  async function cancel(job: JobReference): Promise<void> {
    const signal = AbortSignal.timeout(CANCEL_DEADLINE_MS);
    const path = `${jobPath('/jobs', job)}/cancel`;
    try {
      await withRetries(() => api.call({ method: 'POST', path, query: placeOf(job) }, signal), {
        signal,
        delayMs,
      });
    } catch (error) {
      warn('a query that no caller waits for could not be cancelled', {
        jobId: job.jobId,
        error: String(error),
      });
    }
  }

  function next(
    job: JobReference,
    { maxResults, ...fields }: Pick<JobRequest, 'maxResults' | 'onBytes'>,
    place: { readonly pageToken?: string; readonly startIndex?: string },
    signal: AbortSignal,
  ): Promise<QueryAnswer> {
    const query = {
      ...placeOf(job),
      'formatOptions.useInt64Timestamp': 'true',
      maxResults: String(maxResults),
      timeoutMs: String(LONGEST_WAIT_MS),
      ...place,
    };
    return withRetries(
      async () =>
        queryAnswer.parse(
          await api.call(
            { method: 'GET', path: jobPath('/queries', job), query, ...reading(fields) },
            signal,
          ),
        ),
      { signal, delayMs },
    );
  }

  async function* run(
    request: JobRequest,
    signal: AbortSignal,
  ): AsyncGenerator<QueryAnswer, void, undefined> {
    if (signal.aborted) throw signal.reason;
    let answer = await start(request, signal);
    const job = answer.jobReference;
    let taken: Promise<QueryUsage> | null = null;
    try {
      while (answer.jobComplete !== true) {
        answer = await next(known(job), request, {}, signal);
      }
      taken = ofFinished(answer, request);
      yield answer;
      while (answer.pageToken !== undefined) {
        const { pageToken } = answer;
        answer = await next(known(job), request, { pageToken }, signal);
        yield answer;
      }
    } catch (error) {
      if (job !== undefined && answer.jobComplete !== true) inBackground(abandon(job, request), request);
      throw error;
    } finally {
      if (taken !== null) request.onUsage(await taken);
    }
  }

  async function* rows(
    { job, startIndex, ...request }: JobRows,
    signal: AbortSignal,
  ): AsyncGenerator<QueryAnswer, void, undefined> {
    let answer = await next(job, request, { startIndex: String(startIndex) }, signal);
    if (answer.jobComplete !== true) throw new InvalidResponse('a job that has finished has not');
    yield answer;
    while (answer.pageToken !== undefined) {
      answer = await next(job, request, { pageToken: answer.pageToken }, signal);
      yield answer;
    }
  }

  return {
    run,
    rows,
    close: async () => {
      await Promise.all(ending);
      const timer = setTimeout(() => closing.abort(), CLOSE_USAGE_MS);
      await Promise.all(counting);
      clearTimeout(timer);
    },
  };
}

function reading({ onBytes }: Pick<JobRequest, 'onBytes'>): { readonly onBytes?: OnBytes } {
  return onBytes === undefined ? {} : { onBytes };
}

function queryBody(request: JobRequest, requestId: string, location: string | null): object {
  const { query, queryParameters, maxResults, labels, maximumBytesBilled, deadlineMs } = request;
  return {
    query,
    useLegacySql: false,
    ...(queryParameters.length === 0 ? {} : { parameterMode: 'NAMED', queryParameters }),
    maxResults,
    timeoutMs: Math.min(FIRST_WAIT_MS, deadlineMs),
    jobTimeoutMs: String(deadlineMs),
    formatOptions: { useInt64Timestamp: true },
    jobCreationMode: 'JOB_CREATION_OPTIONAL',
    useQueryCache: true,
    requestId,
    labels,
    ...(maximumBytesBilled === null ? {} : { maximumBytesBilled: String(maximumBytesBilled) }),
    ...(location === null ? {} : { location }),
  };
}

function known(job: JobReference | undefined): JobReference {
  if (job === undefined) throw new InvalidResponse('a query that has not finished has no job');
  return job;
}
