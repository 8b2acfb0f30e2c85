import { randomUUID } from 'node:crypto';
import type { Warn } from '../../../errors/warn.ts';
import { abortable } from '../rest/abortable.ts';
import type { JobReference, QueryAnswer } from '../rest/answers.ts';
import { queryAnswer } from '../rest/answers.ts';
import type { RestParameter } from '../rest/query-parameters.ts';
import type { OnBytes, RestApi } from '../rest/rest-api.ts';
import { type RetryDelay, withRetries } from '../rest/retries.ts';
import { UnusableAnswer } from '../rest/unusable-answer.ts';

/** How long BigQuery may hold back its first answer, in ms; a query that takes longer gets a job that can be cancelled. */
const FIRST_WAIT_MS = 2_000;
/** How long BigQuery may hold back each answer after that, in ms. */
const LONGEST_WAIT_MS = 10_000;
/** How much longer the first answer is waited for when nobody wants it any more, in ms: it names the job to cancel. */
const GRACE_MS = 1_000;
const CANCEL_DEADLINE_MS = 5_000;

/** A query as jobs.query takes it. */
export interface JobRequest {
  readonly query: string;
  readonly queryParameters: readonly RestParameter[];
  readonly maxResults: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly maximumBytesBilled: number | null;
  readonly deadlineMs: number;
  /** Of `ApiCall`, for each page. */
  readonly onBytes?: OnBytes | undefined;
  /** Told when its job is being cancelled; resolves when that is done or given up. */
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
   * The pages of a query that has finished: the first has the schema. Throws an ApiFailure, a ZodError or UnusableAnswer for
   * an answer of another shape, or what the signal was aborted with; the job is then cancelled.
   */
  run(request: JobRequest, signal: AbortSignal): AsyncGenerator<QueryAnswer, void, undefined>;
  /** The pages of a job that has finished, from one of its rows on. Throws as `run` does. */
  rows(rows: JobRows, signal: AbortSignal): AsyncGenerator<QueryAnswer, void, undefined>;
  /** Resolves when no job is left to cancel. */
  close(): Promise<void>;
}

export interface QueryJobsOptions {
  readonly api: RestApi;
  readonly location: string | null;
  readonly delayMs: RetryDelay;
  readonly warn: Warn;
}

export function makeQueryJobs({ api, location, delayMs, warn }: QueryJobsOptions): QueryJobs {
  const ending = new Set<Promise<void>>();
  const inBackground = (work: Promise<void>, { onEnding }: JobRequest): void => {
    const done = work.finally(() => ending.delete(done));
    ending.add(done);
    onEnding?.(done);
  };

  /** The first answer. One that comes when nobody waits any more is used to cancel its job. */
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
          if (signal.aborted) inBackground(cancelWhenKnown(answer, late), request);
          throw error;
        }
      },
      { signal, delayMs },
    );
  }

  async function cancelWhenKnown(answer: Promise<QueryAnswer>, late: AbortController): Promise<void> {
    const timer = setTimeout(() => late.abort(), FIRST_WAIT_MS + GRACE_MS);
    try {
      const { jobComplete, jobReference } = await answer;
      if (!jobComplete && jobReference !== undefined) await cancel(jobReference);
    } catch {
      // It failed by itself, or will never be known.
    } finally {
      clearTimeout(timer);
    }
  }

  async function cancel(job: JobReference): Promise<void> {
    const signal = AbortSignal.timeout(CANCEL_DEADLINE_MS);
    const path = `${jobPath('/jobs', job)}/cancel`;
    try {
      await withRetries(() => api.call({ method: 'POST', path, query: placeOf(job) }, signal), {
        signal,
        delayMs,
      });
    } catch (error) {
      warn('a query that nobody waits for could not be cancelled', {
        jobId: job.jobId,
        error: String(error),
      });
    }
  }

  function next(
    job: JobReference,
    { maxResults, ...more }: Pick<JobRequest, 'maxResults' | 'onBytes'>,
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
          await api.call({ method: 'GET', path: jobPath('/queries', job), query, ...reading(more) }, signal),
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
    try {
      while (answer.jobComplete !== true) {
        answer = await next(known(job), request, {}, signal);
      }
      yield answer;
      while (answer.pageToken !== undefined) {
        const { pageToken } = answer;
        answer = await next(known(job), request, { pageToken }, signal);
        yield answer;
      }
    } catch (error) {
      if (job !== undefined && answer.jobComplete !== true) inBackground(cancel(job), request);
      throw error;
    }
  }

  async function* rows(
    { job, startIndex, ...request }: JobRows,
    signal: AbortSignal,
  ): AsyncGenerator<QueryAnswer, void, undefined> {
    let answer = await next(job, request, { startIndex: String(startIndex) }, signal);
    if (answer.jobComplete !== true) throw new UnusableAnswer('a job that has finished has not');
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

function jobPath(collection: '/jobs' | '/queries', { jobId }: JobReference): string {
  return `${collection}/${encodeURIComponent(jobId)}`;
}

function placeOf({ location }: JobReference): Record<string, string> {
  return location === undefined || location === '' ? {} : { location };
}

function known(job: JobReference | undefined): JobReference {
  if (job === undefined) throw new UnusableAnswer('a query that has not finished has no job');
  return job;
}
