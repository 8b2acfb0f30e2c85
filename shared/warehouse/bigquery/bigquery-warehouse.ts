import { ServiceError } from '../../errors/service-error.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import { readNewestFirst } from '../newest-first/newest-first-warehouse.ts';
import type { QueryEstimate, QueryResult, RunOptions, Warehouse, WarehouseQuery } from '../warehouse.ts';
import { QueryCompiler } from './compile/query-compiler.ts';
import { parseDatasetReference } from './dataset-reference.ts';
import type { FailedQuery } from './failures.ts';
import { dryRunBytes } from './jobs/dry-run.ts';
import { type PreparedQuery, prepareQuery } from './jobs/prepared-query.ts';
import { makeQueryJobs } from './jobs/query-jobs.ts';
import { makeTableCheck } from './jobs/table-check.ts';
import { limitedWork } from './limited-work.ts';
import { makeRestApi } from './rest/rest-api.ts';
import { backoffMs, type RetryDelay } from './rest/retries.ts';
import { collectRows } from './results/collect-rows.ts';
import type { Warn } from './warn.ts';

/** How long a readiness check may take, in ms. */
const PING_DEADLINE_MS = 4_000;

export interface BigQueryOptions {
  /** The schemas of the log tables. */
  readonly tables: TableSchemas;
  /** The project that runs the queries and pays for them. */
  readonly project: string;
  /** Where the tables are: `dataset` or `project.dataset`. */
  readonly dataset: string;
  /** Null for the dataset's own. */
  readonly location: string | null;
  /** BIGQUERY_EMULATOR_HOST: `host:port` or a URL; null for Google's service. */
  readonly emulatorHost: string | null;
  readonly warn: Warn;
  readonly retryDelayMs?: RetryDelay;
  /**
   * Whether BigQuery is asked, too, which tables a consumer's query reads. Left out, it is but for an emulator: those
   * run what they are asked about in full, and name no tables.
   */
  readonly checksTables?: boolean;
}

/** The names of the warehouse that no consumer may write, and that no message to one carries. */
export function bigQueryNames({ project, dataset }: Pick<BigQueryOptions, 'project' | 'dataset'>): string[] {
  const reference = parseDatasetReference(dataset, project);
  return [...new Set([project, reference.project, reference.dataset])];
}

/**
 * The warehouse on BigQuery, through @google-cloud/bigquery, which is loaded for the first query. Queries are checked
 * against the schemas here before BigQuery sees them. The clock is that of RunOptions, bound as a parameter wherever a
 * query asks for the time, so that both warehouses answer for the same instant. The newest rows are read in widening
 * windows (newest-first), so that their price does not grow with the logs. Closing it waits for the jobs that
 * are being cancelled.
 */
export function makeBigQueryWarehouse(options: BigQueryOptions): Warehouse {
  const { tables, location, warn, project } = options;
  const delayMs = options.retryDelayMs ?? backoffMs;
  const dataset = parseDatasetReference(options.dataset, project);
  const compiler = new QueryCompiler({ tables, dataset });
  const api = makeRestApi({ project, emulatorHost: options.emulatorHost });
  const jobs = makeQueryJobs({ api, location, delayMs, warn });
  const checksTables = options.checksTables ?? options.emulatorHost === null;
  const checkTables = makeTableCheck(api, dataset, warn);
  const insideNames = bigQueryNames(options);

  /** Prepares a query and does the work with it, within its limits. */
  function withQuery<T>(
    query: WarehouseQuery,
    runOptions: RunOptions,
    work: (prepared: PreparedQuery, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const prepared = prepareQuery(compiler, query, runOptions);
    const failed = { query: failedQuery(query, runOptions, insideNames), warn };
    return limitedWork(runOptions, failed, (signal) => work(prepared, signal));
  }

  async function run(query: WarehouseQuery, runOptions: RunOptions): Promise<QueryResult> {
    const { maxRows, deadlineMs, maxBytesBilled = null } = runOptions;
    return withQuery(query, runOptions, async (prepared, signal) => {
      const limits = { maxResults: maxRows + 1, maximumBytesBilled: maxBytesBilled, deadlineMs };
      const collected = collectRows(jobs.run({ ...prepared, ...limits }, signal), prepared.columns, maxRows);
      if (query.isUntrusted !== true || !checksTables) return collected;
      // Both at once: the check takes less time than most queries, and no row leaves before it is done.
      const check = checkTables(prepared, { location, signal, delayMs });
      const [result] = await Promise.all([collected, check]);
      return result;
    });
  }

  async function estimate(query: WarehouseQuery, runOptions: RunOptions): Promise<QueryEstimate> {
    const bytes = await withQuery(query, runOptions, (prepared, signal) =>
      dryRunBytes(api, prepared, { location, signal, delayMs }),
    );
    return { bytes };
  }

  return readNewestFirst({
    tables,
    describe: ({ sql, parameterTypes }) => compiler.compile(sql, parameterTypes, 1).columns,
    run,
    estimate,
    ping: async () => {
      const [table = ''] = tables.keys();
      const query = { sql: `SELECT 1 FROM logs.\`${table}\` LIMIT 0`, parameters: new Map() };
      const pinged = estimate(query, { maxRows: 1, deadlineMs: PING_DEADLINE_MS, nowMicros: 0n });
      await pinged.catch((error: unknown) => {
        throw new ServiceError('unavailable', 'The warehouse does not answer.', { cause: error });
      });
    },
    close: () => jobs.close(),
  });
}

function failedQuery(
  { parameters }: WarehouseQuery,
  { maxBytesBilled, timeWindow }: RunOptions,
  insideNames: readonly string[],
): FailedQuery {
  const start = timeWindow?.start;
  const isMissing = start !== undefined && parameters.get(start)?.value === null;
  return { maxBytesBilled: maxBytesBilled ?? null, missingBound: isMissing ? start : null, insideNames };
}
