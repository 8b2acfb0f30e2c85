import type { DatasetReference } from '../dataset-reference.ts';
import { dryRunAnswer } from '../rest/answers.ts';
import type { RestParameter } from '../rest/query-parameters.ts';
import type { RestApi } from '../rest/rest-api.ts';
import { type RetryDelay, withRetries } from '../rest/retries.ts';

/** What BigQuery says of a query without running it, at no cost. */
export interface DryRun {
  /** Bytes that the query would read, at most. */
  readonly bytes: number;
  readonly tables: readonly (DatasetReference & { readonly table: string })[];
}

export interface DryRunRequest {
  readonly query: string;
  readonly queryParameters: readonly RestParameter[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Asks what a query would read. Throws an ApiFailure, a ZodError, or what the signal was aborted with. */
export async function dryRun(
  api: RestApi,
  { query, queryParameters, labels }: DryRunRequest,
  options: { readonly location: string | null; readonly signal: AbortSignal; readonly delayMs: RetryDelay },
): Promise<DryRun> {
  const { location, signal, delayMs } = options;
  const body = {
    configuration: {
      dryRun: true,
      labels,
      query: {
        query,
        useLegacySql: false,
        ...(queryParameters.length === 0 ? {} : { parameterMode: 'NAMED', queryParameters }),
      },
    },
    jobReference: { projectId: api.project, ...(location === null ? {} : { location }) },
  };
  const content = await withRetries(() => api.call({ method: 'POST', path: '/jobs', body }, signal), {
    signal,
    delayMs,
  });
  const { statistics } = dryRunAnswer.parse(content);
  return {
    bytes: statistics.totalBytesProcessed ?? statistics.query?.totalBytesProcessed ?? 0,
    tables: (statistics.query?.referencedTables ?? []).map(({ projectId, datasetId, tableId }) => {
      return { project: projectId, dataset: datasetId, table: tableId };
    }),
  };
}
