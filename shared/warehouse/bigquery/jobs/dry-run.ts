import { dryRunAnswer, queryAnswer } from '../rest/answers.ts';
import type { RestParameter } from '../rest/query-parameters.ts';
import type { RestApi } from '../rest/rest-api.ts';
import { type RetryDelay, withRetries } from '../rest/retries.ts';
import type { TableReference } from '../source-tables.ts';

/** A query that BigQuery is asked about without running it, at no cost. */
export interface DryRunRequest {
  readonly query: string;
  readonly queryParameters: readonly RestParameter[];
  readonly labels: Readonly<Record<string, string>>;
}

export interface DryRunOptions {
  readonly location: string | null;
  readonly signal: AbortSignal;
  readonly delayMs: RetryDelay;
}

/** The bytes that a query would read, at most. Throws an ApiFailure, a ZodError, or what the signal was aborted with. */
export async function dryRunBytes(
  api: RestApi,
  request: DryRunRequest,
  { location, ...options }: DryRunOptions,
): Promise<number> {
  const { labels } = request;
  const body = { ...queryOf(request), dryRun: true, labels, ...(location === null ? {} : { location }) };
  const call = { method: 'POST', path: '/queries', body } as const;
  const content = await withRetries(() => api.call(call, options.signal), options);
  return queryAnswer.parse(content).totalBytesProcessed ?? 0;
}

/** The tables that a query would read. Throws as `dryRunBytes` does. */
export async function dryRunTables(
  api: RestApi,
  request: DryRunRequest,
  { location, ...options }: DryRunOptions,
): Promise<readonly TableReference[]> {
  const { labels } = request;
  const body = {
    configuration: { dryRun: true, labels, query: queryOf(request) },
    jobReference: { projectId: api.project, ...(location === null ? {} : { location }) },
  };
  const call = { method: 'POST', path: '/jobs', body } as const;
  const content = await withRetries(() => api.call(call, options.signal), options);
  return dryRunAnswer
    .parse(content)
    .statistics.query.referencedTables.map(({ projectId, datasetId, tableId }) => ({
      project: projectId,
      dataset: datasetId,
      table: tableId,
    }));
}

function queryOf({ query, queryParameters }: DryRunRequest): object {
  const parameters = queryParameters.length === 0 ? {} : { parameterMode: 'NAMED', queryParameters };
  return { query, useLegacySql: false, ...parameters };
}
